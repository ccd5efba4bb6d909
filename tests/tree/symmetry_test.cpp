#include "polhode/tree/symmetry.h"

#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"

namespace polhode::tree {
namespace {

const MassProperties box = MassProperties::box(1, {0.3, 0.4, 0.5});

/// Two bodies, the second on a ball joint, the first on the given joint to Ground.
MechanismBuilder pair_on(const JointModel& root, const Vec3<double>& gravity = {0, 0, -9.81}) {
  MechanismBuilder builder;
  builder.gravity = gravity;
  builder.add_body({.name = "a", .mass = box}).add_body({.name = "b", .mass = box});
  builder.add_joint({.name = "root", .model = root, .child = "a", .placement = LocalPlacement{at(1, 2, 3), {}}});
  builder.add_joint(
      {.name = "link", .model = Ball{}, .parent = "a", .child = "b", .placement = LocalPlacement{at(0, 0, 1), {}}});
  builder.add_frame({.name = "post", .body = ground_name, .X_BF = at(0, 0, 5)});
  return builder;
}
int count(const MechanismBuilder& builder, bool angular) {
  int n = 0;
  for (const KeptMomentum& kept : kept_momenta(builder.build())) n += kept.angular == angular;
  return n;
}
void expect_kept(const MechanismBuilder& builder, int linear, int angular) {
  EXPECT_EQ(count(builder, false), linear);
  EXPECT_EQ(count(builder, true), angular);
}

TEST(Symmetry, WithoutGravityAFloatingMechanismKeepsAllSixMomenta) { expect_kept(pair_on(Free{}, {}), 3, 3); }

TEST(Symmetry, UnderGravityItKeepsWhatIsAcross) {
  expect_kept(pair_on(Free{}, {1, 2, -3}), 2, 1);
  for (const KeptMomentum& kept : kept_momenta(pair_on(Free{}, {1, 2, -3}).build())) {
    const Vec3<double> g{1, 2, -3};
    if (kept.angular)
      EXPECT_NEAR(norm(cross(kept.direction, g)), 0, 1e-14);
    else
      EXPECT_NEAR(dot(kept.direction, g), 0, 1e-14);
  }
}

TEST(Symmetry, ABallKeepsAngularMomentumAboutItsPoint) {
  expect_kept(pair_on(Ball{}, {}), 0, 3);
  const auto kept = kept_momenta(pair_on(Ball{}).build());
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_TRUE(kept[0].angular);
  EXPECT_NEAR(std::abs(kept[0].direction.z), 1, 1e-15);
  EXPECT_NEAR(norm(cross(kept[0].direction, kept[0].point - Vec3<double>{1, 2, 3})), 0, 1e-14);
}

TEST(Symmetry, APinDoesSoOnlyAlongGravity) {
  expect_kept(pair_on(Revolute{}), 0, 1);
  expect_kept(pair_on(Revolute{}, {0, -9.81, 0}), 0, 0);
  expect_kept(pair_on(Revolute{}, {}), 0, 1);
}

TEST(Symmetry, ForcesInsideChangeNothingAndThoseFromOutsideEverything) {
  const auto with = [](const ForceSpec& force) {
    MechanismBuilder builder = pair_on(Free{}, {});
    builder.add_force(force);
    return builder;
  };
  expect_kept(with({PointSpringSpec{"a", "b", 3, 0.1, 0.5}}), 3, 3);
  expect_kept(with({AttractionSpec{1, {}}}), 3, 3);
  expect_kept(with({PointSpringSpec{"post", "b", 3, 0.1}}), 0, 0);
  expect_kept(with({BodyForceSpec{"b", {1, 0, 0}}}), 0, 0);
  expect_kept(with({CoordinateForceSpec{"root.x", 1}}), 0, 0);
}

TEST(Symmetry, ConstraintsInsideChangeNothingAndThoseToGroundEverything) {
  const auto with = [](const ConstraintSpec& constraint) {
    MechanismBuilder builder = pair_on(Free{}, {});
    builder.add_frame({.name = "tip", .body = "b", .X_BF = at(0, 0.5, 0)});
    builder.add_constraint(constraint);
    return builder;
  };
  expect_kept(with({"", WireSpec{"a", "tip", 1}}), 3, 3);
  expect_kept(with({"", WireSpec{"post", "tip", 3}}), 0, 0);
}

TEST(Symmetry, AKinematicRootKeepsNothing) {
  MechanismBuilder builder = pair_on(Free{}, {});
  builder.add_kinematic({.coordinate = "root.x", .signal = Signal::sine(1, 1)});
  expect_kept(builder, 0, 0);
}

// Angular momentum about the point, from the one about Ground's origin.
TEST(Symmetry, ValueIsTheComponentAboutThePoint) {
  const KeptMomentum kept{true, {0, 0, 1}, {1, 2, 0}};
  const Wrench<double> momentum{{0, 0, 10}, {3, 4, 5}};
  EXPECT_DOUBLE_EQ(kept.of(momentum), 10 - (1 * 4.0 - 2 * 3.0));
}

}  // namespace
}  // namespace polhode::tree
