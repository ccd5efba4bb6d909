// What must be true of every joint type as a constraint between two frames: its rows are the exact complement of its motion.
#include <Eigen/LU>
#include <algorithm>

#include "joint_cases.h"

namespace polhode::test {
namespace {

double along(const Wrench<Dual<double>>& rate_of_gradient, const Motion<double>& V) {
  return dot(rate(rate_of_gradient.moment), V.angular) + dot(rate(rate_of_gradient.force), V.linear);
}
/// Pivots smaller than this part of the largest count as zero.
int rank(const Eigen::MatrixXd& A, double threshold) {
  return int(Eigen::FullPivLU<Eigen::MatrixXd>(A).setThreshold(threshold).rank());
}
Motion<Dual<double>> steady(const Motion<double>& V) { return cast<Dual<double>>(V); }

// Searched coordinates (no closed form) are right to 1e-15 in the error's slope; rows inherit that times the distance.
TEST(JointConstraint, ValueIsZeroOnTheJointsMotion) {
  for_all_joints([](const JointCase& c, Random& random) {
    const auto rows = c.rows(c.X_FM(random.coordinates(c)), random.motion());
    for (const auto& row : rows) EXPECT_NEAR(row.value, 0, c.closed_form ? 1e-14 : 1e-10);
  });
}

TEST(JointConstraint, GradientsAnnihilateTheMotionAndSpanItsComplement) {
  for_all_joints([](const JointCase& c, Random& random) {
    const auto q = random.coordinates(c);
    const auto rows = c.rows(c.X_FM(q), random.motion());
    const auto H = c.H_FM(q);
    Eigen::MatrixXd G(6, rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& [m, f] = rows[i].gradient;
      G.col(i) << m.x, m.y, m.z, f.x, f.y, f.z;
      for (const auto& column : H) EXPECT_NEAR(dot(rows[i].gradient, column), 0, c.closed_form ? 1e-13 : 1e-9) << "row " << i;
    }
    if (rows.empty()) return;
    // Gradients are unit vectors or so, with arms of up to 3 m; a lost row would show as a pivot at rounding level.
    EXPECT_EQ(rank(G, 1e-3), 6 - c.nv());
  });
}

// Off the joint's motion too: Newton iterations and drift correction start there. Types without closed form promise less.
TEST(JointConstraint, GradientIsTheDerivativeOfTheValueAtAnyPoseAndVelocity) {
  for_all_joints([](const JointCase& c, Random& random) {
    const Transform<double> X =
        c.closed_form ? Transform<double>{random.rotation(), random.vec3(2)} : c.X_FM(random.coordinates(c));
    const Motion<double> V = random.motion();
    const auto rows = c.rows(X, V);
    const auto rows_moving = c.rows(moving(X, V), steady(V));
    for (int i = 0; i < c.num_holonomic(); ++i)
      EXPECT_NEAR(rows_moving[i].value.slope, dot(rows[i].gradient, V), c.closed_form ? 1e-12 : 1e-7) << "row " << i;
  });
}

// d2g/dt2 = gradient . A + bias: with A = 0, the bias is d(gradient . V)/dt. A screw of lead 0.13 has terms V^2/lead of 100.
TEST(JointConstraint, BiasIsTheRateOfTheGradientAtAnyPoseAndVelocity) {
  for_all_joints([](const JointCase& c, Random& random) {
    if (!c.closed_form) return;
    const Transform<double> X{random.rotation(), random.vec3(2)};
    const Motion<double> V = random.motion();
    const auto rows = c.rows(X, V);
    const auto rows_moving = c.rows(moving(X, V), steady(V));
    for (int i = 0; i < c.num_rows(); ++i) EXPECT_NEAR(along(rows_moving[i].gradient, V), rows[i].bias, 1e-11) << "row " << i;
  });
}

// Along the joint's own motion every row stays zero, so its second derivative is zero: G (dH/dt) u + bias = 0.
TEST(JointConstraint, BiasCancelsTheJointsOwnAcceleration) {
  for_all_joints([](const JointCase& c, Random& random) {
    const auto q = random.coordinates(c), u = random.numbers(c.nv(), 2);
    const auto rows = c.rows(c.X_FM(q), velocity(c.H_FM(q), u));
    const Motion<double> A = c.Hdot_u(q, u);
    for (int i = 0; i < c.num_rows(); ++i)
      EXPECT_NEAR(dot(rows[i].gradient, A) + rows[i].bias, 0, c.closed_form ? 1e-12 : 1e-8) << "row " << i;
  });
}

// Rows that hold velocities only come last and have no value to correct.
TEST(JointConstraint, NonholonomicRowsHaveNoValueAnywhere) {
  for_all_joints([](const JointCase& c, Random& random) {
    const auto rows = c.rows(Transform<double>{random.rotation(), random.vec3(2)}, random.motion());
    for (int i = c.num_holonomic(); i < c.num_rows(); ++i) EXPECT_EQ(rows[i].value, 0);
  });
}

// The screw's fifth row knows turns: half a turn ahead along the thread it is zero again only with the advance that belongs.
TEST(JointConstraint, ScrewRowTiesTheAdvanceToTheAngle) {
  const Screw screw(0.1);
  ConstraintRow<double> rows[5];
  const double angle = 7;
  Transform<double> X = screw.X_FM(&angle);
  const double slip = 1e-4;  // sin(slip/lead) lead = slip to third order: 1e-10/6
  X.p.z += slip;
  screw.constraint_rows(X, Motion<double>{}, rows);
  EXPECT_NEAR(rows[4].value, -slip, 1e-9);
}

// A user's joint that says nothing about poses must find the same complement as the closed form does.
TEST(JointConstraint, DefaultRowsOfACustomJointSpanTheClosedFormsRows) {
  const auto cases = all_joint_cases();
  const auto find = [&](const char* name) {
    return *std::find_if(cases.begin(), cases.end(), [&](const JointCase& c) { return c.name == name; });
  };
  const JointCase custom = find("custom ball"), ball = find("spherical");
  Random random(3);
  const auto q = random.coordinates(ball);
  Eigen::MatrixXd G(6, 6);
  int column = 0;
  for (const JointCase& c : {custom, ball})
    for (const auto& row : c.rows(c.X_FM(q), Motion<double>{})) {
      const auto& [m, f] = row.gradient;
      G.col(column++) << m.x, m.y, m.z, f.x, f.y, f.z;
    }
  EXPECT_EQ(rank(G, 1e-10), 3);
}

}  // namespace
}  // namespace polhode::test
