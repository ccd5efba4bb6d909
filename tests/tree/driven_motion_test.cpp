#include "polhode/tree/driven_motion.h"

#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "tests/support/allocation_counter.h"

namespace polhode::tree {
namespace {

/// A slider that a signal moves, with a ball joint and a hinge after it.
Mechanism device() {
  MechanismBuilder builder;
  const MassProperties ball = MassProperties::sphere(1, 0.1);
  builder.add_body({.name = "cart", .mass = ball})
      .add_body({.name = "bob", .mass = ball})
      .add_body({.name = "arm", .mass = ball});
  builder.add_joint({.name = "track", .model = Prismatic{}, .child = "cart"});
  builder.add_joint({.name = "neck", .model = Ball{}, .parent = "cart", .child = "bob"});
  builder.add_joint({.name = "elbow", .model = Revolute{}, .parent = "bob", .child = "arm"});
  builder.add_kinematic({"track", Signal::polynomial({1, 2, 3, 4})});  // rate 2 + 6 t + 12 t^2, acceleration 6 + 24 t
  return builder.build();
}

class Motions : public ::testing::Test {
 protected:
  Mechanism m = device();
  State state{m};
  std::vector<double> q = std::vector<double>(std::size_t(m.num_q()), 9.0);
  std::vector<double> u = std::vector<double>(std::size_t(m.num_u()), 8.0), u_dot = std::vector<double>(u.size(), 7.0);
  int track = m.joint("track"), neck = m.joint("neck"), elbow = m.joint("elbow");

  void prescribe(double t) {
    const DrivenMotion motion(state);
    motion.prescribe_q(t, q);
    motion.prescribe_u(t, q, u);
    motion.accelerations(t, q, u, u_dot);
  }
  double& of(std::vector<double>& x, const char* name) { return x[std::size_t(&x == &q ? m.coordinate(name) : m.speed(name))]; }
};

TEST_F(Motions, FollowThePositionSignalAndItsDerivatives) {
  prescribe(0.5);
  EXPECT_DOUBLE_EQ(of(q, "track"), 1 + 1 + 0.75 + 0.5);
  EXPECT_DOUBLE_EQ(of(u, "track'"), 2 + 3 + 3);
  EXPECT_DOUBLE_EQ(of(u_dot, "track'"), 6 + 12);
  EXPECT_EQ(of(q, "elbow"), 9);  // what forces move is left alone
  EXPECT_EQ(of(u, "elbow'"), 8);
  EXPECT_EQ(of(u_dot, "neck.wx"), 7);
}

TEST_F(Motions, LockAtPositionHoldsAllCoordinatesOfAJoint) {
  const std::vector<double> start(state.q().begin(), state.q().end());
  state.set_q(m.coordinate("neck.qw"), 0.6), state.set_q(m.coordinate("neck.qy"), 0.8);
  state.lock(neck);
  prescribe(2);
  EXPECT_EQ(of(q, "neck.qw"), 0.6);
  EXPECT_EQ(of(q, "neck.qx"), 0);
  EXPECT_EQ(of(q, "neck.qy"), 0.8);
  for (const char* speed : {"neck.wx", "neck.wy", "neck.wz"}) {
    EXPECT_EQ(of(u, speed), 0);
    EXPECT_EQ(of(u_dot, speed), 0);
  }
}

TEST_F(Motions, LockAtVelocityHoldsSpeedsAndLetsCoordinatesGo) {
  state.set_u(m.speed("elbow'"), -3);
  state.lock(elbow, Drive::velocity);
  prescribe(2);
  EXPECT_EQ(of(u, "elbow'"), -3);
  EXPECT_EQ(of(u_dot, "elbow'"), 0);
  EXPECT_EQ(of(q, "elbow"), 9);
}

TEST_F(Motions, LockAtAccelerationHoldsNeitherSpeedsNorCoordinates) {
  state.lock(elbow, Drive::acceleration);
  prescribe(2);
  EXPECT_EQ(of(u, "elbow'"), 8);
  EXPECT_EQ(of(u_dot, "elbow'"), 0);
}

TEST_F(Motions, LockComesBeforeTheModelsSignalUntilItIsTakenOff) {
  state.set_q(m.coordinate("track"), 0.25);
  state.lock(track);
  prescribe(0.5);
  EXPECT_EQ(of(q, "track"), 0.25);
  EXPECT_EQ(of(u, "track'"), 0);
  EXPECT_EQ(of(u_dot, "track'"), 0);
  state.unlock(track);
  prescribe(0);
  EXPECT_EQ(of(q, "track"), 1);
  EXPECT_EQ(of(u, "track'"), 2);
}

TEST_F(Motions, SignalThatIsNotFollowedPrescribesNothing) {
  state.set_motion_followed(track, false);
  EXPECT_FALSE(DrivenMotion(state).any());
  prescribe(1);
  EXPECT_EQ(of(q, "track"), 9);
  EXPECT_EQ(of(u_dot, "track'"), 7);
}

TEST_F(Motions, MarksSayWhatIsKnown) {
  state.lock(neck, Drive::velocity);
  state.lock(elbow, Drive::acceleration);
  const DrivenMotion motion(state);
  EXPECT_TRUE(motion.any());
  for (const auto& [speed, known] : {std::pair("track'", 3), {"neck.wy", 2}, {"elbow'", 1}}) {
    const std::size_t k = std::size_t(m.speed(speed));
    EXPECT_EQ(motion.driven()[k], known >= 1);
    EXPECT_EQ(motion.known_speeds()[k], known >= 2);
    EXPECT_EQ(motion.known_positions()[k], known >= 3);
  }
}

TEST_F(Motions, AreEvaluatedWithoutAllocation) {
  state.lock(neck);
  const DrivenMotion motion(state);
  EXPECT_EQ(testing_support::allocations_in([&] {
              motion.prescribe_q(1, q);
              motion.prescribe_u(1, q, u);
              motion.accelerations(1, q, u, u_dot);
            }),
            0);
}

}  // namespace
}  // namespace polhode::tree
