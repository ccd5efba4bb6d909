// A start that misses its constraints is assembled or refused, whoever asks.
#include "polhode/study/start.h"

#include <fmt/format.h>

#include "polhode/study/compare.h"
#include "polhode/study/inspect.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

State start_of_text(const std::string& text) { return tree::initial_state(format::read_model(text, "model.pol").mechanism); }

// The crank's speed is given, those of the coupler and the rocker are for the loop to find.
TEST(Start, IsTheSameByEveryMethodAndDoor) {
  const Mechanism four_bar = load("four_bar");
  const double energy = [&] {
    State start = start_of(four_bar);
    tree::realize(start, Stage::velocity);
    return start.kinetic_energy() + start.potential_energy();
  }();
  const State as_read = tree::initial_state(four_bar);
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const SimulateSummary summary = simulate(as_read, {.method = method, .time = 0.05});
    EXPECT_TRUE(summary.completed);
    EXPECT_DOUBLE_EQ(summary.energy_start, energy);
  }
  const CompareResult compared = compare(as_read, {.simulate = {.time = 0.05}});
  for (const MethodRun& run : compared.runs)
    if (run.ran()) {
      EXPECT_DOUBLE_EQ(run.summary.energy_start, energy) << run.method;
    }
}

TEST(Start, StaysToTheLastBitWhereItMeetsItsConstraints) {
  State start = start_of(load("four_bar"));
  const State before = start;
  assemble_start(start);
  EXPECT_TRUE(std::equal(start.q().begin(), start.q().end(), before.q().begin()));
  EXPECT_TRUE(std::equal(start.u().begin(), start.u().end(), before.u().begin()));
}

TEST(Start, OfAStepperIsRefusedWhereItMissesItsConstraints) {
  const Mechanism four_bar = load("four_bar");
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const auto stepper = make_stepper(four_bar, {.method = method});
    try {
      stepper->set(tree::initial_state(four_bar));
      FAIL() << "speeds that tear the loop apart were taken";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("tree::assemble"), std::string::npos) << error.what();
    }
    stepper->set(start_of(four_bar));
  }
}

TEST(Start, IsRefusedWhereNoConfigurationMeetsTheConstraints) {
  const State start = start_of_text(
      "(system (ry \"a\" (tz -1 (name \"A\") (mass 1))) (frame \"nail\" ground 3 0 0) (wire \"nail\" \"A\" 0.3))");
  for (const std::string& method : method_names())
    EXPECT_THROW(simulate(start, {.method = method, .time = 0.1}), std::invalid_argument) << method;
}

// Nothing at all can move: the post is welded, 0.5 m from the nail where 0.3 m are asked for.
TEST(Start, ThatNothingCanMoveIsInspectedAndRefused) {
  const State start = start_of_text(
      "(system (body \"post\" (mass 1)) (joint weld \"w\" ground \"post\") (frame \"nail\" ground 0.5 0 0)"
      "(wire \"nail\" \"post\" 0.3))");
  const Inspection found = inspect(start);
  EXPECT_EQ(found.degrees_of_freedom, 0);
  ASSERT_EQ(found.conflicts.size(), 1u);
  EXPECT_NEAR(std::abs(found.conflicts[0].left), 0.2, 1e-12);
  EXPECT_THROW(simulate(start, {.time = 0.1}), std::invalid_argument);
}

// The tip of the arm is 0.5 m and 5 mm from the nail; the circle of 0.3 m about it meets the arm's only some way off.
TEST(Start, ThatHadToLeaveWhatWasGivenIsToldAbout) {
  State start = start_of_text(
      "(system (ry \"a\" (tz -1 (name \"A\") (mass 1))) (frame \"nail\" ground 0.5 0 -1) (wire \"nail\" \"A\" 0.3) "
      "(initial (\"a\" 0.1)))");
  const tree::Assembly assembly = assemble_start(start);
  EXPECT_FALSE(assembly.given_kept);
  const auto told = warnings(assembly, start.mechanism());
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("\"a\" had to go from 0.1"), std::string::npos) << told[0];
}

// A slider-crank near its dead centre, the slider's speed given: the crank's tip goes 1 / sin(angle) times as fast, or so.
TEST(Start, KeepsGivenSpeedsAndTellsWhatEnergyThatTook) {
  const double angle = 0.01, sine = 0.25 * std::sin(angle);
  const double reach = 0.1 * std::cos(angle) + 0.4 * std::sqrt(1 - sine * sine);
  State start = start_of_text(fmt::format(
      "(system (gravity 0 0 0) (ry \"crank\" (tx 0.1 (ry \"rod\" (mass 0.1 0.01 0.01 0.01) (tx 0.4 (name \"end\")))))"
      "(tx \"slider\" (name \"block\") (mass 1))"
      "(point-constraint \"end\" \"block\" 1 0 0) (point-constraint \"end\" \"block\" 0 0 1)"
      "(initial (\"crank\" {}) (\"rod\" {}) (\"slider\" {} 0.1)))",
      angle, -angle - std::asin(sine), reach));
  const tree::Assembly assembly = assemble_start(start);
  EXPECT_NEAR(speed(start, "slider'"), 0.1, 1e-12);
  EXPECT_GT(assembly.kinetic_after, 10 * assembly.kinetic_before);
  const auto told = warnings(assembly, start.mechanism());
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("kinetic energy"), std::string::npos) << told[0];
}

}  // namespace
}  // namespace polhode::study
