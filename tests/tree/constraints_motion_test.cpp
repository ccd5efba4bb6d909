// Constraints on a mechanism that moves, against their definitions differentiated by dual numbers.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "polhode/tree/constraints.h"
#include "tests/oracle/constraint_rows.h"
#include "tests/support/near.h"
#include "tests/support/random_constraints.h"

namespace polhode::tree {
namespace {

using testing_support::ConstrainedMechanism;
using testing_support::near_numbers;
using testing_support::random_constrained;
using Vector = std::vector<double>;

constexpr double t = 0.7;

ConstrainedMechanism mechanism_of(unsigned seed) { return random_constrained(seed, {.floating = seed % 3 == 0}); }

/// By element; empty where there is no closed form.
template <class T>
std::vector<std::vector<oracle::RowMotion<T>>> defined_rows(const oracle::Moving<T>& moving) {
  const Mechanism& m = moving.mechanism;
  const oracle::ConstraintRows<T> rows(moving);
  std::vector<std::vector<oracle::RowMotion<T>>> all;
  for (const LoopJoint& joint : m.loop_joints()) {
    const bool closed_form =
        !std::holds_alternative<FunctionBased>(joint.model) && !std::holds_alternative<Custom>(joint.model);
    all.push_back(closed_form ? rows(joint) : std::vector<oracle::RowMotion<T>>{});
  }
  for (const Constraint& constraint : m.constraints()) all.push_back(std::visit(rows, constraint.model));
  return all;
}

/// What each row should be, where the definition gives it; compared row by row.
template <class T, class Number>
void expect_rows(const Constraints& constraints, const Vector& actual, const oracle::Moving<T>& moving, const Number& number,
                 double tolerance) {
  const auto rows = defined_rows(moving);
  int compared = 0;
  for (int i = 0; i < constraints.num_rows(); ++i) {
    const auto& of_element = rows[std::size_t(constraints.element(i))];
    if (of_element.empty()) continue;
    ASSERT_LT(constraints.row_of_owner(i), int(of_element.size())) << constraints.row_name(i);
    const double expected = number(of_element[std::size_t(constraints.row_of_owner(i))]);
    EXPECT_NEAR(actual[std::size_t(i)], expected, tolerance * (1 + std::abs(expected))) << constraints.row_name(i);
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

struct Evaluated {
  explicit Evaluated(const ConstrainedMechanism& mechanism) : c(mechanism), constraints(c.mechanism), w(c.mechanism) {
    const std::size_t m = std::size_t(constraints.num_rows());
    for (Vector* v : {&h, &e, &b}) v->resize(m);
    kinematics(w, c.s.q, c.s.u);
    constraints.errors(w, t, c.s.q, h);
    constraints.velocity_errors(w, t, c.s.q, c.s.u, e);
    constraints.acceleration_bias(w, t, c.s.q, c.s.u, b);
  }
  ConstrainedMechanism c;
  Constraints constraints;
  Workspace w;
  Vector h, e, b;
};

// Trees of 22 bodies reach 10 m and 30 m/s, and accelerations of 1e3 m/s^2 that cancel in the rows: 1e3 x 22 x eps, times
// 1/lead = 10 for screws.
constexpr double rounding = 1e-10;

TEST(MovingConstraints, ErrorsAreTheirDefinitions) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Evaluated at(mechanism_of(seed));
    expect_rows(
        at.constraints, at.h, oracle::moving(at.c.mechanism, t, at.c.s.q, at.c.s.u), [](const auto& row) { return row.error; },
        rounding);
  }
}

TEST(MovingConstraints, VelocityErrorsAreTheDefinitionsSlopes) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Evaluated at(mechanism_of(seed));
    expect_rows(
        at.constraints, at.e, oracle::moving(at.c.mechanism, t, at.c.s.q, at.c.s.u), [](const auto& row) { return row.rate; },
        rounding);
  }
}

TEST(MovingConstraints, BiasIsMinusTheSecondSlopeAtConstantSpeeds) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Evaluated at(mechanism_of(seed));
    expect_rows(
        at.constraints, at.b, oracle::moving_twice(at.c.mechanism, t, at.c.s.q, at.c.s.u),
        [](const oracle::RowMotion<oracle::Dual1>& row) { return -row.rate.slope; }, rounding);
  }
}

// The Jacobian column by column: what a unit speed does to the rate. Rows at acceleration level are those of their own speeds.
TEST(MovingConstraints, JacobianOfRowsThatHoldVelocitiesIsTheSlopeOfTheirRate) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    const ConstrainedMechanism c = mechanism_of(seed);
    const Constraints constraints(c.mechanism);
    Workspace w(c.mechanism);
    positions(w, c.s.q);
    const Vector G = constraints.matrix(w, t, c.s.q);
    const int n = c.mechanism.num_u();
    const Vector still(std::size_t(n), 0.0);
    const auto resting = defined_rows(oracle::moving(c.mechanism, t, c.s.q, still));
    for (int k = 0; k < n; ++k) {
      Vector u = still;
      u[std::size_t(k)] = 1;
      const auto rows = defined_rows(oracle::moving(c.mechanism, t, c.s.q, u));
      for (int i = 0; i < constraints.num_rows(); ++i) {
        const std::size_t element = std::size_t(constraints.element(i)), row = std::size_t(constraints.row_of_owner(i));
        if (rows[element].empty() || constraints.level(i) == RowLevel::acceleration) continue;
        EXPECT_NEAR(G[std::size_t(i * n + k)], rows[element][row].rate - resting[element][row].rate, rounding)
            << constraints.row_name(i) << ", speed " << c.mechanism.speed_names()[std::size_t(k)];
      }
    }
  }
}

// The closed forms of the two users' constraints of random_constraints.h, whose biases come from differences.
template <class T>
std::vector<T> users_rates(const oracle::Moving<T>& m, int element_drift) {
  const auto& constraints = m.mechanism.constraints();
  const auto& model = *std::get<std::shared_ptr<const CustomConstraint>>(constraints[std::size_t(element_drift)].model);
  const auto bodies = model.bodies();
  const int u = model.speeds()[0];
  int q = 0;
  for (const Joint& joint : m.mechanism.joints())
    if (joint.first_u == u && joint.nu == 1) q = joint.first_q;
  const auto &A = m.X_WB[std::size_t(bodies[0])], &B = m.X_WB[std::size_t(bodies[1])];
  const Vec3<Dual<T>> n = cast<Dual<T>>(Vec3<double>{0.6, -0.48, 0.64});
  const auto [sin_t, cos_t] = sin_cos(m.t);
  const Dual<T> x = m.q[std::size_t(q)], half(0.5);
  const Dual<T> h0 = dot(n, B.p - A.p) + half * x * x - sin_t, h1 = dot(A.R.col[2], B.R.col[2]) - half * cos_t;
  const T v =
      dot(oracle::value(A.R.col[2]), oracle::slope(B.p) - oracle::slope(A.p)) + x.value * m.u[std::size_t(u)] - cos_t.value;
  return {h0.slope, h1.slope, v};
}

TEST(MovingConstraints, OfUsersTakeTheirBiasFromDifferences) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const Evaluated at(mechanism_of(seed));
    const Mechanism& m = at.c.mechanism;
    const int drift = int(m.constraints().size()) - 2, last = at.constraints.num_rows() - 1;
    const Vector rates = users_rates(oracle::moving(m, t, at.c.s.q, at.c.s.u), drift);
    const auto twice = users_rates(oracle::moving_twice(m, t, at.c.s.q, at.c.s.u), drift);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(at.e[std::size_t(last - 3 + i)], rates[std::size_t(i)], rounding);
      // dt = 5e-4: truncation dt^4/30 times fifth derivatives, rounding eps/dt of rates of 30 m/s.
      const double expected = -twice[std::size_t(i)].slope;
      EXPECT_NEAR(at.b[std::size_t(last - 3 + i)], expected, 1e-9 * (1 + std::abs(expected)))
          << "seed " << seed << ", row " << i;
    }
    EXPECT_EQ(at.e[std::size_t(last)], 0);
    EXPECT_EQ(at.h[std::size_t(last)], 0);
    EXPECT_EQ(at.b[std::size_t(last)], std::sin(t));
  }
}

TEST(MovingConstraints, ProductsBySweepsAreThoseOfTheMatrix) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const ConstrainedMechanism c = mechanism_of(seed);
    const Constraints constraints(c.mechanism);
    Workspace w(c.mechanism);
    positions(w, c.s.q);
    testing_support::Random random(seed);
    const std::size_t m = std::size_t(constraints.num_rows()), n = std::size_t(c.mechanism.num_u());
    const Vector u = random.vector(int(n), 1), lambda = random.vector(int(m), 1);
    Vector values(std::size_t(constraints.num_entries())), Gu(m), expected_Gu(m), tau(n), expected_tau(n);
    constraints.jacobian(w, t, c.s.q, values);
    constraints.multiply(values, u, expected_Gu);
    constraints.add_transpose(values, lambda, expected_tau);
    constraints.apply(w, t, c.s.q, u, Gu);
    constraints.apply_transpose(w, t, c.s.q, lambda, tau);
    EXPECT_TRUE(near_numbers(Gu, expected_Gu, 1e-13, 1)) << "seed " << seed;
    EXPECT_TRUE(near_numbers(tau, expected_tau, 1e-13, 1)) << "seed " << seed;
  }
}

TEST(MovingConstraints, MatrixByLevelsIsTheWholeSorted) {
  const ConstrainedMechanism c = mechanism_of(2);
  const Constraints constraints(c.mechanism);
  Workspace w(c.mechanism);
  positions(w, c.s.q);
  const std::size_t n = std::size_t(c.mechanism.num_u());
  const Vector G = constraints.matrix(w, t, c.s.q);
  for (const RowLevel level : {RowLevel::position, RowLevel::velocity, RowLevel::acceleration}) {
    const Vector part = constraints.matrix(w, t, c.s.q, level);
    ASSERT_EQ(part.size(), n * std::size_t(constraints.num_rows(level)));
    EXPECT_GT(part.size(), 0u);
    auto at = part.begin();
    for (int i = 0; i < constraints.num_rows(); ++i)
      if (constraints.level(i) == level) {
        EXPECT_TRUE(std::equal(at, at + long(n), G.begin() + long(n) * i));
        at += long(n);
      }
  }
}

// A rigid motion of everything touched does no work against rows that depend on relative poses: those of a floating tree give
// nothing to the speeds of its root, and forces of velocities that keep the rows have no power.
TEST(MovingConstraints, HaveNoPowerOnVelocitiesThatKeepThem) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    MechanismBuilder builder = testing_support::random_description(seed);
    const Mechanism tree = builder.build();
    builder.add_frame({.name = "a", .body = tree.bodies()[3].name, .X_BF = at(0.3, 0, 0.1)});
    builder.add_frame({.name = "b", .body = tree.bodies()[9].name, .X_BF = at(0, 0.2, 0)});
    builder.add_frame({.name = "c", .body = tree.bodies()[15].name, .X_BF = at(0, -0.2, 0.3)});
    builder.add_constraint({"", WireSpec{"a", "b", 1}});
    builder.add_constraint({"", RollingDiskSpec{"b", "c", 0.3}});
    builder.add_constraint({"", ConstantAngleSpec{"a", "c", {1, 0, 0}, {0, 1, 0}, 1}});
    builder.add_constraint({"", NoSlipSpec{"b", "a", "c", {0, 0, 1}}});
    const Mechanism m = builder.build();
    const auto s = testing_support::random_state(m, seed);
    const Constraints constraints(m);
    Workspace w(m);
    positions(w, s.q);
    const Vector entries = constraints.matrix(w, 0, s.q);
    const Eigen::MatrixXd G =
        Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(entries.data(), constraints.num_rows(), m.num_u());
    const Eigen::Map<const Eigen::VectorXd> u(s.u.data(), m.num_u());
    const Eigen::VectorXd kept = u - G.completeOrthogonalDecomposition().solve(G * u);
    testing_support::Random random(seed);
    const Vector lambda = random.vector(constraints.num_rows(), 1);
    Vector tau(std::size_t(m.num_u()));
    constraints.apply_transpose(w, 0, s.q, lambda, tau);
    const Eigen::Map<const Eigen::VectorXd> force(tau.data(), m.num_u());
    EXPECT_LE(std::abs(force.dot(kept)), 1e-13 * force.norm() * kept.norm()) << "seed " << seed;
  }
}

TEST(MovingConstraints, ThatAreDisabledLeaveNoRows) {
  const ConstrainedMechanism c = mechanism_of(4);
  const Constraints all(c.mechanism);
  Workspace w(c.mechanism);
  kinematics(w, c.s.q, c.s.u);
  std::vector<char> enabled(std::size_t(c.mechanism.num_constraint_elements()));
  for (std::size_t i = 0; i < enabled.size(); ++i) enabled[i] = i % 3 != 1;
  const Constraints some(c.mechanism, enabled);
  Vector b_all(std::size_t(all.num_rows())), b(std::size_t(some.num_rows()));
  all.acceleration_bias(w, t, c.s.q, c.s.u, b_all);
  some.acceleration_bias(w, t, c.s.q, c.s.u, b);
  int row = 0;
  for (int i = 0; i < all.num_rows(); ++i) {
    if (!enabled[std::size_t(all.element(i))]) continue;
    ASSERT_LT(row, some.num_rows());
    EXPECT_EQ(some.row_name(row), all.row_name(i));
    EXPECT_EQ(some.element(row), all.element(i));
    EXPECT_NEAR(b[std::size_t(row)], b_all[std::size_t(i)], 1e-9 * (1 + std::abs(b_all[std::size_t(i)]))) << all.row_name(i);
    ++row;
  }
  EXPECT_EQ(row, some.num_rows());
  EXPECT_THROW(Constraints(c.mechanism, std::vector<char>(3)), std::invalid_argument);
}

// Bias accelerations are worked out beside what forward dynamics keeps in the workspace.
TEST(MovingConstraints, DoNotDisturbForwardDynamics) {
  const ConstrainedMechanism c = mechanism_of(5);
  const Constraints constraints(c.mechanism);
  Workspace w(c.mechanism);
  const std::vector<Wrench<double>> none(std::size_t(c.mechanism.num_bodies()));
  Vector expected(c.s.u.size()), u_dot(c.s.u.size()), b(std::size_t(constraints.num_rows())), f(c.s.u.size());
  kinematics(w, c.s.q, c.s.u);
  forward_dynamics_moved(w, c.s.tau, none, expected);
  const Motion<double> A = acceleration(w, 7);
  constraints.acceleration_bias(w, t, c.s.q, c.s.u, b);
  constraints.velocity_errors(w, t, c.s.q, c.s.u, b);
  constraints.apply(w, t, c.s.q, c.s.u, b);
  constraints.apply_transpose(w, t, c.s.q, b, f);
  EXPECT_EQ(acceleration(w, 7).linear, A.linear);
  forward_dynamics_moved(w, c.s.tau, none, u_dot);
  EXPECT_EQ(u_dot, expected);
}

// A user's own bias is taken as it is given.
class Given final : public CustomConstraint {
 public:
  int num_rows() const override { return 1; }
  std::vector<int> speeds() const override { return {0}; }
  void errors(const ConstraintConfiguration& at, std::span<double> h) const override { h[0] = at.q[0]; }
  void gradient(const ConstraintConfiguration&, int, ConstraintGradient& out) const override { out.on_speed[0] = 1; }
  bool acceleration_bias(const ConstraintConfiguration&, const ConstraintMotion& motion, std::span<double> b) const override {
    b[0] = 3 * motion.u[0] + motion.q_dot[0];
    return true;
  }
};
TEST(MovingConstraints, OfUsersMayGiveTheirBias) {
  MechanismBuilder builder;
  builder.add_body({.name = "rod", .mass = MassProperties::rod(1, {1, 0, 0})});
  builder.add_joint({.name = "pin", .child = "rod"});
  builder.add_constraint({"given", [](const Mechanism&) { return std::make_shared<Given>(); }});
  const Mechanism m = builder.build();
  const Constraints constraints(m);
  Workspace w(m);
  const Vector q{0.3}, u{2};
  Vector b(1);
  kinematics(w, q, u);
  constraints.acceleration_bias(w, 0, q, u, b);
  EXPECT_EQ(b[0], 8);
}

}  // namespace
}  // namespace polhode::tree
