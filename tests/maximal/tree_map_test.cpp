// Tree coordinates and bodies with coordinates of their own describe the same mechanism.
#include "polhode/maximal/tree_map.h"

#include <gtest/gtest.h>

#include "polhode/mechanism/reversed_joint.h"
#include "polhode/tree/dynamics.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::maximal {
namespace {

using testing_support::near;
using testing_support::random_mechanism;
using testing_support::random_state;

// About 22 transforms, each with rounding of a few eps on arms of some metres.
constexpr double rounding = 1e-12;

TEST(TreeMap, PutsBodiesWhereTheTreeHasThem) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const Mechanism m = random_mechanism(seed);
    const auto s = random_state(m, seed);
    Bodies bodies;
    to_bodies(m, s.q, s.u, bodies);
    tree::Workspace w(m);
    tree::kinematics(w, s.q, s.u);
    for (int b = 0; b < m.num_bodies(); ++b) {
      EXPECT_TRUE(near(pose_of_body(m, b, bodies[b]), tree::pose(w, b), rounding));
      const Motion<double> V_WB = tree::velocity(w, b);
      const Vec3<double> p_BC_W = tree::pose(w, b).R * m.bodies()[b].mass.com;
      EXPECT_TRUE(near(velocity_of(bodies[b], tree::pose(w, b).R), shifted(V_WB, p_BC_W), rounding, 1));
    }
  }
}

TEST(TreeMap, ComesBackToTheCoordinatesThatItStartedFrom) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const Mechanism m = random_mechanism(seed);
    const auto s = random_state(m, seed);
    Bodies bodies;
    to_bodies(m, s.q, s.u, bodies);
    std::vector<double> q = s.q, u(s.u.size());
    to_tree(m, bodies, q, u);
    // Users' joints and function-based ones search for their coordinates, to about 1e-9.
    EXPECT_TRUE(near(q, s.q, 1e-8));
    EXPECT_TRUE(near(u, s.u, 1e-8));
  }
}

/// One body on a joint to Ground, with frames that are nowhere special.
Mechanism on_one_joint(const JointModel& model, bool reversed) {
  testing_support::Random random(5);
  MechanismBuilder builder;
  builder.add_body({.name = "body", .mass = MassProperties::box(1, {1, 2, 3}, {0.1, 0.2, 0.3})});
  builder.add_joint({.name = "joint",
                     .model = model,
                     .child = "body",
                     .placement = LocalPlacement{random.transform(1), random.transform(1)},
                     .reversed = reversed});
  return builder.build();
}

/// The coordinates after a trip through the bodies, with `guess` near by.
std::vector<double> read_back(const Mechanism& m, const std::vector<double>& q, std::vector<double> guess) {
  const std::vector<double> u(m.num_u(), 0.0);
  std::vector<double> no_speeds = u;
  Bodies bodies;
  to_bodies(m, q, u, bodies);
  to_tree(m, bodies, guess, no_speeds);
  return guess;
}

TEST(TreeMap, CountsAnglesOnFromThoseNearBy) {
  const std::vector<std::pair<JointModel, std::vector<double>>> cases = {
      {Revolute{}, {40.0}},
      {Screw{0.2}, {-31.0}},
      {Cylindrical{}, {-25.0, 7.3}},
      {Universal{}, {14.0, -9.0}},
      {Planar{}, {11.0, 9.0, -8.0}},
      {BendStretch{}, {33.0, 8.0}},
      {SphericalCoordinates{}, {-17.0, 12.0, 7.5}},
      {Gimbal{}, {20.0, -0.4, 13.0}},
      {Gimbal{}, {20.0, 2.5, 13.0}},  // beyond the singular place
      {Bushing{}, {8.0, 6.9, -7.0, 7.0, 8.0, 9.0}},
      {Prismatic{}, {40.0}},
      {Translation{}, {7.0, 8.0, 9.0}},
  };
  for (const auto& [model, q] : cases)
    for (const bool reversed : {false, true}) {
      SCOPED_TRACE(type_name(model));
      std::vector<double> guess = q;
      for (double& x : guess) x += 0.3;
      EXPECT_TRUE(near(read_back(on_one_joint(model, reversed), q, guess), q, rounding));
    }
}

// A body turns about a steady axis and passes its gimbal's singular place at a distance: read off in a thousand places on the
// way, no angle changes by much from one to the next; read off in a few, angles must be the same. At 0.003 rad the first and
// the third turn by half a turn within a hundredth of the way.
TEST(TreeMap, FollowsAGimbalPastItsSingularPlace) {
  for (const JointModel& model : {JointModel(Gimbal{}), JointModel(Bushing{})})
    for (const bool reversed : {false, true})
      for (const double distance : {0.3, 0.03, 0.003}) {
        MechanismBuilder builder;
        builder.add_body({.name = "b", .mass = MassProperties::box(1, {0.3, 0.2, 0.1}, {})});
        builder.add_joint({.name = "g", .model = model, .child = "b", .reversed = reversed});
        const Mechanism m = builder.build();
        const TreeMap map(m);
        // From half a radian before the place that is nearest, where the second angle is a quarter turn less the distance.
        // About the axis of M that is then across the gimbal's second and third axes the second angle is stationary.
        const Mat3<double> nearest = rotation_body_xyz(Vec3<double>{0.4, pi / 2 - distance, -0.7});
        const Vec3<double> across = transpose(rotation_z(-0.7)) * Vec3<double>{1, 0, 0};
        const auto end_of = [&](int pieces) {
          std::vector<double> q(std::size_t(m.num_q())), u(std::size_t(m.num_u()));
          for (int i = 0; i <= pieces; ++i) {
            const Mat3<double> turned = nearest * rotation_about(across, i * 1.0 / pieces - 0.5);
            Bodies bodies(2);
            bodies[1].r = quaternion(reversed ? transpose(turned) : turned);
            if (i == 0) map.to_tree(bodies, q, u);
            map.to_tree(bodies, q, u);
          }
          return q;
        };
        const std::vector<double> fine = end_of(100000), coarse = end_of(7);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(coarse[i], fine[i], 1e-9) << m.joints()[1].name << distance << i;
      }
}

TEST(TreeMap, KeepsTheSignOfQuaternions) {
  const std::vector<std::pair<JointModel, std::vector<double>>> cases = {
      {Ball{}, {-0.5, 0.5, -0.5, 0.5}},
      {Ellipsoid{{1, 2, 3}}, {-0.5, 0.5, -0.5, 0.5}},
      {LineOrientation{}, {-0.5, 0.5, -0.5, 0.5}},
      {Free{}, {-0.5, 0.5, -0.5, 0.5, 3, -4, 5}},
      {FreeLine{}, {-0.5, 0.5, -0.5, 0.5, 3, -4, 5}},
  };
  for (const auto& [model, q] : cases)
    for (const bool reversed : {false, true}) {
      SCOPED_TRACE(type_name(model));
      EXPECT_TRUE(near(read_back(on_one_joint(model, reversed), q, q), q, rounding));
    }
}

// A body that slipped off its pin sideways still turns by the same angle and speed.
TEST(TreeMap, ReadsTheNearestAngleWhereABodySlippedOffItsPin) {
  const Mechanism m = on_one_joint(Revolute{}, false);
  Bodies bodies;
  to_bodies(m, std::vector{0.7}, std::vector{2.0}, bodies);
  bodies[1].x += Vec3<double>{0.01, -0.02, 0.03};
  bodies[1].v += Vec3<double>{0.1, -0.2, 0.3};
  std::vector<double> q{0.5}, u{0};
  to_tree(m, bodies, q, u);
  EXPECT_NEAR(q[0], 0.7, 1e-14);
  EXPECT_NEAR(u[0], 2, 1e-14);
}

// With a lead of 1 mm a turn, a slip of a millimetre is not another turn.
TEST(TreeMap, CountsAScrewsTurnsByItsAngle) {
  const Mechanism m = on_one_joint(Screw{0.001 / (2 * pi)}, false);
  Bodies bodies;
  to_bodies(m, std::vector{20.0}, std::vector{0.0}, bodies);
  bodies[1].x += Vec3<double>{0.001, 0.001, 0.001};
  std::vector<double> q{19.5}, u{0};
  to_tree(m, bodies, q, u);
  EXPECT_NEAR(q[0], 20, 1e-13);
}

// W[k] . H[l] = 1 if k = l, else 0.
TEST(JointCoordinates, HaveDualsOfTheirHingeColumns) {
  testing_support::Random random(8);
  for (const JointModel& model : testing_support::every_joint_type(random))
    for (const bool reversed : {false, true}) {
      SCOPED_TRACE(type_name(model));
      const Mechanism m = on_one_joint(model, reversed);
      const std::vector<double> q = random_state(m, 9).q;
      const JointCoordinates joint(m, 1);
      Motion<double> H[6];
      Wrench<double> W[6];
      std::visit([&](const auto& j) { joint_hinge(j, reversed, q.data(), H); }, model);
      joint.duals(std::visit([&](const auto& j) { return joint_pose(j, reversed, q.data()); }, model), q.data(), W);
      for (int k = 0; k < m.num_u(); ++k)
        for (int l = 0; l < m.num_u(); ++l) EXPECT_NEAR(dot(W[k], H[l]), k == l ? 1 : 0, 1e-13) << k << " " << l;
    }
}

TEST(TreeMap, DoesNotAllocate) {
  const Mechanism m = random_mechanism(3);
  const auto s = random_state(m, 3);
  const TreeMap map(m);
  Bodies bodies;
  map.to_bodies(s.q, s.u, bodies);
  std::vector<double> q = s.q, u = s.u;
  EXPECT_EQ(testing_support::allocations_in([&] {
              map.to_bodies(s.q, s.u, bodies);
              map.to_tree(bodies, q, u);
            }),
            0);
}

}  // namespace
}  // namespace polhode::maximal
