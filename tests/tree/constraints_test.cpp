// Constraint rows against what they are: functions of configuration whose derivatives are the Jacobian.
#include "polhode/tree/constraints.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <set>

#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/support/random_constraints.h"

namespace polhode::tree {
namespace {

using testing_support::ConstrainedMechanism;
using testing_support::near_numbers;
using testing_support::random_constrained;

std::vector<double> errors(const Constraints& constraints, double t, const std::vector<double>& q) {
  Workspace w(constraints.mechanism());
  std::vector<double> h(constraints.num_rows());
  positions(w, q);
  constraints.errors(w, t, q, h);
  return h;
}

Eigen::MatrixXd dense_jacobian(const Constraints& constraints, double t, const std::vector<double>& q) {
  Workspace w(constraints.mechanism());
  std::vector<double> values(constraints.num_entries());
  positions(w, q);
  constraints.jacobian(w, t, q, values);
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(constraints.num_rows(), constraints.mechanism().num_u());
  for (int i = 0; i < constraints.num_rows(); ++i)
    for (std::size_t k = 0; k < constraints.columns(i).size(); ++k)
      G(i, constraints.columns(i)[k]) = values[constraints.row_starts()[i] + k];
  return G;
}

/// Every joint moved from q along its own group for the time dt with speeds u.
std::vector<double> moved(const Mechanism& m, const std::vector<double>& q, const std::vector<double>& u, double dt) {
  std::vector<double> q1(q);
  for (const Joint& joint : m.joints()) {
    std::vector<double> still(joint.nchart), theta(joint.nchart);
    std::visit(
        [&](const auto& model) {
          model.rate_of_chart(q.data() + joint.first_q, still.data(), u.data() + joint.first_u, theta.data());
          for (double& x : theta) x *= dt;
          model.retract(q.data() + joint.first_q, theta.data(), q1.data() + joint.first_q);
        },
        joint.model);
  }
  return q1;
}

/// dh/dt for each unit speed, by central differences. With steps of 1e-5 s rounding leaves 1e-10 of errors of some metres, and
/// third derivatives (at most 1/lead^2 = 100 for screws, a few hundred with arms of several metres) leave 1e-8.
Eigen::MatrixXd measured_jacobian(const Constraints& constraints, double t, const std::vector<double>& q) {
  const Mechanism& m = constraints.mechanism();
  constexpr double dt = 1e-5;
  Eigen::MatrixXd G(constraints.num_rows(), m.num_u());
  for (int k = 0; k < m.num_u(); ++k) {
    std::vector<double> u(m.num_u());
    u[k] = 1;
    const auto after = errors(constraints, t, moved(m, q, u, dt)), before = errors(constraints, t, moved(m, q, u, -dt));
    for (int i = 0; i < constraints.num_rows(); ++i) G(i, k) = (after[i] - before[i]) / (2 * dt);
  }
  return G;
}
constexpr double difference_error = 2e-8;

std::vector<double> numbers(const Eigen::MatrixXd& G, int row) {
  const Eigen::VectorXd r = G.row(row);
  return {r.begin(), r.end()};
}

// Every speed is tried, so that a number missing in the pattern would show, too.
TEST(Constraints, JacobianIsTheDerivativeOfTheErrorsAlongEverySpeed) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const ConstrainedMechanism c = random_constrained(seed, {.floating = seed % 3 == 0});
    const Constraints constraints(c.mechanism);
    const Eigen::MatrixXd G = dense_jacobian(constraints, 0.7, c.s.q), measured = measured_jacobian(constraints, 0.7, c.s.q);
    for (int i = 0; i < constraints.num_rows(); ++i)
      if (constraints.is_holonomic(i)) {
        EXPECT_TRUE(near_numbers(numbers(G, i), numbers(measured, i), difference_error, 1))
            << "seed " << seed << ", " << constraints.row_name(i);
      }
  }
}

TEST(Constraints, OfRandomMechanismsIncludeEveryJointTypeAsALoopClosure) {
  const ConstrainedMechanism c = random_constrained(1);
  std::set<std::string_view> types;
  for (const LoopJoint& joint : c.mechanism.loop_joints()) types.insert(type_name(joint.model));
  testing_support::Random random(1);
  EXPECT_EQ(types.size(), testing_support::every_joint_type(random).size());
}

// The error of a joint's row of this kind is zero everywhere, so its Jacobian is checked against the velocity it forbids: spin
// about M's z.
TEST(Constraints, RowsThatHoldVelocitiesOnlyMeasureTheSpinTheyForbid) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const ConstrainedMechanism c = random_constrained(seed);
    const Constraints constraints(c.mechanism);
    Workspace w(c.mechanism);
    kinematics(w, c.s.q, c.s.u);
    const Eigen::VectorXd rates =
        dense_jacobian(constraints, 0, c.s.q) * Eigen::Map<const Eigen::VectorXd>(c.s.u.data(), c.mechanism.num_u());
    int found = 0;
    for (int i = 0; i < constraints.num_rows(); ++i) {
      if (constraints.is_holonomic(i)) continue;
      if (constraints.element(i) >= int(c.mechanism.loop_joints().size())) continue;
      const auto joint = std::find_if(c.mechanism.loop_joints().begin(), c.mechanism.loop_joints().end(),
                                      [&](const auto& j) { return constraints.owner(i) == "joint \"" + j.name + "\""; });
      // On a reversed joint the type's own F and M are M and F here.
      const Mat3<double> R_WF = pose(w, joint->parent).R * joint->X_PF.R, R_WM = pose(w, joint->child).R * joint->X_BM.R;
      const Vec3<double> spin = velocity(w, joint->child).angular - velocity(w, joint->parent).angular;
      const double expected = joint->reversed ? -dot(R_WF.col[2], spin) : dot(R_WM.col[2], spin);
      EXPECT_NEAR(rates[i], expected, 1e-12) << constraints.row_name(i);
      ++found;
    }
    EXPECT_EQ(found, 2);  // line orientation and free line
  }
}

TEST(Constraints, RatesAreTheDerivativeOfTheErrorsInTimeAlone) {
  // of rows that hold positions; the others' are in constraints_motion_test.cpp
  const ConstrainedMechanism c = random_constrained(3);
  const Constraints constraints(c.mechanism);
  Workspace w(c.mechanism);
  std::vector<double> rates(constraints.num_rows());
  positions(w, c.s.q);
  constraints.rates(w, 0.7, c.s.q, rates);
  constexpr double dt = 1e-5;  // truncation dt^2/6 = 2e-11, rounding eps/dt = 2e-11 of errors of a few metres
  const auto after = errors(constraints, 0.7 + dt, c.s.q), before = errors(constraints, 0.7 - dt, c.s.q);
  for (int i = 0; i < constraints.num_rows(); ++i)
    if (constraints.is_holonomic(i)) {
      EXPECT_NEAR(rates[i], (after[i] - before[i]) / (2 * dt), 1e-9) << constraints.row_name(i);
    }
}

// The power of the constraint forces is the multipliers times the rates of the constraints: no more, no less.
TEST(Constraints, ForcesDoTheWorkOfTheirMultipliersOnTheRates) {
  const ConstrainedMechanism c = random_constrained(4);
  const Constraints constraints(c.mechanism);
  Workspace w(c.mechanism);
  positions(w, c.s.q);
  std::vector<double> values(constraints.num_entries()), rates(constraints.num_rows()), forces(c.mechanism.num_u());
  testing_support::Random random(4);
  const std::vector<double> lambda = random.vector(constraints.num_rows(), 1);
  constraints.jacobian(w, 0, c.s.q, values);
  constraints.multiply(values, c.s.u, rates);
  constraints.add_transpose(values, lambda, forces);
  double power = 0, expected = 0, size = 0;
  for (int k = 0; k < c.mechanism.num_u(); ++k) power += forces[k] * c.s.u[k], size += std::abs(forces[k] * c.s.u[k]);
  for (int i = 0; i < constraints.num_rows(); ++i) expected += lambda[i] * rates[i];
  EXPECT_NEAR(power, expected, 1e-14 * size * std::sqrt(double(constraints.num_entries())));
}

TEST(Constraints, AreTheSameTogetherAndOneByOne) {
  const ConstrainedMechanism c = random_constrained(5);
  const Constraints constraints(c.mechanism);
  Workspace w(c.mechanism);
  kinematics(w, c.s.q, c.s.u);
  std::vector<double> h(constraints.num_rows()), h2(h), G(constraints.num_entries()), G2(G);
  constraints.errors(w, 1, c.s.q, h);
  constraints.jacobian(w, 1, c.s.q, G);
  constraints.errors_and_jacobian(w, 1, c.s.q, h2, G2);
  EXPECT_EQ(h, h2);
  EXPECT_EQ(G, G2);
}

TEST(Constraints, DoNotAllocate) {
  const ConstrainedMechanism c = random_constrained(6);
  const Constraints constraints(c.mechanism);
  Workspace w(c.mechanism);
  kinematics(w, c.s.q, c.s.u);
  std::vector<double> h(constraints.num_rows()), G(constraints.num_entries()), f(c.mechanism.num_u());
  constraints.jacobian(w, 0, c.s.q, G);
  EXPECT_EQ(testing_support::allocations_in([&] {
              constraints.errors(w, 0, c.s.q, h);
              constraints.jacobian(w, 0, c.s.q, G);
              constraints.errors_and_jacobian(w, 0, c.s.q, h, G);
              constraints.rates(w, 0, c.s.q, h);
              constraints.multiply(G, c.s.u, h);
              constraints.add_transpose(G, h, f);
              constraints.velocity_errors(w, 0, c.s.q, c.s.u, h);
              constraints.acceleration_bias(w, 0, c.s.q, c.s.u, h);
              constraints.apply(w, 0, c.s.q, c.s.u, h);
              constraints.apply_transpose(w, 0, c.s.q, h, f);
            }),
            0);
}

TEST(Constraints, PatternIsSortedWithinEveryRow) {
  const ConstrainedMechanism c = random_constrained(7);
  const Constraints constraints(c.mechanism);
  for (int i = 0; i < constraints.num_rows(); ++i) {
    const auto columns = constraints.columns(i);
    EXPECT_TRUE(std::is_sorted(columns.begin(), columns.end())) << constraints.row_name(i);
    EXPECT_EQ(std::adjacent_find(columns.begin(), columns.end()), columns.end()) << constraints.row_name(i);
  }
}

/// A trunk of six hinges that forks into two arms of two.
MechanismBuilder fork() {
  MechanismBuilder builder;
  const auto add = [&](const std::string& name, const std::string& parent) {
    builder.add_body({.name = name, .mass = MassProperties::rod(1, {1, 0, 0})});
    builder.add_joint({.name = "at " + name, .parent = parent, .child = name, .placement = LocalPlacement{at(1, 0, 0), {}}});
  };
  add("t1", ground_name);
  for (int i = 2; i <= 6; ++i) add("t" + std::to_string(i), "t" + std::to_string(i - 1));
  add("a1", "t6"), add("a2", "a1"), add("b1", "t6"), add("b2", "b1");
  return builder;
}

std::set<std::string> speeds_of_row(const Constraints& constraints, int row) {
  std::set<std::string> names;
  for (const int k : constraints.columns(row)) names.insert(constraints.mechanism().speed_names()[k]);
  return names;
}

TEST(Constraints, ReachNoFurtherThanTheOutmostCommonAncestor) {
  MechanismBuilder builder = fork();
  builder.add_constraint({"", WireSpec{"a2", "b1", 0.5}});
  builder.add_constraint({"", CoincidentPointsSpec{"a2", "t6"}});
  builder.add_joint({.name = "pin", .parent = "a2", .child = "b2"});
  const Constraints constraints(builder.build());
  EXPECT_EQ(speeds_of_row(constraints, 0), (std::set<std::string>{"at a1'", "at a2'", "at b1'", "at b2'"}));  // the pin
  EXPECT_EQ(speeds_of_row(constraints, 5), (std::set<std::string>{"at a1'", "at a2'", "at b1'"}));            // the wire
  EXPECT_EQ(speeds_of_row(constraints, 6), (std::set<std::string>{"at a1'", "at a2'"}));                      // the point
}

// A direction that stays in Ground while both points turn together is not a matter of the path between them alone.
TEST(Constraints, AlongADirectionInGroundReachDownToGround) {
  MechanismBuilder builder = fork();
  builder.add_constraint({"", PointConstraintSpec{"a2", "b2", {0, 1, 0}}});
  EXPECT_EQ(Constraints(builder.build()).columns(0).size(), 10u);
}

TEST(Constraints, AreNamedAsTheUserKnowsThem) {
  MechanismBuilder builder = fork();
  builder.add_constraint({"", WireSpec{"a2", "b1", 0.5}});
  builder.add_constraint({"tie", CoincidentPointsSpec{"a2", "t6"}});
  builder.add_constraint({"", CouplerSpec{{{"at t1", 1}, {"at t2", 1}}}});
  builder.add_joint({.name = "pin", .parent = "a2", .child = "b2"});
  const Constraints constraints(builder.build());
  EXPECT_EQ(constraints.row_name(1), "joint \"pin\" row 2");
  EXPECT_EQ(constraints.row_name(5), "wire \"a2\" \"b1\"");
  EXPECT_EQ(constraints.row_name(8), "point-constraint \"tie\" row 3");
  EXPECT_EQ(constraints.row_name(9), "coupler \"at t1\" \"at t2\"");
  EXPECT_EQ(constraints.num_rows(RowLevel::position), constraints.num_rows());
}

// A wire pulled into a point has no direction; that must not make numbers that are none.
TEST(Constraints, OfAWireWithoutExtentAreFinite) {
  MechanismBuilder builder = fork();
  builder.add_frame({.name = "tip", .body = "a1", .X_BF = at(1, 0, 0)});
  builder.add_constraint({"", WireSpec{"a2", "tip", 0.5}});
  const Constraints constraints(builder.build());
  const std::vector<double> q(10, 0.3);
  EXPECT_EQ(errors(constraints, 0, q)[0], -0.5);
  EXPECT_EQ(dense_jacobian(constraints, 0, q).norm(), 0);
}

TEST(Constraints, AreNoneOfAMechanismWithoutAny) {
  const Constraints constraints(fork().build());
  Workspace w(constraints.mechanism());
  const std::vector<double> q(10);
  positions(w, q);
  constraints.errors_and_jacobian(w, 0, q, {}, {});
  EXPECT_EQ(constraints.num_rows(), 0);
  EXPECT_EQ(constraints.row_starts().size(), 1u);
}

}  // namespace
}  // namespace polhode::tree
