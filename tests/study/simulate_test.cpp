#include "polhode/study/simulate.h"

#include <gtest/gtest.h>

#include "polhode/format/language/model.h"
#include "polhode/mechanism/builder.h"
#include "polhode/study/inspect.h"
#include "polhode/tree/realize.h"
#include "tests/support/paths.h"

namespace polhode::study {
namespace {

Mechanism model(const std::string& text) { return format::read_model(text, "test.pol").mechanism; }
const std::string pendulum = R"((system (ry "a" (tz -1 (name "tip") (mass 1))) (initial ("a" 1))))";

TEST(Simulate, ReportsTheStartEveryKthStepAndTheEnd) {
  std::vector<double> times;
  const auto keep = [&](const State& s) { times.push_back(s.time()); };
  const auto summary = simulate(State(model(pendulum)), {.time = 1, .dt = 0.1, .every = 4}, keep);
  ASSERT_EQ(times.size(), 4u);  // 0, 0.4, 0.8 and the end
  EXPECT_EQ(times[0], 0);
  EXPECT_DOUBLE_EQ(times[1], 0.4);
  EXPECT_DOUBLE_EQ(times[2], 0.8);
  EXPECT_EQ(times[3], 1);
  EXPECT_EQ(summary.steps.steps, 10);
  EXPECT_EQ(summary.reports, 4);
  EXPECT_TRUE(summary.completed);
}

TEST(Simulate, ReportsAtIntervalsWithoutDisturbingTheSteps) {
  const State start(model(pendulum));
  std::vector<double> times;
  const auto keep = [&](const State& s) { times.push_back(s.time()); };
  const auto with = simulate(start, {.time = 2, .interval = 0.25}, keep);
  const auto without = simulate(start, {.time = 2});
  ASSERT_EQ(times.size(), 9u);
  for (int i = 0; i < 9; ++i) EXPECT_DOUBLE_EQ(times[i], 0.25 * i);
  EXPECT_EQ(with.steps.steps, without.steps.steps);
  EXPECT_EQ(with.energy_end, without.energy_end);
}

// A mass on a vertical slider that follows z = t^2 needs m (g + 2), at every step but the first, at which it sets off from
// rest.
TEST(Simulate, TellsWhatItTakesToDriveKinematicCoordinates) {
  const Mechanism lift = model("(system (tz \"z\" (mass 3 0 0 0)) (kinematic \"z\" (polynomial 0 0 1)))");
  const auto summary = simulate(State(lift), {.time = 1});
  ASSERT_EQ(summary.largest_drives.size(), 1u);
  EXPECT_EQ(summary.largest_drives[0].first, "z");
  EXPECT_NEAR(summary.largest_drives[0].second, 3 * (9.81 + 2), 1e-9);  // rounding of z/h^2, of order one, in a hundred steps
}

TEST(Simulate, AccountsForTheEnergyOfWhatIsReported) {
  const auto summary =
      simulate(State(model(pendulum)), {.method = "tree-projected", .time = 5, .options = {{"accuracy", 1e-9}}});
  EXPECT_NEAR(summary.energy_start, -9.81 * std::cos(1.0), 1e-12);  // m g z of the bob at rest
  EXPECT_LT(summary.energy_span(), 1e-6);
  EXPECT_TRUE(summary.conservative);
  EXPECT_EQ(summary.method, "tree-projected");
  EXPECT_FALSE(summary.options.empty());
}

TEST(Simulate, SaysWhenForcesDoWork) {
  const auto damped = R"((system (ry "a" (tz -1 (mass 1))) (damping "a" 0.5) (initial ("a" 1))))";
  const auto summary = simulate(State(model(damped)), {.time = 5});
  EXPECT_FALSE(summary.conservative);
  EXPECT_LT(summary.energy_end, summary.energy_start);
}

TEST(Simulate, NamesMethodsItDoesNotHave) {
  const State start(model(pendulum));
  try {
    simulate(start, {.method = "tree-projcted"});
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("tree-projected"), std::string::npos) << e.what();
  }
  EXPECT_THROW(simulate(start, {.time = -1}), std::invalid_argument);
  EXPECT_THROW(simulate(start, {.time = std::nan("")}), std::invalid_argument);
  EXPECT_THROW(simulate(start, {.every = 0}), std::invalid_argument);
  EXPECT_THROW(simulate(start, {.interval = 0.0}), std::invalid_argument);
  EXPECT_THROW(simulate(start, {.dt = 1e-300}), std::invalid_argument);
  EXPECT_THROW(simulate(start, {.interval = 1e-300}), std::invalid_argument);
}

TEST(Simulate, RefusesStepsAndIntervalsThatAreLostInRounding) {
  const State start(model(pendulum));
  EXPECT_THROW(simulate(start, {.time = 10, .dt = 1e-300}), std::invalid_argument);
  EXPECT_THROW(simulate(start, {.time = 10, .interval = 1e-300}), std::invalid_argument);
  State late = start;
  late.set_time(1e20);
  EXPECT_THROW(simulate(late, {.time = 1}), std::invalid_argument) << "1e20 + 1 is 1e20";
  late.set_time(std::nan(""));
  EXPECT_THROW(simulate(late, {.time = 1}), std::invalid_argument);
}

/// A potential that is lost at a certain time.
class NoPotential final : public Potential {
 public:
  explicit NoPotential(double from) : from_(from) {}
  double energy(const Configuration& c) const override { return c.t < from_ ? 0 : std::nan(""); }
  void add_forces(const Configuration&, AppliedForces&) const override {}

 private:
  double from_;
};

TEST(Simulate, StopsAtTheFirstEnergyThatIsNoNumber) {
  for (const double from : {0.0, 0.45}) {
    MechanismBuilder b;
    b.add_body({.name = "dust", .mass = MassProperties::particle(1)});
    b.add_force({PotentialFactory([from](const Mechanism&) { return std::make_shared<NoPotential>(from); }), {}});
    std::vector<double> energies;
    const auto keep = [&](const State& s) { energies.push_back(s.energy()); };
    const auto summary = simulate(State(b.build()), {.time = 1, .dt = 0.1}, keep);
    EXPECT_FALSE(summary.completed);
    EXPECT_NE(summary.failure.find("energy"), std::string::npos) << summary.failure;
    EXPECT_EQ(energies.size(), from > 0 ? 5u : 0u);  // at 0, 0.1, 0.2, 0.3, 0.4
    for (const double energy : energies) EXPECT_TRUE(std::isfinite(energy));
    EXPECT_TRUE(std::isfinite(summary.energy_end));
  }
}

TEST(Simulate, ReportsAStartThatItCannotLeaveOnce) {
  // Two pins on one axis with no mass between them: their accelerations are undetermined.
  const auto coaxial = R"((system (rz "a" (rz "b" (mass 1 1 1 1)))))";
  const auto summary = simulate(State(model(coaxial)), {.time = 1});
  EXPECT_FALSE(summary.completed);
  EXPECT_EQ(summary.reports, 1);
}

TEST(Inspect, CountsTheDegreesOfFreedomOfAPlanarFourBarDrawnInSpace) {
  const Inspection r = inspect(tree::initial_state(format::load_model(testing_support::model_path("four_bar")).mechanism));
  EXPECT_EQ(r.degrees_of_freedom, 1);
  EXPECT_EQ(r.rows.size(), 5u);
  EXPECT_EQ(r.redundant_rows(), 3);  // of the five equations of a pin, three only repeat that the loop is planar
  EXPECT_LT(r.largest_error, 1e-12);
}

// Nine strings hold the puppet; their hooks are no freedoms of the mechanism.
TEST(Inspect, MarionetteHangsOnItsStringsWithFortyFreedomsOrMore) {
  const Inspection r = inspect(tree::initial_state(format::load_model(testing_support::model_path("marionette")).mechanism));
  EXPECT_EQ(r.kinematic, 11);
  EXPECT_EQ(r.independent_rows, 9);
  EXPECT_GE(r.degrees_of_freedom, 40);
  EXPECT_LT(r.largest_error, 1e-12);
}

TEST(Inspect, FindsTheOneRedundantEquationOfBricardsLinkage) {
  // Six revolute joints, five bodies: Gruebler counts 6*5 - 6*5 = 0, yet it moves (IFToMM A04, ../shared/validation.md).
  const Inspection r = inspect(tree::initial_state(format::load_model(testing_support::model_path("bricard")).mechanism));
  EXPECT_EQ(r.degrees_of_freedom, 1);
  EXPECT_EQ(r.redundant_rows(), 1);
}

TEST(Inspect, MeasuresWiresPointsAndScrewsThatAreNotMet) {
  const Mechanism m = model(R"((system
    (ry "a" (name "A") (tz -1 (name "tip") (mass 1)))
    (rz "turn" (mass 1 1 1 1) (tz "sink" (mass 1)))
    (wire "tip" "ground" 0.75) (point-constraint "ground" "tip" 1 0 0) (screw "turn" "sink" 0.1)
    (initial ("a" (deg 30)) ("turn" 2) ("sink" 0.5))))");
  const Inspection r = inspect(State(m));
  ASSERT_EQ(r.rows.size(), 3u);
  EXPECT_NEAR(r.rows[0].error, 0.25, 1e-15);
  EXPECT_NEAR(r.rows[1].error, -0.5, 1e-15);  // x of the tip at 30 degrees about y
  EXPECT_NEAR(r.rows[2].error, 0.3, 1e-15);
  EXPECT_TRUE(r.rows[0].redundant) << "the tip's distance from its own pivot cannot change";
}

// A slider measured in millimetres: were it alone, steps of order five would be 1000^(1/5) = 4 times as many. The pole, which
// keeps its unit, has the larger error to begin with, so they are fewer.
TEST(Simulate, TakesTheAccuracyAsAFractionOfTheUnitsGiven) {
  const Mechanism mechanism = format::load_model(testing_support::model_path("cart_pole")).mechanism;
  SimulateOptions options{.method = "tree-projected", .time = 5};
  const auto steps = [&] { return simulate(tree::initial_state(mechanism), options).steps.steps; };
  const long coarse = steps();
  options.options.set("unit", NamedNumbers{{mechanism.coordinate_names()[0], 1e-3}});
  const long fine = steps();
  EXPECT_GT(double(fine), 1.5 * double(coarse));
  EXPECT_LT(fine, 4 * coarse);
  options.options.erase("unit");
  options.options.set("norm", "infinity");
  EXPECT_GE(steps(), coarse);
  options.options.set("norm", "largest");
  EXPECT_THROW(steps(), std::invalid_argument);
}

// Stopped after 250 of 1000 steps, of which every 100th is reported: the energy at the end is that of the 250th.
TEST(Simulate, SumsUpAnInterruptedRunToWhereItWasStopped) {
  const State start = tree::initial_state(
      format::read_model("(system (ry \"a\" (tz -1 (mass 1))) (damping \"a\" 0.5) (initial (\"a\" 1)))", "damped.pol")
          .mechanism);
  long asked = 0, rows = 0;
  Checkpointing stopping;
  stopping.interrupted = [&] { return ++asked >= 250; };
  const auto count = [&](const State&) { ++rows; };
  const SimulateSummary cut = simulate(start, {.time = 10, .dt = 0.01, .every = 100}, count, {}, {}, stopping);
  const SimulateSummary whole = simulate(start, {.time = 2.5, .dt = 0.01});
  EXPECT_TRUE(cut.interrupted);
  EXPECT_DOUBLE_EQ(cut.time_end, 2.5);
  // The last step of the one ends at 2.5 s, that of the other at 250 times 0.01 s: rounding, of 250 steps and some 8 J.
  EXPECT_NEAR(cut.energy_end, whole.energy_end, 1e-12);
  EXPECT_EQ(rows, 3) << "0, 1 and 2 s";
}

}  // namespace
}  // namespace polhode::study
