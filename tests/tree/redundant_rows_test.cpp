// Which rows of the Jacobian are nothing but rounding, judged by what they are made of.
#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "polhode/tree/constrained_dynamics.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/realize.h"
#include "tests/support/near.h"
#include "tests/support/random.h"

namespace polhode::tree {
namespace {

using testing_support::largest;
using testing_support::Random;

Vec3<double> random_vector(Random& random) {
  const auto n = random.vector(3, 1);
  return {n[0], n[1], n[2]};
}

std::vector<double> jacobian(const Mechanism& mechanism, const std::vector<double>& q) {
  const Constraints constraints(mechanism);
  Workspace w(mechanism);
  positions(w, q);
  std::vector<double> values(std::size_t(constraints.num_entries()));
  constraints.jacobian(w, 0, q, values);
  return values;
}

/// A door on a wall that swings, held twice on one line.
Mechanism door(const Vec3<double>& place, const Vec3<double>& axis, double distance, const JointModel& second) {
  MechanismBuilder builder;
  builder.add_body({.name = "wall", .mass = MassProperties::box(3, {0.2, 0.3, 1})});
  builder.add_body({.name = "door", .mass = MassProperties::box(1, {0.5, 0.02, 1})});
  builder.add_joint(
      {.name = "swing", .child = "wall", .placement = DrawnPlacement{.at = place, .axis = Vec3<double>{1, 2, 3}}});
  builder.add_joint(
      {.name = "hinge", .parent = "wall", .child = "door", .placement = DrawnPlacement{.at = place, .axis = axis}});
  builder.add_joint({.name = "second",
                     .model = second,
                     .parent = "wall",
                     .child = "door",
                     .placement = DrawnPlacement{.at = place + distance * axis, .axis = axis}});
  return builder.build();
}

TEST(RedundantRows, AreZeroOnAnyLine) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random{seed};
    const Vec3<double> place = random_vector(random), axis = random_vector(random);
    const double distance = random.vector(1, 2)[0];
    for (const JointModel& second : {JointModel(Revolute{}), JointModel(Cylindrical{}), JointModel(Ball{})})
      EXPECT_EQ(largest(jacobian(door(place, axis, distance, second), random.vector(2, 3))), 0);
  }
}

// A crank of `size` on a carrier far from Ground's origin, its tip held on a line: nothing of it is redundant, however small.
TEST(RedundantRows, AreNotThoseOfSmallPartsOnLargeOnesFarAway) {
  for (const double size : {1e-5, 1e-3, 1.0})
    for (const double away : {0.0, 1e4}) {
      SCOPED_TRACE(testing::Message() << size << " m, " << away << " m away");
      MechanismBuilder builder;
      builder.add_body({.name = "carrier", .mass = MassProperties::box(100, {10, 10, 10})});
      builder.add_body({.name = "crank", .mass = MassProperties::rod(1, {size, 0, 0})});
      builder.add_joint({.name = "rail",
                         .model = Prismatic{},
                         .child = "carrier",
                         .placement = LocalPlacement{at(away, away, 0), at(0, 0, 0)}});
      builder.add_joint({.name = "pin", .parent = "carrier", .child = "crank"});
      builder.add_frame({.name = "tip", .body = "crank", .X_BF = at(size, 0, 0)});
      builder.add_constraint({"", PointInPlaneSpec{"carrier", "tip", {1, 0, 0}}});
      const Mechanism mechanism = builder.build();
      const auto values = jacobian(mechanism, {0.3, 1.2});
      // d(size cos q)/dt; positions of 1e4 m are stored with 1e-12 m, of which a tenth may be lost.
      EXPECT_NEAR(largest(values), size * std::sin(1.2), 1e-15 + 1e-11 * (away > 0 ? 1 : 0));
    }
}

// Hinges that miss each other's line by a millionth allow, to first order, what one hinge alone allows.
TEST(RedundantRows, OfAxesThatMissALittleChangeNoAcceleration) {
  const Vec3<double> place{0.3, -0.2, 0.5}, axis{0, 0.8, 0.6};
  const auto acceleration = [&](double miss, bool held) {
    MechanismBuilder builder;
    builder.add_body({.name = "door", .mass = MassProperties::box(1, {0.5, 0.02, 1})});
    builder.add_joint({.name = "hinge", .child = "door", .placement = DrawnPlacement{.at = place, .axis = axis}});
    const Vec3<double> beside{miss, 0, 0};
    if (held)
      builder.add_joint({.name = "second",
                         .child = "door",
                         .placement = DrawnPlacement{.at = place + 0.5 * axis + beside, .axis = axis + beside}});
    State state = initial_state(builder.build());
    state.set_q(0, 0.4), state.set_u(0, 1.5);
    realize(state, Stage::acceleration);
    return state.u_dot()[0];
  };
  const double alone = acceleration(0, false);
  for (const double miss : {0.0, 3e-12, 1e-9, 1e-6}) EXPECT_NEAR(acceleration(miss, true), alone, 1e-12 * std::abs(alone));
}

}  // namespace
}  // namespace polhode::tree
