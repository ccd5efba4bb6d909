// What the stiff integrator is for, and what it keeps.
#include "tests/projected/mechanisms.h"
#include "tests/support/allocation_counter.h"

namespace polhode::projected {
namespace {

/// A pendulum on a ball joint with a light vane that a strong damper holds: rates from 1 to 1e5 per second.
Mechanism damped_vane() {
  MechanismBuilder b;
  b.add_body({.name = "arm", .mass = brick(1)}).add_body({.name = "vane", .mass = brick(0.1)});
  b.add_joint({.name = "ball", .model = Ball{}, .child = "arm", .placement = LocalPlacement{at(0, 0, 0), at(0, 0.1, 0.5)}});
  b.add_joint({.name = "hinge",
               .model = Revolute{},
               .parent = "arm",
               .child = "vane",
               .placement = LocalPlacement{at(0, 0, -0.4), at(0, 0.05, 0)}});
  b.add_force({CoordinateSpringSpec{"hinge", 50, 0.3}});
  b.add_force({CoordinateDampingSpec{"hinge", 100}});
  b.set_initial({.coordinate = "ball.wx", .speed = 1.0});
  b.set_initial({.coordinate = "ball.wz", .speed = 0.5});
  return b.build();
}

TEST(Cvode, NeedsTenTimesFewerEvaluationsOnAStiffMechanism) {
  const Mechanism m = damped_vane();
  const auto stiff = make_integrator(m, {.integrator = "cvode", .accuracy = 1e-5});
  const auto explicit_one = make_integrator(m, {.integrator = "rk5", .accuracy = 1e-5});
  for (Stepper* stepper : {stiff.get(), explicit_one.get()})
    while (stepper->time() < 1) ASSERT_TRUE(stepper->step(1).ok());
  // Evaluations for Jacobians by differences are counted.
  EXPECT_LT(10 * stiff->statistics().evaluations, explicit_one->statistics().evaluations)
      << stiff->statistics().evaluations << " " << explicit_one->statistics().evaluations;
  State a(m), b(m);
  stiff->get(a), explicit_one->get(b);
  EXPECT_LT(distance(a, b), 30 * 1e-5);
}

TEST(Cvode, KeepsQuaternionsUnit) {
  const Mechanism m = spatial_mechanism();
  const auto stepper = make_integrator(m, {.integrator = "cvode", .accuracy = 1e-4});
  State state(m);
  const auto expect_unit = [&] {
    for (const char* joint : {"free", "ball"}) {
      const std::size_t q = std::size_t(m.joints()[std::size_t(m.joint(joint))].first_q);
      EXPECT_NEAR(norm_squared(Quaternion<double>{state.q()[q], state.q()[q + 1], state.q()[q + 2], state.q()[q + 3]}), 1,
                  1e-14);
    }
  };
  while (stepper->time() < 5) {
    const StepReport step = stepper->step(5);
    ASSERT_TRUE(step.ok());
    stepper->get(state);
    expect_unit();
    stepper->interpolate(step.t - 0.3 * step.h, state);
    expect_unit();
  }
}

TEST(Cvode, AllocatesNothingInAStep) {
  const Mechanism m = spatial_mechanism();
  const auto stepper = make_integrator(m, {.integrator = "cvode"});
  State state(m);
  stepper->step(1e9);  // the first one sets up what CVODE has not set up before
  EXPECT_EQ(testing_support::allocations_in([&] {
              for (int i = 0; i < 200; ++i) {
                const StepReport step = stepper->step(1e9);
                stepper->interpolate(step.t - 0.5 * step.h, state);
              }
            }),
            0);
}

TEST(Cvode, RefusesFixedSteps) {
  try {
    make_integrator(pendulum(1), {.integrator = "cvode", .fixed_step = 0.1});
    FAIL() << "should refuse";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("cvode"), std::string::npos);
  }
}

}  // namespace
}  // namespace polhode::projected
