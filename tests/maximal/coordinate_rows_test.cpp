// Rows on coordinates, which bodies do not have: they are read off the joints' poses.
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/tree/dynamics.h"
#include "tests/maximal/displaced.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::maximal {
namespace {

using testing_support::near_numbers;
using testing_support::Random;
using testing_support::random_description;
using testing_support::random_state;

/// A random tree whose every speed is held, and every coordinate that is a speed's integral follows a sine.
MechanismBuilder everything_held(unsigned seed) {
  MechanismBuilder builder = random_description(seed);
  const Mechanism tree = builder.build();
  for (const Joint& joint : tree.joints()) {
    const std::vector<int> speed = speed_of_coordinate(joint.model);
    for (int i = 0; i < joint.nq; ++i)
      if (speed[i] >= 0)
        builder.add_constraint(
            {"", MotionConstraintSpec{tree.coordinate_names()[joint.first_q + i], Signal::sine(0.3, 2, 0.1, 0.4)}});
  }
  for (const std::string& name : tree.speed_names()) builder.add_constraint({"", ConstantSpeedSpec{name, 0.25}});
  return builder;
}

// h = q - s(t), G (w, v) = the speed: for every joint type, forward and reversed.
TEST(CoordinateRows, AreTheCoordinatesAndSpeedsOfEveryJointType) {
  const double t = 0.7, s = 0.4 + 0.3 * std::sin(2 * t + 0.1), rate = 0.6 * std::cos(2 * t + 0.1);
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const Mechanism m = everything_held(seed).build();
    const auto state = random_state(m, seed);
    Constraints constraints(m);
    Bodies bodies;
    to_bodies(m, state.q, state.u, bodies);
    const Evaluated at(constraints, t, bodies, state.q);
    std::vector<double> h_t(at.h.size());
    constraints.rates(t, bodies, state.q, h_t);
    const std::vector<double> speeds = at.times(constraints, bodies);
    std::size_t e = 0;
    while (constraints.elements()[e].joint >= 0) ++e;
    for (const Constraint& c : m.constraints()) {
      const int row = constraints.elements()[e++].first_row;
      // Coordinates of joints without closed form are searched for, to 1e-9.
      if (const auto* motion = std::get_if<MotionConstraint>(&c.model)) {
        EXPECT_NEAR(at.h[row], state.q[motion->coordinate.q] - s, 1e-8) << c.description;
        EXPECT_NEAR(speeds[row], state.u[motion->coordinate.u], 1e-8) << c.description;
        EXPECT_NEAR(h_t[row], -rate, 1e-14);
      } else {
        EXPECT_EQ(at.h[row], 0);
        EXPECT_NEAR(speeds[row], state.u[std::get<ConstantSpeed>(c.model).speed.u], 1e-8) << c.description;
        EXPECT_NEAR(h_t[row], -0.25, 1e-14);
      }
    }
  }
}

// Derivatives with respect to displacements that joints do not allow. Differences with 1e-4 as in constraints_test.
TEST(CoordinateRows, HaveExactDerivativesAcrossTheJointsMotion) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const Mechanism m = everything_held(seed).build();
    const auto state = random_state(m, seed);
    Random random(seed);
    Constraints constraints(m);
    Bodies bodies;
    to_bodies(m, state.q, state.u, bodies);
    const Bodies moving = with_random_velocities(bodies, random);
    const Evaluated at(constraints, 0, moving, state.q);
    constexpr double dt = 1e-4;
    const Evaluated after(constraints, 0, carried_on(moving, dt), state.q),
        before(constraints, 0, carried_on(moving, -dt), state.q);
    const std::vector<double> rates = at.times(constraints, moving);
    for (const Constraints::Element& element : constraints.elements()) {
      const int row = element.first_row;
      if (element.joint < 0 && element.num_velocity_rows == 0) {
        EXPECT_NEAR(rates[row], (after.h[row] - before.h[row]) / (2 * dt), 2e-5) << constraints.name(element);
      }
    }
  }
}

// G d(w, v)/dt - b is du/dt less what the signal asks for, for any du/dt.
TEST(CoordinateRows, HaveTheBiasOfTheSpeeds) {
  const double t = 0.7, asked = -1.2 * std::sin(2 * t + 0.1);
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const Mechanism m = everything_held(seed).build();
    const auto state = random_state(m, seed);
    Constraints constraints(m);
    Bodies bodies;
    to_bodies(m, state.q, state.u, bodies);
    tree::Workspace w(m);
    tree::kinematics(w, state.q, state.u);
    const Evaluated at(constraints, t, bodies, state.q);
    const std::vector<double> left = at.times(constraints, accelerations(w, bodies, state.u_dot));
    std::vector<double> b(at.h.size());
    constraints.acceleration_bias(t, bodies, state.q, b);
    std::size_t e = 0;
    while (constraints.elements()[e].joint >= 0) ++e;
    for (const Constraint& c : m.constraints()) {
      const int row = constraints.elements()[e++].first_row;
      const auto* motion = std::get_if<MotionConstraint>(&c.model);
      const double expected =
          motion ? state.u_dot[motion->coordinate.u] - asked : state.u_dot[std::get<ConstantSpeed>(c.model).speed.u];
      EXPECT_NEAR(left[row] - b[row], expected, 1e-7) << c.description;
    }
  }
}

/// Two wheels that turn about parallel pins, geared 1 to 3.
MechanismBuilder gear_train() {
  MechanismBuilder builder;
  for (const std::string name : {"small", "large"}) {
    builder.add_body({.name = name, .mass = MassProperties::box(1, {1, 1, 1})});
    builder.add_joint({.name = name, .child = name, .placement = LocalPlacement{at(name == "small" ? 0 : 2, 0, 0), {}}});
  }
  return builder;
}

TEST(CoordinateRows, FollowGearsOverManyTurns) {
  MechanismBuilder builder = gear_train();
  builder.add_constraint({"mesh", GearSpec{"small", "large", -1.0 / 3}});
  const Mechanism m = builder.build();
  Constraints constraints(m);
  const std::vector<double> q{60.0, -20.0}, u{3, -1};
  std::vector<double> near_by{59.0, -19.0};
  Bodies bodies;
  to_bodies(m, q, u, bodies);
  const Evaluated at(constraints, 0, bodies, near_by);
  EXPECT_NEAR(at.h.back(), 0, 1e-13);  // 60 rad to within their last digit
  EXPECT_NEAR(at.times(constraints, bodies).back(), 0, 1e-14);
  near_by[0] -= 2 * pi;  // a turn that was not made is an error of a third of a turn
  EXPECT_NEAR(std::abs(Evaluated(constraints, 0, bodies, near_by).h.back()), 2 * pi / 3, 1e-13);
}

// A unit multiplier puts a unit torque on the large wheel and a third of it on the small one.
TEST(CoordinateRows, LoadGearsByTheirRatio) {
  MechanismBuilder builder = gear_train();
  builder.add_constraint({"mesh", GearSpec{"small", "large", -1.0 / 3}});
  const Mechanism m = builder.build();
  Constraints constraints(m);
  Bodies bodies;
  to_bodies(m, std::vector{0.3, -0.1}, std::vector{0.0, 0.0}, bodies);
  const Evaluated at(constraints, 0, bodies, {0.3, -0.1});
  const Constraints::Element& mesh = constraints.elements().back();
  EXPECT_EQ(constraints.name(mesh), m.constraints()[0].description);
  EXPECT_TRUE(mesh.touches_ground);
  for (const Constraints::Side& side : constraints.sides(mesh)) {
    const std::vector<double> row(at.values.begin() + side.first_value, at.values.begin() + side.first_value + row_width);
    const double torque = m.bodies()[side.body].name == "large" ? 1 : 1.0 / 3;
    EXPECT_TRUE(near_numbers(row, {0, 0, torque, 0, 0, 0, 0, 0}, 1e-15));
  }
}

TEST(CoordinateRows, HoldKinematicCoordinatesToTheirSignals) {
  MechanismBuilder builder = gear_train();
  builder.add_kinematic({"large", Signal::polynomial({0.5, 2, 3})});
  const Mechanism m = builder.build();
  Constraints constraints(m);
  const Constraints::Element& driven = constraints.elements().back();
  EXPECT_EQ(constraints.name(driven), "coordinate \"large\"");
  EXPECT_EQ(driven.num_rows, 1);
  EXPECT_EQ(driven.num_velocity_rows, 0);
  const double t = 0.4;
  std::vector<double> q(2), u(2);
  q[m.coordinate("large")] = 0.5 + 2 * t + 3 * t * t;
  u[m.speed("large'")] = 2 + 6 * t;
  Bodies bodies;
  to_bodies(m, q, u, bodies);
  const Evaluated at(constraints, t, bodies, q);
  EXPECT_NEAR(at.h.back(), 0, 1e-15);
  std::vector<double> h_t(at.h.size()), b(at.h.size());
  constraints.rates(t, bodies, q, h_t);
  EXPECT_NEAR(at.times(constraints, bodies).back() + h_t.back(), 0, 1e-15);
  constraints.acceleration_bias(t, bodies, q, b);
  EXPECT_NEAR(b.back(), 6, 1e-14);
}

/// A user's rows in an order that is not ours: first a velocity, z_A . w_A - q = 0, then a position, p_B.x + q^2 - t = 0.
class Mixed final : public CustomConstraint {
 public:
  int num_rows() const override { return 2; }
  RowLevel level(int row) const override { return row == 0 ? RowLevel::velocity : RowLevel::position; }
  std::vector<int> bodies() const override { return {1, 2}; }
  std::vector<int> speeds() const override { return {1}; }
  void errors(const ConstraintConfiguration& at, std::span<double> h) const override {
    h[0] = 7;  // not to be used
    h[1] = at.X_WB[1].p.x + at.q[1] * at.q[1] - at.t;
  }
  void gradient(const ConstraintConfiguration& at, int row, ConstraintGradient& out) const override {
    if (row == 0) {
      out.add_torque(0, at.X_WB[0].R.col[2]);
    } else {
      out.add_force_at(1, at.X_WB[1].p, {1, 0, 0});
      out.on_speed[0] = 2 * at.q[1];
    }
  }
  void rates(const ConstraintConfiguration& at, std::span<double> rate) const override { rate[0] = -at.q[1], rate[1] = -1; }
};

TEST(CoordinateRows, PutUsersVelocityRowsLast) {
  MechanismBuilder builder = gear_train();
  builder.add_constraint({"mixed", [](const Mechanism&) { return std::make_shared<Mixed>(); }});
  const Mechanism m = builder.build();
  Constraints constraints(m);
  EXPECT_EQ(constraints.elements().back().num_velocity_rows, 1);
  const std::vector<double> q{0.3, 0.6}, u{2, 5};
  Bodies bodies;
  to_bodies(m, q, u, bodies);
  const Evaluated at(constraints, 0.1, bodies, q);
  const int row = constraints.elements().back().first_row;
  std::vector<double> h_t(at.h.size()), b(at.h.size());
  constraints.rates(0.1, bodies, q, h_t);
  constraints.acceleration_bias(0.1, bodies, q, b);
  const std::vector<double> rates = at.times(constraints, bodies);
  EXPECT_NEAR(at.h[row], 2 + 0.36 - 0.1, 1e-14);
  EXPECT_EQ(at.h[row + 1], 0);
  EXPECT_NEAR(rates[row], 2 * 0.6 * 5, 1e-14);
  EXPECT_NEAR(rates[row + 1], 2, 1e-14);
  EXPECT_NEAR(h_t[row], -1, 0);
  EXPECT_NEAR(h_t[row + 1], -0.6, 1e-15);
  EXPECT_NEAR(b[row], -2 * 5 * 5, 1e-10);  // d/dt(2 q u) at du/dt = 0
  EXPECT_NEAR(b[row + 1], 5, 1e-10);       // d/dt of q
}

}  // namespace
}  // namespace polhode::maximal
