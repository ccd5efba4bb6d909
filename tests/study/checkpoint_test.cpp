// A run that goes on from a checkpoint is the run that was never stopped.
#include <gtest/gtest.h>

#include "polhode/format/language/model.h"
#include "polhode/projected/tree/options.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/support/paths.h"

namespace polhode::study {
namespace {

using Row = std::vector<double>;

struct Recorded {
  std::vector<Row> rows;
  std::vector<std::pair<std::size_t, std::string>> checkpoints;  // how many rows there were, and the bytes
  SimulateSummary summary;
};

Row row_of(const State& state) {
  Row row{state.time()};
  row.insert(row.end(), state.q().begin(), state.q().end());
  row.insert(row.end(), state.u().begin(), state.u().end());
  row.insert(row.end(), state.z().begin(), state.z().end());
  row.push_back(state.energy());
  return row;
}

Recorded record(const State& start, const SimulateOptions& options, int steps_between) {
  Recorded run;
  int steps = 0;
  Checkpointing checkpointing;
  checkpointing.wanted = [&] { return steps_between > 0 && ++steps % steps_between == 0; };
  if (steps_between > 0)
    checkpointing.keep = [&](const std::string& bytes) { run.checkpoints.emplace_back(run.rows.size(), bytes); };
  run.summary = simulate(
      start, options, [&](const State& state) { run.rows.push_back(row_of(state)); }, {}, {}, checkpointing);
  return run;
}

/// From every checkpoint: the rows that come after it, and the summary, are those of the whole run.
void expect_same_from_every_checkpoint(const State& start, const SimulateOptions& options, int steps_between) {
  const Recorded undisturbed = record(start, options, 0), whole = record(start, options, steps_between);
  ASSERT_EQ(undisturbed.rows, whole.rows) << "keeping checkpoints disturbs the run";
  ASSERT_GE(whole.checkpoints.size(), 3u);
  for (const auto& [rows, bytes] : whole.checkpoints) {
    SCOPED_TRACE(testing::Message() << "from row " << rows);
    std::vector<Row> resumed(whole.rows.begin(), whole.rows.begin() + long(rows));
    Checkpointing from;
    from.from = &bytes;
    const SimulateSummary summary = simulate(
        start, options, [&](const State& state) { resumed.push_back(row_of(state)); }, {}, {}, from);
    ASSERT_EQ(resumed.size(), whole.rows.size());
    for (std::size_t i = rows; i < resumed.size(); ++i) ASSERT_EQ(resumed[i], whole.rows[i]) << "row " << i;
    EXPECT_EQ(summary.reports, whole.summary.reports);
    EXPECT_EQ(summary.steps.steps, whole.summary.steps.steps);
    EXPECT_EQ(summary.energy_most, whole.summary.energy_most);
    EXPECT_EQ(summary.energy_slope, whole.summary.energy_slope);
    EXPECT_EQ(summary.momentum_error, whole.summary.momentum_error);
    EXPECT_EQ(summary.stopped_by, whole.summary.stopped_by);
    ASSERT_EQ(summary.events, whole.summary.events);
    for (std::size_t i = 0; i < summary.event_counts.size(); ++i) {
      EXPECT_EQ(summary.event_counts[i].count, whole.summary.event_counts[i].count);
      EXPECT_EQ(summary.event_counts[i].last, whole.summary.event_counts[i].last);
    }
  }
}

State start_of(const Mechanism& mechanism) {
  State start = tree::initial_state(mechanism);
  tree::assemble(start, tree::given_by_model(mechanism));
  return start;
}

Mechanism model(const std::string& name) { return format::load_model(testing_support::model_path(name)).mechanism; }

struct Case {
  std::string model;
  SimulateOptions options;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.model << " by " << c.options.method; }

class Checkpoint : public ::testing::TestWithParam<Case> {};

TEST_P(Checkpoint, GoesOnToTheLastBit) {
  const Mechanism mechanism = model(GetParam().model);
  expect_same_from_every_checkpoint(start_of(mechanism), GetParam().options, 17);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* name : {"double_pendulum", "four_bar", "heavy_top", "closed_chain_device"})
    for (const std::string& method : method_names()) {
      all.push_back({name, {.method = method, .time = 2}});
      all.push_back({name, {.method = method, .time = 2, .interval = 0.03}});
      all.push_back({name, {.method = method, .time = 1, .dt = 0.007, .every = 3}});
    }
  for (const char* integrator : {"rk3", "rk8", "verlet", "euler"})
    if (const auto names = projected::integrator_names(); std::find(names.begin(), names.end(), integrator) != names.end())
      all.push_back({"double_pendulum", {.method = "tree-projected", .time = 1, .options = {{"integrator", integrator}}}});
  all.push_back({"double_pendulum", {.method = "tree-variational", .time = 2, .options = {{"order", 4}}}});
  all.push_back({"double_pendulum", {.method = "maximal-variational", .time = 2, .options = {{"order", 1}}}});
  for (const char* method : {"tree-variational", "maximal-variational"})
    all.push_back({"double_pendulum", {.method = method, .time = 2, .interval = 0.03, .options = {{"accuracy", 1e-3}}}});
  all.push_back({"four_bar", {.method = "maximal-projected", .time = 2, .options = {{"projection", "orthogonal"}}}});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Runs, Checkpoint, ::testing::ValuesIn(cases()));

// A ball that bounces, a count of it, scheduled events, a constraint that is let go: all that a run has besides its motion.
TEST(CheckpointOfEvents, CountsOnAndKeepsWitnessesAndDiscreteVariables) {
  const Mechanism mechanism = format::read_model(R"(
    (system
      (tz "z" (mass 1)) (ry "a" (tz -1 (mass 1)))
      (body "bob" (mass 1) (pose -1 0 0))
      (wire ground "bob" 1 (name "string"))
      (point-constraint ground "bob" 0 1 0)
      (initial ("z" 1) ("a" 1))
      (discrete "bounces" 0)
      (event "bounce" (when "z" falls 0) (scale-speed "z" -0.9) (add-discrete "bounces" 1))
      (event "enough" (when (discrete "bounces") rises 2.5) (stop) (say "three bounces"))
      (event "let go" (when "bob.x" rises 0.5) (disable "string"))
      (event "tick" (every 0.13) (say "tick"))))",
                                                 "ball.pol")
                                  .mechanism;
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    expect_same_from_every_checkpoint(start_of(mechanism), {.method = method, .time = 3, .interval = 0.05}, 11);
  }
}

TEST(CheckpointOfEvents, KeepsLocks) {
  const Mechanism mechanism = format::read_model(R"(
    (system (ry "a" (tz -1 (mass 1) (ry "b" (tz -1 (mass 1)))))
      (initial ("a" 1) ("b" 1))
      (event "hold" (at 0.5) (lock "b")) (event "let go" (at 1.5) (unlock "b"))))",
                                                 "lock.pol")
                                  .mechanism;
  expect_same_from_every_checkpoint(start_of(mechanism), {.method = "tree-projected", .time = 3}, 7);
}

// CVODE starts anew at order one: what is left is its accuracy, whose errors grow with the motion over two seconds.
TEST(CheckpointOfCvode, GoesOnToItsAccuracy) {
  const Mechanism mechanism = model("pendulum");
  const SimulateOptions options{
      .method = "tree-projected", .time = 2, .interval = 0.1, .options = {{"integrator", "cvode"}, {"accuracy", 1e-9}}};
  const Recorded whole = record(start_of(mechanism), options, 40);
  for (const auto& [rows, bytes] : whole.checkpoints) {
    std::vector<Row> resumed(whole.rows.begin(), whole.rows.begin() + long(rows));
    Checkpointing from;
    from.from = &bytes;
    simulate(
        start_of(mechanism), options, [&](const State& state) { resumed.push_back(row_of(state)); }, {}, {}, from);
    ASSERT_EQ(resumed.size(), whole.rows.size());
    for (std::size_t i = 0; i < resumed.size(); ++i) {
      EXPECT_EQ(resumed[i][0], whole.rows[i][0]);
      for (std::size_t k = 1; k < resumed[i].size(); ++k) EXPECT_NEAR(resumed[i][k], whole.rows[i][k], 1e-6);
    }
  }
}

TEST(CheckpointBytes, OfAnotherModelAreRefused) {
  const Recorded run = record(start_of(model("double_pendulum")), {.time = 1}, 50);
  Checkpointing from;
  from.from = &run.checkpoints.front().second;
  const State other = start_of(model("four_bar"));
  EXPECT_THROW(simulate(other, {.time = 1}, {}, {}, {}, from), std::runtime_error);
  const std::string cut = from.from->substr(0, from.from->size() / 2);
  from.from = &cut;
  EXPECT_THROW(simulate(start_of(model("double_pendulum")), {.time = 1}, {}, {}, {}, from), std::runtime_error);
}

}  // namespace
}  // namespace polhode::study
