// One-sided springs and limit springs against closed forms, by every method.
#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/forces/one_sided_law.h"
#include "polhode/study/method_registry.h"
#include "tests/study/validation.h"
#include "tests/support/allocation_counter.h"

namespace polhode::study {
namespace {

constexpr double mass = 1, stiffness = 400, swing = 20, step = 1e-3;  // swing = sqrt(k/m) [rad/s]

TEST(OneSidedLaw, ActsOnOneSideAndDampingNeverTurnsItAround) {
  for (const double blend : {0.0, 0.1})
    for (const double dissipation : {0.0, 0.5, 30.0}) {
      const OneSidedLaw law{stiffness, blend, dissipation};
      for (double x = -0.5; x < 0.5; x += 0.011)
        for (const double rate : {-100.0, -1.0, 0.0, 1.0, 100.0}) {
          const double force = law.force(x, rate);
          if (x <= 0) {
            EXPECT_EQ(force, 0);
          } else {
            EXPECT_GE(force, 0);
            EXPECT_GE((force - law.force(x, 0.0)) * rate, 0);  // and it takes energy
          }
        }
    }
}

TEST(OneSidedLaw, BlendsFromNothingToItsStiffnessWithoutAJump) {
  const OneSidedLaw law{stiffness, 0.1, 0};
  const auto slope = [&](double x) { return law.force(Dual<double>{x, 1}, Dual<double>(0)).slope; };
  EXPECT_EQ(slope(-1e-9), 0);
  EXPECT_NEAR(slope(1e-9), 0, 1e-5);  // k x / w
  EXPECT_NEAR(slope(0.05), stiffness / 2, 1e-10);
  EXPECT_NEAR(slope(0.1 - 1e-9), stiffness, 1e-5);
  EXPECT_NEAR(slope(0.1 + 1e-9), stiffness, 1e-10);
  EXPECT_NEAR(law.energy(0.1 + 1e-9), law.energy(0.1 - 1e-9), 1e-7);  // force 20 N over 2e-9 m
  EXPECT_NEAR(law.energy(0.1), stiffness * 0.01 / 6, 1e-12);
}

// Where a spring sets in within a step, a method of second order misses an impulse of k v h^2 / 8 at most.
double missed_impulse(double speed) { return stiffness * speed * step * step / 8; }

// A bob falls freely, is caught by the rope, and comes back. It falls with x = (g/w^2) (1 - cos w t) + (v/w) sin w t beyond the
// rope's length, so it is caught for (2/w) (pi - atan(v w / g)).
TEST(ElasticRope, CatchesAFallingBobAndThrowsItBackByEveryMethod) {
  constexpr double slack = 0.5, length = 1;
  MechanismBuilder builder;
  builder.add_body({.name = "bob", .mass = MassProperties::particle(mass), .drawn_pose = at(0, 0, slack - length)});
  builder.add_force({ElasticRopeSpec{"ground", "bob", stiffness, length}});
  const State start = start_of(builder.build());
  const double v = std::sqrt(2 * standard_gravity * slack);
  const double period = 2 * v / standard_gravity + 2 / swing * (pi - std::atan(v * swing / standard_gravity));
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const Outcome outcome = run(start, {.method = method, .time = period, .dt = step});
    // Twice a missed impulse, and a phase error of (w h)^2/24 of the time in the rope: speeds change by g dt.
    const double error = 2 * missed_impulse(v) / mass + standard_gravity * period * square(swing * step) / 24;
    EXPECT_LT(norm(velocity(outcome.end, "bob")), 2 * error);
    EXPECT_NEAR(place(outcome.end, "bob").z, slack - length, 2 * error * v / standard_gravity);
    EXPECT_LT(std::abs(outcome.summary.energy_drift()), 4 * mass * v * missed_impulse(v) / mass + 1e-5);
  }
}

// A buffer throws a ball back: half a swing in touch, and flights before and after.
TEST(ElasticBuffer, ThrowsABallBackByEveryMethod) {
  constexpr double reach = 0.3, gap = 0.5, v = 2;
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "ball", .mass = MassProperties::particle(mass), .drawn_pose = at(reach + gap, 0, 0)});
  builder.add_force({ElasticBufferSpec{"ground", "ball", stiffness, reach}});
  builder.set_velocity({"ball", {{}, {-v, 0, 0}}});
  const State start = start_of(builder.build());
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const Outcome outcome = run(start, {.method = method, .time = 2 * gap / v + pi / swing, .dt = step});
    const double error = 2 * missed_impulse(v) / mass;
    EXPECT_NEAR(velocity(outcome.end, "ball").x, v, error);
    EXPECT_NEAR(place(outcome.end, "ball").x, reach + gap, error * gap / v + v * pi / swing * square(swing * step) / 24 + 1e-6);
  }
}

// A block slides to and fro between two ends; beyond either it makes half a swing.
TEST(LimitSpring, SendsABlockToAndFroByEveryMethod) {
  constexpr double v = 2, room = 0.6;
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "block", .mass = MassProperties::particle(mass)});
  builder.add_joint({.name = "rail", .model = Prismatic{}, .child = "block"});
  builder.add_force({LimitSpringSpec{"rail", -0.2, 0.4, stiffness}});
  builder.set_initial({"rail", 0.0, v});
  const State start = start_of(builder.build());
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const double period = 2 * room / v + 2 * pi / swing;
    const Outcome outcome = run(start, {.method = method, .time = period, .dt = step});
    const double error = 4 * missed_impulse(v) / mass;
    EXPECT_NEAR(speed(outcome.end, "rail'"), v, error);
    EXPECT_NEAR(coordinate(outcome.end, "rail"), 0, error * period + v * period * square(swing * step) / 24 + 1e-6);
  }
}

// F (1 + d dx/dt) takes, to first order in d, the work d times the integral of k x v(x) over the way in and out. On each of
// them v^2 = v0^2 - (k/m) x^2, so that this is d m v0^3 / 3.
TEST(LimitSpring, LosesTheEnergyOfItsDissipation) {
  constexpr double v = 1, dissipation = 1e-3;
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "block", .mass = MassProperties::particle(mass)});
  builder.add_joint({.name = "rail", .model = Prismatic{}, .child = "block"});
  builder.add_force({LimitSpringSpec{"rail", -1, 0.1, stiffness, 0, dissipation}});
  builder.set_initial({"rail", 0.0, v});
  const Outcome outcome = run(start_of(builder.build()), projected(0.2 + pi / swing, 1e-9));
  const double lost = 0.5 * mass * (v * v - square(speed(outcome.end, "rail'")));
  const double expected = 2 * dissipation * mass * v * v * v / 3;
  EXPECT_NEAR(lost, expected, 3 * dissipation * expected);  // the next order in d v
}

// A limit that is not touched at the start is known to be stiff: forces are implicit, and a step of five swings holds.
TEST(LimitSpring, MayBeStiffWithinAStepThoughSlackToBeginWith) {
  constexpr double hard = 1e6;  // sqrt(k/m) h = 5
  MechanismBuilder builder;
  builder.add_body({.name = "block", .mass = MassProperties::particle(mass)});
  builder.add_joint({.name = "fall", .model = Prismatic{}, .child = "block"});
  builder.add_force({LimitSpringSpec{"fall", -0.01, 1, hard, 0, 0.5}});
  builder.add_force({CoordinateDampingSpec{"fall", 200, 0}});
  for (const char* method : {"tree-variational", "maximal-variational"}) {
    SCOPED_TRACE(method);
    const Outcome outcome = run(start_of(builder.build()), {.method = method, .time = 1, .dt = 5e-3});
    EXPECT_NEAR(coordinate(outcome.end, "fall"), -0.01 - mass * standard_gravity / hard, 2e-6);
  }
}

TEST(ElasticForces, AllocateNothingInAStep) {
  MechanismBuilder builder;
  builder.add_body({.name = "a", .mass = MassProperties::box(1, {0.2, 0.3, 0.4}), .drawn_pose = at(1, 0, 0)});
  builder.add_body({.name = "b", .mass = MassProperties::box(1, {0.2, 0.3, 0.4})});
  builder.add_joint({.name = "pin", .model = Revolute{}, .child = "b"});
  builder.add_force({ElasticRopeSpec{"a", "ground", 50, 0.8, 0.1, 0.2}});
  builder.add_force({ElasticBufferSpec{"a", "b", 50, 1.5, 0.1, 0.2}});
  builder.add_force({LimitSpringSpec{"pin", -0.1, 0.1, 50, 0.1, 0.2}});
  builder.add_force(
      {BushingForceSpec{"a", "b", Symmetric6::diagonal({9, 8, 7, 3, 2, 1}), Symmetric6::diagonal({1, 1, 1, 1, 1, 1})}});
  const State start = start_of(builder.build());
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const auto stepper = make_stepper(start.mechanism(), {.method = method, .dt = 1e-3});
    stepper->set(start);
    for (int i = 0; i < 20; ++i) stepper->step(10);
    EXPECT_EQ(testing_support::allocations_in([&] {
                for (int i = 0; i < 20; ++i) stepper->step(10);
              }),
              0);
  }
}

}  // namespace
}  // namespace polhode::study
