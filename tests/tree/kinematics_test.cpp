#include <gtest/gtest.h>

#include "polhode/tree/dynamics.h"
#include "tests/oracle/oracle.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using testing_support::random_mechanism;
using testing_support::random_state;

// Sweeps and oracle multiply some twenty transforms, each with a few roundings of relative size 1e-16; velocities and
// accelerations sum as many terms again. 1e-13 would hold; one digit is left for unlucky cancellation.
constexpr double rounding = 1e-12;
constexpr unsigned seeds[] = {1, 2, 3, 4, 5, 6, 7, 8};

TEST(Kinematics, AgreesWithDifferentiatedTransformProducts) {
  for (const unsigned seed : seeds) {
    const Mechanism mechanism = random_mechanism(seed);
    const auto s = random_state(mechanism, seed);
    const auto expected = oracle::motions(mechanism, s.q, s.u, s.u_dot);
    Workspace w(mechanism);
    kinematics(w, s.q, s.u);
    accelerations(w, s.u_dot);
    for (int b = 0; b < mechanism.num_bodies(); ++b) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", body " << b << ", " << type_name(mechanism.joints()[b].model)
                                      << (mechanism.joints()[b].reversed ? ", reversed" : ""));
      EXPECT_TRUE(near(pose(w, b), expected[b].X_WB, rounding));
      EXPECT_TRUE(near(velocity(w, b), expected[b].V_WB, rounding, 1));
      EXPECT_TRUE(near(acceleration(w, b), expected[b].A_WB, rounding, 1));
    }
  }
}

TEST(Kinematics, PositionsAloneGiveTheSamePoses) {
  const Mechanism mechanism = random_mechanism(11);
  const auto s = random_state(mechanism, 11);
  Workspace with_velocities(mechanism), without(mechanism);
  kinematics(with_velocities, s.q, s.u);
  positions(without, s.q);
  for (int b = 0; b < mechanism.num_bodies(); ++b) EXPECT_EQ(pose(without, b), pose(with_velocities, b));
}

TEST(Kinematics, LeavesNothingOfAnEarlierCallInTheWorkspace) {
  const Mechanism mechanism = random_mechanism(12);
  const auto first = random_state(mechanism, 1), second = random_state(mechanism, 2);
  Workspace used(mechanism), fresh(mechanism);
  std::vector<double> out(mechanism.num_u());
  forward_dynamics(used, first.q, first.u, first.tau, out);
  kinematics(used, second.q, second.u);
  accelerations(used, second.u_dot);
  kinematics(fresh, second.q, second.u);
  accelerations(fresh, second.u_dot);
  for (int b = 0; b < mechanism.num_bodies(); ++b) {
    EXPECT_EQ(pose(used, b), pose(fresh, b));
    EXPECT_EQ(testing_support::numbers(velocity(used, b)), testing_support::numbers(velocity(fresh, b)));
    EXPECT_EQ(testing_support::numbers(acceleration(used, b)), testing_support::numbers(acceleration(fresh, b)));
  }
}

TEST(CoordinateRates, AreThoseThatMovePosesWithTheBodiesVelocities) {
  // Central difference of poses along q + h dq/dt: truncation h^2/6 times third derivatives of some 100, rounding eps/h.
  constexpr double h = 1e-5, difference = 2e-8;
  const Mechanism mechanism = random_mechanism(13);
  const auto s = random_state(mechanism, 13);
  std::vector<double> q_dot(s.q.size()), before(s.q), after(s.q);
  coordinate_rates(mechanism, s.q, s.u, q_dot);
  for (std::size_t i = 0; i < q_dot.size(); ++i) before[i] -= h * q_dot[i], after[i] += h * q_dot[i];
  Workspace w(mechanism), w_before(mechanism), w_after(mechanism);
  kinematics(w, s.q, s.u);
  positions(w_before, before);
  positions(w_after, after);
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Vec3<double> v = (0.5 / h) * (pose(w_after, b).p - pose(w_before, b).p);
    EXPECT_TRUE(near(v, velocity(w, b).linear, difference, 1)) << mechanism.bodies()[b].name;
  }
}

TEST(CoordinateRates, ComeBackAsTheSameSpeeds) {
  for (const unsigned seed : seeds) {
    const Mechanism mechanism = random_mechanism(seed);
    const auto s = random_state(mechanism, seed);
    std::vector<double> q_dot(s.q.size()), u(s.u.size());
    coordinate_rates(mechanism, s.q, s.u, q_dot);
    speeds_of_rates(mechanism, s.q, q_dot, u);
    EXPECT_TRUE(near(u, s.u, rounding));
  }
}

TEST(CoordinateRates, RefuseArraysOfTheWrongSizeBySayingBoth) {
  const Mechanism mechanism = random_mechanism(14);
  const auto s = random_state(mechanism, 14);
  std::vector<double> q_dot(s.q.size()), u(s.u.size()), short_one(s.q.size() - 1);
  EXPECT_THROW(coordinate_rates(mechanism, short_one, s.u, q_dot), std::invalid_argument);
  EXPECT_THROW(coordinate_rates(mechanism, s.q, short_one, q_dot), std::invalid_argument);
  EXPECT_THROW(coordinate_rates(mechanism, s.q, s.u, short_one), std::invalid_argument);
  EXPECT_THROW(speeds_of_rates(mechanism, short_one, q_dot, u), std::invalid_argument);
  EXPECT_THROW(speeds_of_rates(mechanism, s.q, short_one, u), std::invalid_argument);
  EXPECT_THROW(speeds_of_rates(mechanism, s.q, q_dot, short_one), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::tree
