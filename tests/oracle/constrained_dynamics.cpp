#include "tests/oracle/constrained.h"

#include <Eigen/Dense>
#include <stdexcept>

#include "tests/oracle/constraint_rows.h"

namespace polhode::oracle {
namespace {

Eigen::VectorXd eigen(const Vector& x) { return Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size())); }
Vector numbers(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

/// The accelerations of all rows, G du/dt - b: the slopes of dh/dt and of v along the curve. Rows at acceleration level have
/// theirs without the du/dt that they hold.
Eigen::VectorXd row_accelerations(const Mechanism& mechanism, double t, const Vector& q, const Vector& u, const Vector& u_dot,
                                  std::span<const char> enabled) {
  const std::vector<Dual1> q1 = along(q, rates(mechanism, q, u)), u1 = along(u, u_dot);
  const std::vector<Dual2> q2 = along(q1, rates(mechanism, q1, u1));
  const Moving<Dual1> moving{mechanism, poses(mechanism, q2), q2, u1, {{t, 1}, {1, 0}}};
  const ConstraintRows<Dual1> rows_of(moving);

  Vector out;
  std::size_t element = 0;
  const auto takes_part = [&] { return enabled.empty() || enabled[element] != 0; };
  for (const LoopJoint& joint : mechanism.loop_joints()) {
    if (takes_part()) {
      if (std::holds_alternative<FunctionBased>(joint.model) || std::holds_alternative<Custom>(joint.model))
        throw std::invalid_argument("the oracle cannot differentiate the rows of joint " + joint.name);
      for (const auto& row : rows_of(joint)) out.push_back(row.rate.slope);
    }
    ++element;
  }
  for (const Constraint& constraint : mechanism.constraints()) {
    if (takes_part()) {
      if (std::holds_alternative<std::shared_ptr<const CustomConstraint>>(constraint.model))
        throw std::invalid_argument("the oracle cannot differentiate " + constraint.description);
      const auto* held = std::get_if<ConstantAcceleration>(&constraint.model);
      for (const auto& row : std::visit(rows_of, constraint.model))
        out.push_back(row.rate.slope + (held ? u_dot[std::size_t(held->speed.u)] : 0));
    }
    ++element;
  }
  return eigen(out);
}

}  // namespace

ConstraintEquations constraint_equations(const Mechanism& mechanism, double t, const Vector& q, const Vector& u,
                                         std::span<const char> enabled) {
  const int n = mechanism.num_u();
  Vector u_dot(std::size_t(n), 0.0);
  ConstraintEquations out;
  out.b = -row_accelerations(mechanism, t, q, u, u_dot, enabled);
  out.G.resize(out.b.size(), n);
  for (int i = 0; i < n; ++i) {  // linear in du/dt, so one at a time is exact
    u_dot[std::size_t(i)] = 1;
    out.G.col(i) = row_accelerations(mechanism, t, q, u, u_dot, enabled) + out.b;
    u_dot[std::size_t(i)] = 0;
  }
  return out;
}

ConstrainedAccelerations constrained_accelerations(const Mechanism& mechanism, double t, const Vector& q, const Vector& u,
                                                   const Vector& tau, const Prescribed& prescribed,
                                                   std::span<const char> enabled) {
  const int n = mechanism.num_u();
  const ConstraintEquations rows = constraint_equations(mechanism, t, q, u, enabled);
  const Eigen::MatrixXd M = mass_matrix(mechanism, q);
  const Eigen::VectorXd f = eigen(tau) - eigen(inverse_dynamics(mechanism, q, u, Vector(std::size_t(n), 0.0)));

  std::vector<int> free, driven;
  for (int i = 0; i < n; ++i)
    (!prescribed.driven.empty() && prescribed.driven[std::size_t(i)] != 0 ? driven : free).push_back(i);
  Eigen::VectorXd u_dot = Eigen::VectorXd::Zero(n);
  for (const int i : driven) u_dot[i] = prescribed.u_dot[std::size_t(i)];

  // [M_ff G_f^T; G_f 0] [a_f; lambda] = [f_f - M_fp a_p; b - G_p a_p], (8.30), (8.31), (8.33), (8.34)
  const Eigen::Index nf = Eigen::Index(free.size()), m = rows.b.size();
  const Eigen::MatrixXd G_f = rows.G(Eigen::all, free);
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(nf + m, nf + m);
  kkt.topLeftCorner(nf, nf) = M(free, free);
  kkt.topRightCorner(nf, m) = G_f.transpose();
  kkt.bottomLeftCorner(m, nf) = G_f;
  Eigen::VectorXd right(nf + m);
  right << Eigen::VectorXd(f - M * u_dot)(free), rows.b - rows.G * u_dot;

  // Of all solutions the shortest: du/dt is unique where M is positive, so that is the shortest lambda. What is rounding and
  // what is rank is told at 1e-11 of the largest pivot; lengths, masses and speeds of order one are assumed.
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(1e-11);
  solver.compute(kkt);
  const Eigen::VectorXd x = solver.solve(right);
  for (Eigen::Index i = 0; i < nf; ++i) u_dot[free[std::size_t(i)]] = x[i];
  const Eigen::VectorXd lambda = x.tail(m), total = M * u_dot + rows.G.transpose() * lambda - f;  // (8.35)

  ConstrainedAccelerations out{numbers(u_dot), numbers(lambda), Vector(std::size_t(n), 0.0)};
  for (const int i : driven) out.motion_forces[std::size_t(i)] = total[i];
  return out;
}

}  // namespace polhode::oracle
