// Forces in maximal-variational: stiff ones, those that a State applies.
#include "tests/variational/maximal/maximal.h"

namespace polhode::variational {
namespace {

/// A box on a spring and a damper to Ground along z.
State box_on_spring(double k, double c) {
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "box", .mass = MassProperties::box(2, {0.1, 0.2, 0.3}), .drawn_pose = at(0, 0, 1.1)});
  builder.add_joint({.name = "rail",
                     .model = Prismatic{},
                     .child = "box",
                     .placement = DrawnPlacement{.at = {0, 0, 1.1}, .axis = Vec3<double>{0, 0, 1}}});
  builder.add_frame({.name = "post", .body = ground_name});
  builder.add_force({PointSpringSpec{"post", "box", k, 1, c}});
  return tree::initial_state(builder.build());
}

TEST(MaximalForces, FollowSoftSprings) {
  // x = 0.1 cos(w t), w = sqrt(k/m); steps of order two at h w = 0.1 have an error of (h w)^2/24 of the phase.
  const double w = 10, h = 0.01, t = 3;
  const State end = end_of_run(box_on_spring(2 * w * w, 0), t, MaximalVariationalOptions{.step = h});
  EXPECT_NEAR(end.q()[0] + 0.1, 0.1 * std::cos(w * t), 0.1 * w * t * square(h * w) / 24 * 1.1);
}

TEST(MaximalForces, DoNotBlowUpWhereSpringsAreStiffWithinAStep) {
  // h w = 10: motion as fast as that cannot be followed, but its energy is that of the midpoint rule, which never grows.
  const State start = box_on_spring(2e6, 0);
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01});
  const double energy = reached(stepper, start.mechanism()).energy();
  double most = 0;
  run(stepper, 20, [&] { most = std::max(most, reached(stepper, start.mechanism()).energy()); });
  EXPECT_LT(most, 1.0001 * energy);
}

TEST(MaximalForces, DampHoweverStiffly) {
  // c h/m = 50 at the start of a slide: the midpoint rule multiplies the speed by (1 - 25)/(1 + 25) in every step.
  for (const double c : {1e2, 1e4}) {
    State start = box_on_spring(0, c);
    start.set_u(0, 3);
    MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01});
    const double factor = (1 - 0.5 * 0.01 * c / 2) / (1 + 0.5 * 0.01 * c / 2);
    run(stepper, 0.2);
    EXPECT_EQ(stepper.statistics().halved, 0);
    // At nodes: the step's velocities are 3/(1 + c h/2m) times powers of the factor.
    EXPECT_NEAR(reached(stepper, start.mechanism()).u()[0], 3 * std::pow(factor, 20), 1e-9 * 3) << c;
  }
}

TEST(MaximalForces, AreThoseOfAStateToo) {
  // A torque on a wheel: steady angular acceleration, exact with forces that are constant.
  MechanismBuilder builder;
  builder.add_body({.name = "wheel", .mass = {1, {}, SymMat3<double>::diagonal({0.2, 0.2, 0.3})}});
  builder.add_joint({.name = "axle", .model = Revolute{}, .child = "wheel"});
  State start = tree::initial_state(builder.build());
  start.set_applied_force(0, 0.6);
  const State end = end_of_run(start, 2, MaximalVariationalOptions{.step = 0.01});
  EXPECT_NEAR(end.u()[0], 2 * 2, 1e-10);
  EXPECT_NEAR(end.q()[0], 2 * 2 * 2 / 2.0, 1e-9);
}

TEST(MaximalForces, KeepMomentumAlsoAtTheMiddleOfSteps) {
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "a", .mass = MassProperties::box(1.5, {0.4, 0.5, 0.6})});
  builder.add_body({.name = "b", .mass = MassProperties::box(1.5, {0.4, 0.5, 0.6}), .drawn_pose = at(0, 0, 1)});
  builder.add_frame({.name = "a.eye", .body = "a", .X_BF = at(0.3, 0.1, 0)});
  builder.add_frame({.name = "b.eye", .body = "b", .X_BF = at(0, -0.2, 0.2)});
  builder.add_force({PointSpringSpec{"a.eye", "b.eye", 1e6, std::sqrt(0.09 + 0.09 + 1.44), 5}});
  const Mechanism mechanism = builder.build();
  State start = tree::initial_state(mechanism);
  start.set_u(testing_support::Random(3).vector(mechanism.num_u(), 1.0));
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01});
  const Wrench<double> before = reached(stepper, start.mechanism()).momentum();
  run(stepper, 5);
  const Wrench<double> after = reached(stepper, start.mechanism()).momentum();
  EXPECT_NEAR(norm(after.force - before.force), 0, 1e-10);
  EXPECT_NEAR(norm(after.moment - before.moment), 0, 1e-9);
}

TEST(MaximalForces, OfStiffDampersLeaveSpeedsAcrossThemAlone) {
  // A mass that moves across a damper of c h/m = 1e4: the damper must not kick it along when its direction has turned.
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "mass", .mass = MassProperties::particle(1), .drawn_pose = at(1, 0, 0)});
  builder.add_frame({.name = "post", .body = ground_name});
  builder.add_force({PointSpringSpec{"post", "mass", 10, 1, 1e6}});
  const Mechanism mechanism = builder.build();
  State start = tree::initial_state(mechanism);
  start.set_u(mechanism.num_u() - 2, 1);  // along y
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01});
  const double energy = reached(stepper, mechanism).energy();
  run(stepper, 1, [&] { EXPECT_LT(reached(stepper, mechanism).energy(), 1.01 * energy); });
  // It goes round at nearly constant speed.
  EXPECT_GT(reached(stepper, mechanism).energy(), 0.9 * energy);
}

}  // namespace
}  // namespace polhode::variational
