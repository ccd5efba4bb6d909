#include "tests/projected/mechanisms.h"

#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "polhode/tree/realize.h"
#include "tests/support/allocation_counter.h"

namespace polhode::projected {
namespace {

TEST(TreeProjected, HasThePeriodOfThePendulumFromHorizontal) {
  // From rest at 90 degrees: T = 4 K(1/sqrt 2) sqrt(l/g), K from the arithmetic-geometric mean: 2.3678419475762 s for g = 9.81
  // (IFToMM benchmark A01, ../shared/validation.md). After one period the angle is back with zero rate.
  const double period = 2.3678419475762;
  const State state = run(pendulum(pi / 2), {.accuracy = 1e-12}, period);
  EXPECT_NEAR(state.q()[0], pi / 2, 1e-9);
  EXPECT_NEAR(state.u()[0], 0, 1e-8);
}

TEST(TreeProjected, KeepsTheFreeSymmetricTopOnItsPrecession) {
  // J = diag(1, 1, 2), no torque: in body axes w = (a cos st, a sin st, c) with s = (Jz - J)/J c; the axis precesses about
  // the fixed angular momentum L at the rate |L|/J.
  MechanismBuilder b;
  b.gravity = {0, 0, 0};
  b.add_body({.name = "top", .mass = {1, {}, SymMat3<double>::diagonal({1, 1, 2})}});
  b.add_joint({.name = "ball", .model = Ball{}, .child = "top"});
  b.set_initial({.coordinate = "ball.wx", .speed = 0.4});
  b.set_initial({.coordinate = "ball.wz", .speed = 3.0});
  const Mechanism m = b.build();
  const double t = 7.3;
  State state = run(m, {.accuracy = 1e-11}, t);
  tree::realize(state, Stage::velocity);

  const Vec3<double> L{0.4, 0, 6.0};
  const Vec3<double> axis0{0, 0, 1};
  const Vec3<double> expected = rotation_about(normalized(L), norm(L) / 1.0 * t) * axis0;
  EXPECT_LT(norm(state.pose(1).R.col[2] - expected), 1e-8);
  EXPECT_LT(norm(state.momentum().moment - L), 1e-9);
}

TEST(TreeProjected, KeepsQuaternionsUnitAndAngularMomentumOfAFloatingMechanism) {
  MechanismBuilder b;
  b.gravity = {0, 0, 0};
  b.add_body({.name = "base", .mass = brick(2)}).add_body({.name = "arm", .mass = brick(1)});
  b.add_joint({.name = "ball",
               .model = Ball{},
               .parent = "base",
               .child = "arm",
               .placement = LocalPlacement{at(0, 0, 0.3), at(0, 0.1, 0.3)}});
  b.set_initial({.coordinate = "base.wx", .speed = 2.0});
  b.set_initial({.coordinate = "base.vy", .speed = 0.5});
  b.set_initial({.coordinate = "ball.wy", .speed = -4.0});
  const Mechanism m = b.build();
  State start(m);
  tree::realize(start, Stage::velocity);
  State end = run(m, {.accuracy = 1e-10}, 20.0);
  tree::realize(end, Stage::velocity);
  for (const char* joint : {"base", "ball"}) {
    const int q = m.joints()[m.joint(joint)].first_q;
    EXPECT_NEAR(norm_squared(Quaternion<double>{end.q()[q], end.q()[q + 1], end.q()[q + 2], end.q()[q + 3]}), 1, 1e-15 * 4);
  }
  EXPECT_LT(norm(end.momentum().moment - start.momentum().moment), 1e-8);
  EXPECT_LT(norm(end.momentum().force - start.momentum().force), 1e-8);
}

TEST(TreeProjected, TakesFixedStepsThatAddUpExactly) {
  const auto stepper = make_integrator(pendulum(0.1), {.fixed_step = 0.1});
  for (int i = 0; i < 100000; ++i) ASSERT_TRUE(stepper->step(1e9).ok());
  EXPECT_DOUBLE_EQ(stepper->time(), 10000);
  EXPECT_EQ(stepper->statistics().steps, 100000);
  EXPECT_EQ(stepper->statistics().rejected, 0);
}

TEST(TreeProjected, StopsAtTheTimeAskedFor) {
  const auto fixed = make_integrator(pendulum(0.1), {.fixed_step = 0.3}), adaptive = make_integrator(pendulum(0.1));
  while (fixed->time() < 1.0) fixed->step(1.0);
  while (adaptive->time() < 1.0) adaptive->step(1.0);
  EXPECT_EQ(fixed->time(), 1.0);
  EXPECT_EQ(fixed->statistics().steps, 4);
  EXPECT_EQ(adaptive->time(), 1.0);
}

TEST(TreeProjected, AllocatesNothingInAStep) {
  const Mechanism m = spatial_mechanism();
  for (const std::string_view integrator : integrator_names()) {
    if (integrator == "cvode") continue;  // see stiff_test.cpp
    for (const std::optional<double> fixed : {std::optional<double>(0.01), std::optional<double>()}) {
      const auto stepper = make_integrator(m, {.integrator = std::string(integrator), .fixed_step = fixed});
      State state(m);
      EXPECT_EQ(testing_support::allocations_in([&] {
                  for (int i = 0; i < 100; ++i) {
                    const StepReport step = stepper->step(1e9);
                    stepper->interpolate(step.t - 0.5 * step.h, state);
                    stepper->get(state);
                  }
                }),
                0)
          << integrator;
    }
  }
}

TEST(TreeProjected, NamesTheIntegratorThatIsNotKnown) {
  try {
    make_integrator(pendulum(0.1), {.integrator = "mersn"});
    FAIL() << "should refuse";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("mersn"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("did you mean \"merson\""), std::string::npos) << e.what();
  }
}

TEST(TreeProjected, RefusesOptionsThatMakeNoSense) {
  const Mechanism m = pendulum(0.1);
  EXPECT_THROW(make_integrator(m, {.accuracy = 0}), std::invalid_argument);
  EXPECT_THROW(make_integrator(m, {.accuracy = std::nan("")}), std::invalid_argument);
  EXPECT_THROW(make_integrator(m, {.fixed_step = -0.1}), std::invalid_argument);
  EXPECT_THROW(make_integrator(m, {.fixed_step = HUGE_VAL}), std::invalid_argument);
}

/// Pushes harder and harder, then with a number that is none.
class Explosion : public ForceElement {
 public:
  void add_forces(const Configuration& c, AppliedForces& f) const override {
    f.generalized[0] += c.t > 0.5 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  }
};

TEST(TreeProjected, StopsAtTheFirstNumberThatIsNotFiniteAndKeepsTheLastGoodState) {
  for (const auto& options : {Options{.fixed_step = 0.01}, Options{}}) {
    MechanismBuilder b;
    b.add_body({.name = "bob", .mass = MassProperties::particle(1, {0, 0, -1})});
    b.add_joint({.name = "pin",
                 .model = Revolute{},
                 .child = "bob",
                 .placement = DrawnPlacement{.at = {}, .axis = Vec3<double>{0, 1, 0}}});
    b.add_force_element([](const Mechanism&) { return std::make_shared<Explosion>(); });
    const Mechanism m = b.build();
    const auto stepper = make_integrator(m, options);
    StepReport report;
    while ((report = stepper->step(2.0)).ok()) ASSERT_LT(stepper->time(), 1.0);
    EXPECT_NE(report.status, StepReport::Status::done);
    EXPECT_NEAR(stepper->time(), 0.5, 0.011);
    EXPECT_NE(stepper->explain(report).find("pin'"), std::string::npos) << stepper->explain(report);
    State last(m);
    stepper->get(last);
    EXPECT_TRUE(std::isfinite(last.q()[0]) && std::isfinite(last.u()[0]));
    EXPECT_FALSE(stepper->step(2.0).ok()) << "and it stays there";
  }
}

/// A force that throws after a certain time.
class Fuse final : public ForceElement {
 public:
  void add_forces(const Configuration& c, AppliedForces&) const override {
    if (c.t > 0.05) throw std::runtime_error("blown");
  }
};

TEST(TreeProjected, StaysAtItsLastGoodStateWhenAUsersForceThrows) {
  MechanismBuilder b;
  b.add_body({.name = "stone", .mass = MassProperties::particle(1)});
  b.add_force({ForceFactory([](const Mechanism&) { return std::make_shared<Fuse>(); }), {}});
  const Mechanism m = b.build();
  for (const bool fixed : {true, false}) {
    Options options{.largest_step = 0.02};
    if (fixed) options.fixed_step = 0.02;
    const auto stepper = make_integrator(m, options);
    State state(m);
    stepper->set(state);
    EXPECT_THROW(while (stepper->time() < 1) stepper->step(1), std::runtime_error);
    stepper->get(state);
    EXPECT_GT(state.time(), 0.02);
    // Free fall, which a method of order five follows to rounding.
    EXPECT_NEAR(state.q()[2], -0.5 * 9.81 * state.time() * state.time(), 1e-15);
    EXPECT_NEAR(state.u()[2], -9.81 * state.time(), 1e-14);
  }
}

TEST(TreeProjected, RefusesStatesOfAnotherMechanism) {
  const Mechanism m = pendulum(1), other = pendulum(1);
  const auto stepper = make_integrator(m, {});
  State foreign(other);
  EXPECT_THROW(stepper->set(foreign), std::invalid_argument);
  EXPECT_THROW(stepper->get(foreign), std::invalid_argument);
  EXPECT_THROW(stepper->interpolate(0, foreign), std::invalid_argument);
}

TEST(TreeProjected, GoesNeitherBackInTimeNorToNoTime) {
  const Mechanism m = pendulum(1);
  for (const bool fixed : {true, false}) {
    Options options;
    if (fixed) options.fixed_step = 0.1;
    const auto stepper = make_integrator(m, options);
    State state(m);
    stepper->set(state);
    ASSERT_TRUE(stepper->step(0.1).ok());
    const double reached = stepper->time();
    for (const double limit : {-1.0, std::nan("")}) {
      const StepReport report = stepper->step(limit);
      EXPECT_EQ(report.status, StepReport::Status::limit_passed);
      EXPECT_NE(stepper->explain(report).find("before the current time"), std::string::npos);
      EXPECT_EQ(stepper->time(), reached);
    }
    EXPECT_THROW(stepper->interpolate(-5, state), std::out_of_range);
    EXPECT_THROW(stepper->interpolate(std::nan(""), state), std::out_of_range);
    EXPECT_TRUE(stepper->step(1).ok());
  }
}

}  // namespace
}  // namespace polhode::projected
