// The rows of joints: what they hold, and their derivatives.
#include <gtest/gtest.h>

#include <algorithm>

#include "polhode/mechanism/constraints/loop_joint.h"
#include "tests/maximal/displaced.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::maximal {
namespace {

using testing_support::largest;
using testing_support::near;
using testing_support::random_mechanism;
using testing_support::random_state;

/// Function-based joints and users' own find their rows by a search that ends at 1e-9 or better, and have exact derivatives on
/// their motion only.
bool has_closed_rows(const JointModel& model) {
  return !std::holds_alternative<FunctionBased>(model) && !std::holds_alternative<Custom>(model);
}

TEST(JointRows, AreThoseThatEachJointHas) {
  const Mechanism m = random_mechanism(1);
  const Constraints constraints(m);
  std::size_t next = 0;
  int rows = 0;
  for (int b = 1; b < m.num_bodies(); ++b) {
    const Joint& joint = m.joints()[b];
    if (joint.nu == 6) continue;
    const Constraints::Element& element = constraints.elements()[next++];
    EXPECT_EQ(constraints.name(element), "joint \"" + joint.name + "\"");
    EXPECT_EQ(element.joint, b);
    EXPECT_EQ(element.first_row, rows);
    EXPECT_EQ(element.num_rows, 6 - joint.nu);
    EXPECT_EQ(element.num_velocity_rows, num_nonholonomic_rows(joint.model));
    EXPECT_EQ(element.touches_ground, m.bodies()[b].parent == 0);
    EXPECT_EQ(element.num_sides, m.bodies()[b].parent == 0 ? 1 : 2);
    EXPECT_EQ(constraints.sides(element).back().body, b);
    rows += element.num_rows;
  }
  EXPECT_EQ(next, constraints.elements().size());
  EXPECT_EQ(constraints.num_rows(), rows);
}

TEST(JointRows, VanishOnWhatTheTreeAllows) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const Mechanism m = random_mechanism(seed);
    const auto s = random_state(m, seed);
    Constraints constraints(m);
    Bodies bodies;
    to_bodies(m, s.q, s.u, bodies);
    const Evaluated at(constraints, 0, bodies, s.q);
    EXPECT_LT(largest(at.h), 1e-9);
    EXPECT_LT(largest(at.times(constraints, bodies)), 1e-8);
    std::vector<double> h(at.h.size(), 99);
    constraints.errors(0, bodies, s.q, h);
    EXPECT_EQ(h, at.h);
  }
}

// Central differences with 1e-5: third derivatives (at most 1/lead^2 = 100, times arms) leave 1e-8 and rounding 1e-10.
TEST(JointRows, JacobianIsTheDerivativeOfTheErrorsWhereverBodiesAre) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const Mechanism m = random_mechanism(seed, {.joints = has_closed_rows});
    const auto s = random_state(m, seed);
    testing_support::Random random(seed);
    Constraints constraints(m);
    Bodies bodies;
    to_bodies(m, s.q, s.u, bodies);
    bodies = carried_on(with_random_velocities(bodies, random), 0.1);  // off the joints by tenths
    const Bodies moving = with_random_velocities(bodies, random);
    const Evaluated at(constraints, 0, moving, s.q);
    constexpr double dt = 1e-5;
    const Evaluated after(constraints, 0, carried_on(moving, dt), s.q), before(constraints, 0, carried_on(moving, -dt), s.q);
    const std::vector<double> rates = at.times(constraints, moving);
    for (const Constraints::Element& element : constraints.elements())
      for (int i = element.first_row; i < element.first_row + element.num_rows - element.num_velocity_rows; ++i)
        EXPECT_NEAR(rates[i], (after.h[i] - before.h[i]) / (2 * dt), 5e-8) << constraints.name(element);
  }
}

// On the joints' motion the rows without closed form have exact derivatives, too, to the 1e-9 of their search over 1e-4.
TEST(JointRows, JacobianIsTheDerivativeForEveryJointTypeOnItsMotion) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const Mechanism m = random_mechanism(seed);
    const auto s = random_state(m, seed);
    testing_support::Random random(seed);
    Constraints constraints(m);
    Bodies bodies;
    to_bodies(m, s.q, s.u, bodies);
    const Bodies moving = with_random_velocities(bodies, random);
    const Evaluated at(constraints, 0, moving, s.q);
    constexpr double dt = 1e-4;
    const Evaluated after(constraints, 0, carried_on(moving, dt), s.q), before(constraints, 0, carried_on(moving, -dt), s.q);
    const std::vector<double> rates = at.times(constraints, moving);
    for (const Constraints::Element& element : constraints.elements())
      for (int i = element.first_row; i < element.first_row + element.num_rows - element.num_velocity_rows; ++i)
        EXPECT_NEAR(rates[i], (after.h[i] - before.h[i]) / (2 * dt), 1e-5) << constraints.name(element);
  }
}

// Action and reaction: a joint's two loads have no resultant force, and no moment about the origin.
TEST(JointRows, LoadsOfEachRowBalance) {
  const Mechanism m = random_mechanism(2);
  const auto s = random_state(m, 2);
  Constraints constraints(m);
  Bodies bodies;
  to_bodies(m, s.q, s.u, bodies);
  const Evaluated at(constraints, 0, bodies, s.q);
  for (const Constraints::Element& element : constraints.elements()) {
    if (element.num_sides < 2) continue;
    for (int i = 0; i < element.num_rows; ++i) {
      Wrench<double> sum{};
      for (const Constraints::Side& side : constraints.sides(element)) {
        const double* row = at.values.data() + side.first_value + i * row_width;
        const BodyMotion& body = bodies[side.body];
        const Vec3<double> force{row[3], row[4], row[5]};
        sum += Wrench<double>{rotation(body.r) * Vec3<double>{row[0], row[1], row[2]} + cross(body.x, force), force};
        EXPECT_EQ(row[6], 0);
        EXPECT_EQ(row[7], 0);
      }
      EXPECT_TRUE(near(sum, Wrench<double>{}, 1e-13, 10)) << constraints.name(element);
    }
  }
}

// Joints that have code of their own give the rows that their types say, wherever their bodies are and whichever is Ground.
TEST(JointRows, AreTheSameByCodeOfTheirOwn) {
  testing_support::Random random(11);
  for (const JointModel& model : testing_support::every_joint_type(random)) {
    SCOPED_TRACE(type_name(model));
    const int n = num_joint_rows(model), size = n * row_width;
    for (const auto& [first_F, first_M] : {std::pair(0, size), std::pair(-1, size), std::pair(0, -1)}) {
      const JointRows rows{
          &model, 0, n, {0, random.transform(1), first_F}, {1, random.transform(1), first_M}, JointRows::kind_of(model)};
      const std::vector<Transform<double>> X_WC{random.transform(2), random.transform(2)};
      std::vector<double> h(n), h_alone(n), values(2 * size), expected_h(n), expected(2 * size);
      rows.evaluate(X_WC, h.data(), values.data());
      rows.evaluate(X_WC, h_alone.data(), nullptr);
      rows.evaluate_in_general(X_WC, expected_h.data(), expected.data());
      EXPECT_TRUE(near(h, expected_h, 1e-14, 1));
      EXPECT_EQ(h_alone, h);
      EXPECT_TRUE(near(values, expected, 1e-14, 1));
      const std::vector<Motion<double>> V_WC{{random.vec3(2), random.vec3(2)}, {random.vec3(2), random.vec3(2)}};
      std::vector<double> b(n), expected_b(n);
      rows.bias(X_WC, V_WC, b.data());
      rows.bias_in_general(X_WC, V_WC, expected_b.data());
      EXPECT_TRUE(near(b, expected_b, 1e-14, 10));
    }
  }
}

}  // namespace
}  // namespace polhode::maximal
