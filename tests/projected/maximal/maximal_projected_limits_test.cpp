// Where maximal-projected meets what it cannot do, or only just can: forces without direction, scales far from a metre.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "polhode/format/language/model.h"
#include "polhode/projected/maximal/maximal_projected.h"
#include "polhode/tree/assemble.h"
#include "tests/projected/mechanisms.h"

namespace polhode::projected {
namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

State start_of(const std::string& text) {
  const Mechanism m = format::read_model(text, "test.pol").mechanism;
  State state = tree::initial_state(m);
  EXPECT_TRUE(tree::assemble(state, tree::given_by_model(m)).assembled);
  return state;
}

/// Steps until the time is up or a step fails; gives the last report.
StepReport run(MaximalProjected& stepper, double time, long most_steps) {
  StepReport report;
  while (report.ok() && stepper.time() < time && stepper.statistics().steps < most_steps) report = stepper.step(time);
  return report;
}

double energy_of(const Stepper& stepper, State state) {
  stepper.get(state);
  tree::realize(state, Stage::velocity);
  return state.kinetic_energy() + state.potential_energy();
}

/// Two bodies of 1 kg on one line, at -1 and 1 m.
std::string on_a_line(const std::string& rest) {
  return R"((system (gravity 0 0 0)
    (body "left" (mass 1) (inertia 0.1 0.1 0.1) (pose -1 0 0)) (body "right" (mass 1) (inertia 0.1 0.1 0.1) (pose 1 0 0))
    (joint prismatic "a" ground "left" (at -1 0 0) (axis 1 0 0))
    (joint prismatic "b" ground "right" (at 1 0 0) (axis 1 0 0)) )" +
         rest + ")";
}

// 1 kg is pushed by 20 N through a damped spring that is at length zero on the way. Afterwards both are far apart, with the
// spring between them in tension 10 N: the two together accelerate at 10 m/s^2.
TEST(SingularForces, ASpringPassesThroughLengthZeroInAFewSteps) {
  const State start =
      start_of(on_a_line(R"((spring "left" "right" 10 0.5 2) (force "left" 20 0 0) (initial ("a" 0.9 0) ("b" -1 0)))"));
  MaximalProjected stepper(start.mechanism());
  stepper.set(start);
  const StepReport report = run(stepper, 10, 1000);
  EXPECT_TRUE(report.ok()) << stepper.explain(report);
  EXPECT_EQ(stepper.time(), 10);
  State end = start;
  stepper.get(end);
  EXPECT_NEAR(end.q()[0] - 1 + end.q()[1] + 1, -0.1 + 0.5 * 20 * 100, 1e-3);  // twice the centre of mass; 1e-6 of the way
  EXPECT_NEAR(end.u()[0] + end.u()[1], 20 * 10, 1e-3);
}

// The tension never goes below 5 N, so that the bodies chatter about each other until dampers have brought them to rest.
// Kinetic and potential energy then are what an accuracy of 1e-6 can tell from rest.
TEST(SingularForces, ASpringThatPullsAtLengthZeroEndsInRest) {
  const State start = start_of(on_a_line(R"((nonlinear-spring "left" "right" 0 (table (0 5) (1 10) (2 15)))
    (damping "a" 1) (damping "b" 1))"));
  MaximalProjected stepper(start.mechanism());
  stepper.set(start);
  const StepReport report = run(stepper, 10, 5000);
  EXPECT_TRUE(report.ok()) << stepper.explain(report);
  EXPECT_EQ(stepper.time(), 10);
  // Dampers take half the kinetic energy's rate: below exp(-t) of the 20 J at the start, with a factor for bouncing.
  EXPECT_LT(energy_of(stepper, start), 0.1);
}

// A damped pendulum comes to rest, where no motion is left to restore an energy with: a little is let go. Where none may be,
// the run stops and says so.
TEST(LettingGo, StopsARunWhereItIsNotAllowed) {
  const State start = start_of(R"((system (ry "a" (tz -1 (mass 1))) (damping "a" 5) (initial ("a" 1))))");
  MaximalProjected as_usual(start.mechanism());
  as_usual.set(start);
  EXPECT_TRUE(run(as_usual, 30, 10000).ok());
  ASSERT_GT(as_usual.jet_counters().invariants_let_go, 0);

  MaximalProjected strict(start.mechanism(), {.let_go = 0.0});
  strict.set(start);
  const StepReport report = run(strict, 30, 10000);
  EXPECT_EQ(report.status, StepReport::Status::no_convergence);
  EXPECT_EQ(strict.jet_counters().invariants_let_go, 1);
  const std::string words = strict.explain(report);
  EXPECT_TRUE(says(words, "total energy") && says(words, "let go") && says(words, "invariant = none") && !says(words, "--"))
      << words;
}

// Two bodies of 1 kg fall towards each other from 2 m: they meet after pi r^1.5 / (2 sqrt(2 G M)), r = 2 m, G M = 2 m^3/s^2.
TEST(SingularForces, ACollisionOfBodiesThatAttractEachOtherIsNamedAfterFewSteps) {
  const State start = start_of(on_a_line("(attraction 1)"));
  MaximalProjected stepper(start.mechanism());
  stepper.set(start);
  const StepReport report = run(stepper, 10, 100000);
  EXPECT_EQ(report.status, StepReport::Status::too_small);
  EXPECT_NEAR(report.t, std::numbers::pi * std::pow(2.0, 1.5) / (2 * std::sqrt(4.0)), 1e-4);
  EXPECT_LT(stepper.statistics().steps, 1000);
  const std::string words = stepper.explain(report);
  EXPECT_TRUE(says(words, "\"left\"") && says(words, "\"right\"") && says(words, "attract") && says(words, "t = 2.22"))
      << words;
}

/// A four-bar linkage of lengths L and 2 L. Times go with sqrt(L), so that the same motion is seen at any scale.
State linkage(double L, double mass) {
  const double I = mass * L * L / 12;
  return start_of(fmt::format(R"((system
    (body "a" (mass {1}) (inertia {2} {2} {3}) (pose 0 0 {4})) (body "b" (mass {1}) (inertia {3} {2} {2}) (pose {0} 0 {0}))
    (body "c" (mass {1}) (inertia {2} {2} {3}) (pose {5} 0 {4}))
    (joint revolute "p" ground "a" (at 0 0 0) (axis 0 1 0)) (joint revolute "q" "a" "b" (at 0 0 {0}) (axis 0 1 0))
    (joint revolute "r" "b" "c" (at {5} 0 {0}) (axis 0 1 0)) (joint ball "s" "c" ground (at {5} 0 0))
    (initial ("p" 0 {6}))))",
                              L, mass, I, I / 100, L / 2, 2 * L, 1 / std::sqrt(L)));
}

class Scales : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Lengths, Scales, testing::Values(1e-3, 1.0, 1e6));

// Energies that are exchanged are about m g L. The invariant is met to 1e-10 of what the energies are, not of a joule, and
// constraints to 1e-10 m or to what rounding leaves of lengths L: 32 units in the last place of 2 L, five times that in tree
// coordinates, where errors of joints add up along the chain. The energy in tree coordinates is off by the weights' work in
// that.
TEST_P(Scales, KeepTheEnergyAndTheConstraintsInProportion) {
  const double L = GetParam(), mass = 1e-3;
  const State start = linkage(L, mass);
  MaximalProjected stepper(start.mechanism());
  stepper.set(start);
  const double before = energy_of(stepper, start);
  const StepReport report = run(stepper, 2 * std::sqrt(L), 100000);
  ASSERT_TRUE(report.ok()) << stepper.explain(report);
  const double off = std::max(1e-10, 32 * 2.2e-16 * 2 * L);
  EXPECT_LT(stepper.position_error(), 1.01 * off);
  EXPECT_NEAR(energy_of(stepper, start), before, mass * 9.81 * (1e-9 * L + 5 * off));
}

TEST(MaximalProjectedMessages, SayThatAStartIsOffTheConstraintsAndAdviseNoStep) {
  MechanismBuilder b;
  b.add_body({.name = "bob", .mass = brick(1)});
  b.add_joint({.name = "pin", .model = Revolute{}, .child = "bob"});
  b.add_frame({.name = "tip", .body = "bob", .X_BF = at(0.3, 0, 0)});
  b.add_constraint({.name = "far", .model = WireSpec{"ground", "tip", 5}});  // the tip is never farther than 0.3 m
  MaximalProjected stepper(b.build(), {.fixed_step = 0.1});
  const StepReport report = stepper.step(1);
  const std::string words = stepper.explain(report);
  EXPECT_TRUE(says(words, "far") && says(words, "the state there does not meet the constraints")) << words;
  EXPECT_FALSE(says(words, "--dt") || says(words, "step of")) << words;
}

// A pendulum of 1 m has a period of 2 s: steps of 1 s have nothing to do with its motion. At rest nothing is lost, however
// long they are.
TEST(FixedSteps, ThatAreFarTooLongAreRefusedRatherThanLoseEnergy) {
  MaximalProjected swinging(pendulum(2.5), {.fixed_step = 1});
  const StepReport report = run(swinging, 100, 1000);
  EXPECT_EQ(report.status, StepReport::Status::no_convergence);
  const std::string words = swinging.explain(report);
  EXPECT_TRUE(says(words, "step of 1 s") && says(words, "dt = 0.25 s")) << words;
  MaximalProjected hanging(pendulum(0), {.fixed_step = 1});
  EXPECT_TRUE(run(hanging, 100, 1000).ok());
  EXPECT_EQ(hanging.time(), 100);
}

// A corner of a signal takes an impulse; up to it the motion is smooth, and error control must not grope for it.
TEST(MaximalProjectedMessages, NameTheSignalThatHasACornerAndWhen) {
  const State start = start_of(R"((system (tx "cart" (mass 1) (ry "p" (tz -1 (mass 1))))
    (kinematic "cart" (samples (0 0) (1 1) (2 0) (linear)))))");
  MaximalProjected stepper(start.mechanism());
  stepper.set(start);
  const StepReport report = run(stepper, 3, 1000);
  EXPECT_EQ(report.t, 1);
  const std::string words = stepper.explain(report);
  EXPECT_TRUE(says(words, "t = 1 s") && says(words, "\"cart\"") && says(words, "impulse")) << words;
  EXPECT_LT(stepper.statistics().rejected, 10);
}

TEST(MaximalProjectedMessages, NameTheBodyThatHasNoInertiaAndThatNothingHolds) {
  MechanismBuilder b;
  // Two links of 1 m without mass, folded back: the particle at the end is on the axis of the first one, which may turn freely.
  b.gravity = {0, 0, 0};
  b.add_body({.name = "link", .mass = {}}).add_body({.name = "end", .mass = MassProperties::particle(1, {1, 0, 0})});
  b.add_joint({.name = "shoulder", .model = Revolute{}, .child = "link"});
  b.add_joint({.name = "elbow",
               .model = Revolute{},
               .parent = "link",
               .child = "end",
               .placement = LocalPlacement{at(1, 0, 0), at(0, 0, 0)}});
  b.set_initial({.coordinate = "elbow", .value = std::numbers::pi});
  MaximalProjected stepper(b.build());
  const StepReport report = stepper.step(1);
  EXPECT_EQ(report.status, StepReport::Status::not_finite);
  const std::string words = stepper.explain(report);
  EXPECT_TRUE((says(words, "\"link\"") || says(words, "\"end\"")) && says(words, "no inertia")) << words;
}

}  // namespace
}  // namespace polhode::projected
