#include "tests/oracle/maximal_variational.h"

#include <Eigen/QR>
#include <cmath>
#include <limits>

namespace polhode::oracle::maximal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// s = (v, omega) of every body, then lambda.
void velocities_from(const VectorXd& s, Motions& motions) {
  for (std::size_t b = 0; b < motions.size(); ++b) {
    motions[b].v = s.segment<3>(6 * Eigen::Index(b));
    motions[b].omega = s.segment<3>(6 * Eigen::Index(b) + 3);
  }
}

/// D of exp(xi + d) = exp(xi) exp(D d): the sum of (-[xi])^k / (k + 1)!.
Matrix3d differential_of_exponential(const Vector3d& xi) {
  Matrix3d sum = Matrix3d::Identity(), term = sum;
  for (int k = 1; k < 30; ++k) {
    term = term * -skew(xi) / (k + 1);
    sum += term;
  }
  return sum;
}

Vector4d turn_of(TurnRule rule, double h, const Vector3d& omega) {
  Vector4d turn;
  if (rule == TurnRule::chord) {
    turn << std::sqrt(4 / (h * h) - omega.squaredNorm()), omega;
    return h / 2 * turn;
  }
  const double angle = h * omega.norm();
  turn << std::cos(angle / 2), (angle == 0 ? h / 2 : std::sin(angle / 2) * h / angle) * omega;
  return turn;
}
/// Its derivative by omega.
Eigen::Matrix<double, 4, 3> turn_by_omega(TurnRule rule, double h, const Vector3d& omega) {
  Eigen::Matrix<double, 4, 3> by_omega;
  if (rule == TurnRule::chord) {
    by_omega << -omega.transpose() / std::sqrt(4 / (h * h) - omega.squaredNorm()), Matrix3d::Identity();
    return h / 2 * by_omega;
  }
  return L(turn_of(rule, h, omega)) * V().transpose() * differential_of_exponential(h * omega) * h / 2;
}

/// (27) and (32): where the bodies are a step after `from`, at the velocities of s.
Motions moved(const Motions& from, const VectorXd& s, double h, TurnRule rule = TurnRule::chord) {
  Motions to = from;
  velocities_from(s, to);
  for (std::size_t b = 0; b < to.size(); ++b) {
    to[b].x = from[b].x + h * to[b].v;
    to[b].q = L(from[b].q) * turn_of(rule, h, to[b].omega);
  }
  return to;
}

/// d g(x_3, q_3) / d(v_2, omega_2): the chain rule through (27) and (32).
MatrixXd gradients_by_velocity(const System& system, const Motions& from, const Motions& to, double h,
                               TurnRule rule = TurnRule::chord) {
  const MatrixXd full = gradients(system, to);
  MatrixXd G(full.rows(), 6 * Eigen::Index(to.size()));
  for (std::size_t i = 0; i < to.size(); ++i) {
    const Eigen::Index b = Eigen::Index(i);
    G.middleCols<3>(6 * b) = h * full.middleCols<3>(7 * b);
    G.middleCols<3>(6 * b + 3) = full.middleCols<4>(7 * b + 3) * L(from[i].q) * turn_by_omega(rule, h, to[i].omega);
  }
  return G;
}

struct TurnMomenta {
  Vector3d beginning, end;
};
TurnMomenta momenta(TurnRule rule, double h, const Matrix3d& J, const Vector3d& omega) {
  const Vector3d A = J * omega, n = h / 2 * omega;
  if (rule == TurnRule::chord) {
    const double e = std::sqrt(1 - n.squaredNorm());
    return {e * A + n.cross(A), e * A - n.cross(A)};
  }
  const Matrix3d D = differential_of_exponential(h * omega);
  return {D.inverse() * A, D.transpose().inverse() * A};
}
/// By differences: good to some 1e-9, which Newton's iteration does not mind.
Matrix3d beginning_by_omega(TurnRule rule, double h, const Matrix3d& J, const Vector3d& omega) {
  const double small = 1e-5 / h;
  Matrix3d out;
  for (int i = 0; i < 3; ++i) {
    const Vector3d shift = small * Vector3d::Unit(i);
    out.col(i) = (momenta(rule, h, J, omega + shift).beginning - momenta(rule, h, J, omega - shift).beginning) / (2 * small);
  }
  return out;
}

/// The smallest solution when constraints are redundant.
VectorXd solved(const MatrixXd& A, const VectorXd& b) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(1e-10);
  return decomposition.compute(A).solve(b);
}

struct Equations {
  VectorXd f;
  MatrixXd F;
};
/// (36) to (39) with a backtracking line search. `equations(s)` gives f and its Jacobian, of which the first 6 n rows are
/// momenta and the others lengths. They are solved in units in which all entries are like masses.
template <class F>
bool newton(const F& equations, int n, double h, VectorXd& s, int& iterations) {
  const Eigen::Index velocities = 6 * n, rows = s.size() - velocities;
  VectorXd row_unit(s.size());
  row_unit << VectorXd::Ones(velocities), VectorXd::Constant(rows, 1 / h);
  const auto size_of = [&](const VectorXd& f) {
    const double size = row_unit.cwiseProduct(f).norm();
    return std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
  };
  for (iterations = 1; iterations <= 50; ++iterations) {
    const Equations now = equations(s);
    const VectorXd change = solved(row_unit.asDiagonal() * now.F, row_unit.cwiseProduct(now.f));
    if (!change.allFinite()) return false;
    // Displacements below this are rounding of lengths of order one.
    if (h * change.head(velocities).norm() < 2e-15 * double(n)) {
      s -= change;  // multipliers may still be far off, when the velocities were guessed right
      return true;
    }
    const double before = size_of(now.f);
    double part = 1;
    while (part > 1e-6 && size_of(equations(s - part * change).f) >= before) part /= 2;
    if (part <= 1e-6) return h * change.head(velocities).norm() < 1e-11;  // nothing left but rounding
    s -= part * change;
  }
  return false;
}

}  // namespace

Step first_order_step(const System& system, double h, Motions& motions) {
  const int n = int(motions.size()), rows = system.num_rows();
  const Motions known = motions;  // x_2, q_2, v_1, omega_1
  const MatrixXd G = rotational_gradients(system, known);

  // f = (h d_T, h d_R; g), unknowns v_2, omega_2, h lambda_2.
  const auto equations = [&](const VectorXd& s) {
    const Motions next = moved(known, s, h);
    const VectorXd lambda = s.tail(rows) / h;
    Equations out{VectorXd::Zero(s.size()), MatrixXd::Zero(s.size(), s.size())};
    for (int b = 0; b < n; ++b) {
      const Body& body = system.bodies[std::size_t(b)];
      const Matrix3d& J = body.inertia;
      const Motion& one = known[std::size_t(b)];
      const Vector3d &v1 = one.v, &w1 = one.omega, &v2 = next[std::size_t(b)].v, &w2 = next[std::size_t(b)].omega;
      const double root1 = std::sqrt(4 / (h * h) - w1.squaredNorm()), root2 = std::sqrt(4 / (h * h) - w2.squaredNorm());
      const Vector3d tau2 = torque(system, b, one), F2 = force(system, b, one);  // gravity is in F
      const Vector3d d_T = body.mass * (v2 - v1) / h - F2 - G.middleCols<3>(6 * b).transpose() * lambda;
      const Vector3d d_R = J * w2 * root2 + skew(w2) * J * w2 - J * w1 * root1 + skew(w1) * J * w1 - 2 * tau2 -
                           G.middleCols<3>(6 * b + 3).transpose() * lambda;
      out.f.segment<3>(6 * b) = h * d_T;
      out.f.segment<3>(6 * b + 3) = h * d_R;
      out.F.block<3, 3>(6 * b, 6 * b) = body.mass * Matrix3d::Identity();
      out.F.block<3, 3>(6 * b + 3, 6 * b + 3) = h * (root2 * J - J * w2 * w2.transpose() / root2 + skew(w2) * J - skew(J * w2));
    }
    out.F.topRightCorner(6 * n, rows) = -G.transpose();  // (38) leaves the sign out
    out.f.tail(rows) = errors(system, next);
    out.F.bottomLeftCorner(rows, 6 * n) = gradients_by_velocity(system, known, next, h);
    return out;
  };

  VectorXd s = VectorXd::Zero(6 * n + rows);
  for (int b = 0; b < n; ++b) s.segment<6>(6 * b) << known[std::size_t(b)].v, known[std::size_t(b)].omega;
  Step step;
  step.converged = newton(equations, n, h, s, step.iterations);
  step.lambda = s.tail(rows) / h;
  motions = moved(known, s, h);
  return step;
}

Step second_order_step(const System& system, double h, Motions& motions, TurnRule rule, Motions* halfway) {
  const int n = int(motions.size()), rows = system.num_rows();
  const Motions known = motions;
  const MatrixXd G = jacobian(system, known);

  const auto equations = [&](const VectorXd& s) {
    const Motions next = moved(known, s, h, rule);
    Equations out{VectorXd::Zero(s.size()), MatrixXd::Zero(s.size(), s.size())};
    for (int b = 0; b < n; ++b) {
      const Body& body = system.bodies[std::size_t(b)];
      const Matrix3d& J = body.inertia;
      const Motion& now = known[std::size_t(b)];
      const Vector3d &v = next[std::size_t(b)].v, &w = next[std::size_t(b)].omega;
      out.f.segment<3>(6 * b) = body.mass * (v - now.v) - h / 2 * force(system, b, now);
      out.f.segment<3>(6 * b + 3) = momenta(rule, h, J, w).beginning - J * now.omega - h / 2 * torque(system, b, now);
      out.F.block<3, 3>(6 * b, 6 * b) = body.mass * Matrix3d::Identity();
      out.F.block<3, 3>(6 * b + 3, 6 * b + 3) = beginning_by_omega(rule, h, J, w);
    }
    out.f.head(6 * n) -= G.transpose() * s.tail(rows);
    out.F.topRightCorner(6 * n, rows) = -G.transpose();
    out.f.tail(rows) = errors(system, next);
    out.F.bottomLeftCorner(rows, 6 * n) = gradients_by_velocity(system, known, next, h, rule);
    return out;
  };

  VectorXd s = VectorXd::Zero(6 * n + rows);
  for (int b = 0; b < n; ++b) s.segment<6>(6 * b) << known[std::size_t(b)].v, known[std::size_t(b)].omega;
  Step step;
  step.converged = newton(equations, n, h, s, step.iterations);
  step.lambda = s.tail(rows);
  motions = moved(known, s, h, rule);
  if (halfway) *halfway = motions;

  // The momenta at the end, and the nearest velocities that keep the constraints: [M -G^T; G 0] (v, omega, mu) = (p, 0).
  MatrixXd A = MatrixXd::Zero(6 * n + rows, 6 * n + rows);
  VectorXd p = VectorXd::Zero(6 * n + rows);
  for (int b = 0; b < n; ++b) {
    const Body& body = system.bodies[std::size_t(b)];
    const Motion& end = motions[std::size_t(b)];
    A.block<3, 3>(6 * b, 6 * b) = body.mass * Matrix3d::Identity();
    A.block<3, 3>(6 * b + 3, 6 * b + 3) = body.inertia;
    p.segment<3>(6 * b) = body.mass * end.v + h / 2 * force(system, b, end);
    p.segment<3>(6 * b + 3) = momenta(rule, h, body.inertia, end.omega).end + h / 2 * torque(system, b, end);
  }
  const MatrixXd G_end = jacobian(system, motions);
  A.topRightCorner(6 * n, rows) = -G_end.transpose();
  A.bottomLeftCorner(rows, 6 * n) = G_end;
  const VectorXd ended = solved(A, p);
  velocities_from(ended, motions);
  step.mu = ended.tail(rows);
  return step;
}

}  // namespace polhode::oracle::maximal
