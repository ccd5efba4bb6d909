// Rows on bodies with coordinates of their own against the same rows in tree coordinates, and against differences.
#include "polhode/maximal/constraints.h"

#include <gtest/gtest.h>

#include "polhode/tree/constraints.h"
#include "tests/maximal/displaced.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/support/random_constraints.h"

namespace polhode::maximal {
namespace {

using testing_support::largest;
using testing_support::near;
using testing_support::near_numbers;
using testing_support::Random;
using testing_support::random_constrained;
using testing_support::random_state;

/// All constraints that do not hold accelerations only.
std::vector<char> without_acceleration_rows(const Mechanism& m) {
  std::vector<char> enabled(m.num_constraint_elements(), 1);
  for (std::size_t i = 0; i < m.constraints().size(); ++i) {
    const Constraint& c = m.constraints()[i];
    if (std::holds_alternative<ConstantAcceleration>(c.model) || c.name == "steered") enabled[m.loop_joints().size() + i] = 0;
  }
  return enabled;
}

/// A mechanism with every kind of row, at a state that meets the tree's joints and nothing else.
struct Case {
  testing_support::ConstrainedMechanism made;
  const Mechanism& m = made.mechanism;
  const testing_support::RandomState& s = made.s;
  std::vector<char> enabled = without_acceleration_rows(m);
  Constraints constraints{m, enabled};
  tree::Constraints in_tree{m, enabled};
  tree::Workspace w{m};
  Bodies bodies;
  int offset = 0;  ///< where the rows begin that the tree has, too
  static constexpr double t = 0.3;

  explicit Case(unsigned seed) : made(random_constrained(seed)) {
    to_bodies(m, s.q, s.u, bodies);
    tree::kinematics(w, s.q, s.u);
    for (const Constraints::Element& element : constraints.elements())
      if (element.joint >= 0) offset += element.num_rows;
  }
  std::vector<double> shared(const std::vector<double>& rows) const { return {rows.begin() + offset, rows.end()}; }
};

constexpr double rounding = 1e-11;  // arms of ten metres and more through 22 bodies, screws that magnify tenfold

TEST(MaximalConstraints, AreTheSameFunctionsAsInTreeCoordinates) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    Case c(seed);
    const Evaluated at(c.constraints, c.t, c.bodies, c.s.q);
    const int n = c.in_tree.num_rows();
    ASSERT_EQ(c.constraints.num_rows(), c.offset + n);
    std::vector<double> h(n), rates(n), h_t(n), expected(n), explicit_rates(c.constraints.num_rows());
    c.in_tree.errors(c.w, c.t, c.s.q, h);
    EXPECT_TRUE(near(c.shared(at.h), h, 1e-9));
    c.in_tree.velocity_errors(c.w, c.t, c.s.q, c.s.u, expected);
    c.constraints.rates(c.t, c.bodies, c.s.q, explicit_rates);
    const std::vector<double> products = at.times(c.constraints, c.bodies);
    for (int i = 0; i < n; ++i) rates[i] = products[c.offset + i] + explicit_rates[c.offset + i];
    EXPECT_TRUE(near(rates, expected, rounding));
  }
}

TEST(MaximalConstraints, HaveTheBiasThatGoesWithTheirJacobian) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    Case c(seed);
    const Evaluated at(c.constraints, c.t, c.bodies, c.s.q);
    std::vector<double> b(c.constraints.num_rows()), b_tree(c.in_tree.num_rows()), G_u_dot(b_tree.size());
    c.constraints.acceleration_bias(c.t, c.bodies, c.s.q, b);
    c.in_tree.acceleration_bias(c.w, c.t, c.s.q, c.s.u, b_tree);
    std::vector<double> values(c.in_tree.num_entries());
    c.in_tree.jacobian(c.w, c.t, c.s.q, values);
    c.in_tree.multiply(values, c.s.u_dot, G_u_dot);
    std::vector<double> left = at.times(c.constraints, accelerations(c.w, c.bodies, c.s.u_dot)), expected(left.size());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= b[i];  // of joints: zero
    for (std::size_t i = 0; i < b_tree.size(); ++i) expected[c.offset + i] = G_u_dot[i] - b_tree[i];
    // Rows without closed form read their coordinates by a search, to 1e-9; biases are of order 1 to 1000.
    EXPECT_TRUE(near(left, expected, 1e-9));
  }
}

// Where the tree's joints are met, all rows have exact derivatives with respect to every body. Central differences with 1e-4:
// truncation 1e-8 times third derivatives of up to 100 times arms; rows that are searched for add 1e-9 over 1e-4.
TEST(MaximalConstraints, JacobianIsTheDerivativeOfTheErrorsForEveryBody) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    Case c(seed);
    Random random(seed);
    const Bodies moving = with_random_velocities(c.bodies, random);
    const Evaluated at(c.constraints, c.t, moving, c.s.q);
    constexpr double dt = 1e-4;
    const Evaluated after(c.constraints, c.t, carried_on(moving, dt), c.s.q);
    const Evaluated before(c.constraints, c.t, carried_on(moving, -dt), c.s.q);
    const std::vector<double> rates = at.times(c.constraints, moving);
    for (const Constraints::Element& element : c.constraints.elements())
      for (int i = element.first_row; i < element.first_row + element.num_rows - element.num_velocity_rows; ++i)
        EXPECT_NEAR(rates[i], (after.h[i] - before.h[i]) / (2 * dt), 2e-5) << c.constraints.name(element);
  }
}

TEST(MaximalConstraints, ListEachBodyOnceAndNeverGround) {
  Case c(1);
  for (const Constraints::Element& element : c.constraints.elements()) {
    int last = 0;
    for (const Constraints::Side& side : c.constraints.sides(element)) {
      EXPECT_GT(side.body, last);
      EXPECT_EQ(side.first_value % row_width, 0);
      last = side.body;
    }
  }
}

TEST(MaximalConstraints, DoNotAllocateWhenEvaluated) {
  Case c(2);
  std::vector<double> h(c.constraints.num_rows()), b(h), h_t(h), values(c.constraints.num_values());
  EXPECT_EQ(testing_support::allocations_in([&] {
              c.constraints.errors(c.t, c.bodies, c.s.q, h);
              c.constraints.errors_and_jacobian(c.t, c.bodies, c.s.q, h, values);
              c.constraints.rates(c.t, c.bodies, c.s.q, h_t);
              c.constraints.acceleration_bias(c.t, c.bodies, c.s.q, b);
              c.constraints.multiply(values, c.bodies, h_t);
            }),
            0);
}

TEST(MaximalConstraints, RefuseRowsThatHoldAccelerationsAndNameThemAll) {
  const auto made = random_constrained(1);
  try {
    Constraints constraints(made.mechanism);
    FAIL() << "acceleration rows were taken";
  } catch (const ModelError& error) {
    ASSERT_EQ(error.problems().size(), 2u);
    EXPECT_NE(error.problems()[0].message.find("constant-acceleration"), std::string::npos) << error.what();
    EXPECT_NE(error.problems()[1].message.find("\"steered\""), std::string::npos) << error.what();
  }
}

TEST(MaximalConstraints, LeaveOutWhatIsDisabled) {
  const auto made = random_constrained(1);
  const std::vector<char> none(made.mechanism.num_constraint_elements(), 0);
  const Constraints constraints(made.mechanism, none);
  for (const Constraints::Element& element : constraints.elements()) EXPECT_GT(element.joint, 0);
}

TEST(MaximalConstraints, SurviveBeingCopied) {
  auto original = std::make_unique<Case>(3);
  const Evaluated at(original->constraints, 0.3, original->bodies, original->s.q);
  Constraints copy = original->constraints;
  const Bodies bodies = original->bodies;
  const std::vector<double> q = original->s.q;
  original.reset();
  EXPECT_EQ(Evaluated(copy, 0.3, bodies, q).values, at.values);
}

}  // namespace
}  // namespace polhode::maximal
