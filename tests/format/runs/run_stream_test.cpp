#include "polhode/format/runs/run_stream.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "polhode/format/runs/csv.h"
#include "polhode/tree/realize.h"
#include "tests/format/language/reading.h"
#include "tests/format/runs/stream_reader.h"
#include "tests/support/paths.h"

namespace polhode::format {
namespace {

const std::filesystem::path models = testing_support::models_folder();

/// States of a model that are all different; they need not follow from one another.
std::vector<State> some_states(const Mechanism& mechanism, int count) {
  std::vector<State> states;
  State state(mechanism);
  for (int k = 0; k < count; ++k) {
    state.set_time(0.25 * k);
    for (int i = 0; i < mechanism.num_u(); ++i) state.set_u(i, std::sin(1.0 + i + 0.7 * k));
    std::vector<double> q(state.q().begin(), state.q().end());
    tree::realize(state, Stage::velocity);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.1 * state.q_dot()[i];  // quaternions need not stay unit ones
    states.push_back(state);
    state.set_q(q);
  }
  return states;
}

Stream stream_of(const Mechanism& mechanism, const std::vector<State>& states) {
  RunStream stream(mechanism, {"label", "m.pol", "method", "1.2.3", {{"dt", "0.01"}, {"order", "2"}}, 0, 5});
  std::string bytes = stream.head();
  for (const State& state : states) {
    stream.add(state);
    bytes += stream.take_rows();
  }
  bytes += stream.take_last_rows() + RunStream::status(RunState::finished, 1, "done", {{"energy", "3 J"}});
  return read_stream(bytes);
}

TEST(RunStream, SaysWhetherTheEnergyIsToBeKept) {
  const auto keeps = [](const std::string& more) {
    const Model model = read_model("(system (ry \"a\" (tz -1 (mass 1)))" + more + ")", "m.pol");
    return stream_of(model.mechanism, {}).head["keepsEnergy"];
  };
  EXPECT_EQ(keeps(""), true);
  EXPECT_EQ(keeps("(torsion-spring \"a\" 1 0)"), true);
  EXPECT_EQ(keeps("(damping \"a\" 0.1)"), false);
  EXPECT_EQ(keeps("(generalized-force \"a\" 2)"), false);
  EXPECT_EQ(keeps("(event \"hit\" (at 1) (set-speed \"a\" 0))"), false) << "an event may change it";
}

TEST(RunStream, HasNoTwoColumnsOfOneName) {
  const Model model = read_model("(system (ry \"energy\" (tz -1 (mass 1) (rx \"t\" (mass 1 1 1 1)))))", "m.pol");
  const nlohmann::json head = stream_of(model.mechanism, {}).head;
  std::set<std::string> names;
  for (const auto& column : head["columns"]) EXPECT_TRUE(names.insert(column["name"]).second) << column["name"];
  for (const auto& joint : head["scene"]["joints"])
    for (const char* list : {"coordinates", "speeds"})
      for (const auto& name : joint[list]) EXPECT_EQ(names.count(name), 1u) << name << " is no column";
}

TEST(RunStream, BeginsWithWhatTheRunSaysOfItself) {
  const Stream s = stream_of(load_model(models / "double_pendulum.pol").mechanism, {});
  EXPECT_EQ(s.head["label"], "label");
  EXPECT_EQ(s.head["model"], "m.pol");
  EXPECT_EQ(s.head["method"], "method");
  EXPECT_EQ(s.head["version"], "1.2.3");
  EXPECT_EQ(s.head["options"], nlohmann::json::parse(R"([["dt", "0.01"], ["order", "2"]])"));
  EXPECT_EQ(s.head["time"], nlohmann::json::parse("[0.0, 5.0]"));
  EXPECT_EQ(s.head["scene"]["bodies"].size(), 3u);
  ASSERT_EQ(s.status.size(), 1u);
  EXPECT_EQ(s.status[0],
            nlohmann::json::parse(R"({"state": "finished", "done": 1.0, "message": "done", "summary": [["energy", "3 J"]]})"));
}

// Single precision keeps 24 bits: half a unit in the last place of a number of size x is 2^-24 x.
TEST(RunStream, PosesAreThoseOfTheStateToSinglePrecision) {
  for (const char* name : {"double_pendulum", "closed_chain_device", "bicycle", "minitaur"}) {
    SCOPED_TRACE(name);
    const Mechanism mechanism = load_model(models / (std::string(name) + ".pol")).mechanism;
    const std::vector<State> states = some_states(mechanism, 5);
    const Stream s = stream_of(mechanism, states);
    ASSERT_EQ(s.rows.size(), states.size());
    for (std::size_t k = 0; k < states.size(); ++k)
      for (int b = 1; b < mechanism.num_bodies(); ++b) {
        const Transform<double>& X = states[k].pose(b);
        const auto& pose = s.rows[k].poses[std::size_t(b) - 1];
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(pose[i], X.p[i], std::ldexp(std::abs(X.p[i]), -24));
        const Mat3<double> R = rotation(Quaternion<double>{pose[3], pose[4], pose[5], pose[6]});
        // Each component of the unit quaternion is off by 2^-25 at most, and each entry of R is a sum of products of two.
        for (int i = 0; i < 3; ++i) EXPECT_LT(norm(R.col[i] - X.R.col[i]), 8 * std::ldexp(1, -24));
      }
  }
}

TEST(RunStream, ColumnsAreThoseOfTheTableBitForBit) {
  const Mechanism mechanism = load_model(models / "closed_chain_device.pol").mechanism;
  const std::vector<State> states = some_states(mechanism, 4);
  const auto file = std::filesystem::path(::testing::TempDir()) / ("polhode_stream_" + std::to_string(getpid()) + ".csv");
  CsvWriter csv(file, mechanism, {});
  for (const State& state : states) csv.write(state);
  csv.close();

  const Stream s = stream_of(mechanism, states);
  std::ifstream table(file);
  std::string line, field;
  std::getline(table, line);
  std::istringstream names(line);
  std::size_t columns = 0;
  for (; std::getline(names, field, ','); ++columns) EXPECT_EQ(s.head["columns"][columns]["name"], field);
  EXPECT_EQ(s.head["columns"].size(), columns + 6);
  for (const StreamRow& row : s.rows) {
    ASSERT_TRUE(std::getline(table, line));
    std::istringstream fields(line);
    for (std::size_t i = 0; std::getline(fields, field, ','); ++i) EXPECT_EQ(row.columns[i], std::stod(field));
  }
  std::filesystem::remove(file);
}

// A particle of 2 kg at (1, 2, 3) m with velocity (4, 5, 6) m/s: p = m v, L = r x p.
TEST(RunStream, MomentumIsAboutTheOriginOfGround) {
  const Mechanism mechanism =
      read_model("(system (body \"p\" (mass 2) (pose 1 2 3)) (velocity \"p\" (linear 4 5 6)))", "m").mechanism;
  State state = tree::initial_state(mechanism);
  tree::realize(state, Stage::velocity);
  const Stream s = stream_of(mechanism, {state});
  const std::vector<double>& row = s.rows.at(0).columns;
  const std::vector<double> expected{8, 10, 12, 2 * 12 - 3 * 10, 3 * 8 - 1 * 12, 1 * 10 - 2 * 8};
  const std::vector<std::string> names{"momentum.x",         "momentum.y",         "momentum.z",
                                       "angular-momentum.x", "angular-momentum.y", "angular-momentum.z"};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(s.head["columns"][row.size() - 6 + i]["name"], names[i]);
    EXPECT_NEAR(row[row.size() - 6 + i], expected[i], 1e-13);  // sums of a few products of numbers up to 24
  }
}

TEST(RunStream, ColumnsHaveTheUnitsOfWhatTheyMove) {
  const Mechanism mechanism = read_model(R"((system
    (body "a" (mass 1) (inertia 1 1 1)) (body "b" (mass 1) (inertia 1 1 1)) (body "c" (mass 1) (inertia 1 1 1))
    (joint free "f" ground "a") (joint cylindrical "cyl" "a" "b" (axis 0 0 1)) (joint screw "s" "b" "c" (axis 0 0 1) (lead 0.1))))",
                                         "m")
                                  .mechanism;
  const Stream s = stream_of(mechanism, {});
  std::map<std::string, std::string> unit;
  for (const auto& column : s.head["columns"]) unit[column["name"]] = column["unit"];
  EXPECT_EQ(unit.at("t"), "s");
  EXPECT_EQ(unit.at("f.qw"), "");
  EXPECT_EQ(unit.at("f.x"), "m");
  EXPECT_EQ(unit.at("f.wx"), "rad/s");
  EXPECT_EQ(unit.at("f.vx"), "m/s");
  EXPECT_EQ(unit.at("cyl.angle"), "rad");
  EXPECT_EQ(unit.at("cyl.z'"), "m/s");
  EXPECT_EQ(unit.at("s"), "rad");
  EXPECT_EQ(unit.at("energy"), "J");
  EXPECT_EQ(unit.at("angular-momentum.z"), "kg m^2/s");
}

TEST(RunStream, BlocksAreAtMostOneMebibyte) {
  const Mechanism mechanism = load_model(models / "double_pendulum.pol").mechanism;
  const State state = some_states(mechanism, 1)[0];
  RunStream stream(mechanism, {"", "", "", "", {}, 0, 0});
  const std::size_t rows = 3 * (std::size_t(1) << 20) / stream.row_bytes();
  for (std::size_t i = 0; i < rows; ++i) stream.add(state);
  const Stream s = read_stream(stream.head() + stream.take_rows());
  EXPECT_EQ(s.rows.size(), rows);
  EXPECT_GE(s.row_blocks.size(), 3u);
  for (const std::size_t bytes : s.row_blocks) EXPECT_LE(bytes, std::size_t(1) << 20);
  EXPECT_EQ(stream.take_rows(), "");
}

// Room for 10 rows in 5 s: of rows 0.125 s apart every fourth goes through, and the last.
TEST(RunStream, LeavesOutRowsThatWouldNotFitButNotTheLast) {
  const Mechanism mechanism = load_model(models / "double_pendulum.pol").mechanism;
  State state = some_states(mechanism, 1)[0];
  const std::size_t row_bytes = RunStream(mechanism, {}).row_bytes();
  RunStream stream(mechanism, {"", "", "", "", {}, 0, 5}, 10 * row_bytes);
  EXPECT_EQ(stream.left_out(), "");
  for (int k = 0; k <= 39; ++k) {
    state.set_time(0.125 * k);
    tree::realize(state, Stage::velocity);
    stream.add(state);
  }
  const Stream s = read_stream(stream.head() + stream.take_last_rows());
  ASSERT_EQ(s.rows.size(), 11u);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(s.rows[k].columns[0], 0.5 * double(k));
  EXPECT_EQ(s.rows[10].columns[0], 0.125 * 39);
  EXPECT_TRUE(contains(stream.left_out(), "29 rows"));
}

TEST(RunStream, RefusesStatesOfAnotherMechanism) {
  const Mechanism mechanism = load_model(models / "double_pendulum.pol").mechanism;
  const Mechanism other = load_model(models / "double_pendulum.pol").mechanism;
  RunStream stream(mechanism, {});
  EXPECT_THROW(stream.add(some_states(other, 1)[0]), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::format
