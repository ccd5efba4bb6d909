#include "polhode/tree/velocity_analysis.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/mechanism/one_sided.h"
#include "polhode/tree/assembly_memory.h"
#include "polhode/tree/driven_motion.h"

namespace polhode::tree {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Linear equations A u = b.
struct Equations {
  Matrix A;
  Eigen::VectorXd b;
};

Equations constraint_equations(const State& state, const Constraints& constraints, Workspace& w) {
  const Eigen::Index m = constraints.num_rows();
  Equations e{Matrix::Zero(m, state.mechanism().num_u()), Eigen::VectorXd(m)};
  std::vector<double> values(constraints.num_entries()), h_t(constraints.num_rows());
  constraints.jacobian(w, state.time(), state.q(), values);
  constraints.rates(w, state.time(), state.q(), h_t);
  for (int row = 0; row < constraints.num_rows(); ++row) {
    if (constraints.level(row) == RowLevel::acceleration) {  // says nothing about speeds
      e.b[row] = 0;
      continue;
    }
    for (std::size_t k = 0; k < constraints.columns(row).size(); ++k)
      e.A(row, constraints.columns(row)[k]) = values[constraints.row_starts()[row] + k];
    e.b[row] = -h_t[row];
  }
  return e;
}

Equations goal_equations(const State& state, const VelocityGoals& goals, Workspace& w) {
  const Mechanism& m = state.mechanism();
  const Eigen::Index n = m.num_u();
  std::vector<double> J(6 * std::size_t(n));
  std::vector<Eigen::RowVectorXd> rows;
  std::vector<double> targets;
  const auto add = [&](const Vec3<double>& target, Eigen::Index first, double root) {
    const double parts[] = {target.x, target.y, target.z};
    for (Eigen::Index i = 0; i < 3; ++i) {
      if (!std::isfinite(parts[i])) throw std::invalid_argument("the goal of a frame's velocity is not finite");
      rows.emplace_back(root * Eigen::Map<Matrix>(J.data(), 6, n).row(first + i));
      targets.push_back(root * parts[i]);
    }
  };
  for (const FrameVelocityGoal& goal : goals.frames) {
    if (!(goal.weight >= 0)) throw std::invalid_argument(fmt::format("weight {} must be 0 or more", goal.weight));
    frame_jacobian(w, goal.frame, J);
    if (goal.angular) add(*goal.angular, 0, std::sqrt(goal.weight));
    if (goal.linear) add(*goal.linear, 3, std::sqrt(goal.weight));
  }
  for (const SpeedGoal& goal : goals.speeds) {
    if (!(goal.weight >= 0)) throw std::invalid_argument(fmt::format("weight {} must be 0 or more", goal.weight));
    rows.emplace_back(std::sqrt(goal.weight) * Eigen::RowVectorXd::Unit(n, goal.u));
    targets.push_back(std::sqrt(goal.weight) * goal.target);
  }
  Equations e{Matrix(Eigen::Index(rows.size()), n), Eigen::VectorXd(Eigen::Index(rows.size()))};
  for (std::size_t i = 0; i < rows.size(); ++i) e.A.row(Eigen::Index(i)) = rows[i], e.b[Eigen::Index(i)] = targets[i];
  return e;
}

/// Rows of length one that come nearer to each other than this, or to what others add up to, are redundant, as where
/// configurations are assembled.
constexpr double dependent = 3e-6;

/// Solves A (u + Z x) = b for x in the sense of least squares, adds Z x to u, and leaves in Z what A does not determine.
/// Equations that must hold are weighed alike, which tells those that depend on each other whatever their units; goals have
/// weights of their own.
void satisfy(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, bool must_hold, Eigen::VectorXd& u, Eigen::MatrixXd& Z) {
  if (A.rows() == 0 || Z.cols() == 0) return;
  Eigen::MatrixXd AZ = A * Z;
  Eigen::VectorXd weight = Eigen::VectorXd::Ones(A.rows());
  for (Eigen::Index i = 0; must_hold && i < A.rows(); ++i)
    if (const double size = AZ.row(i).norm(), whole = A.row(i).norm(); size > 1e-12 * whole) weight[i] = 1 / size;
  const double threshold = must_hold ? dependent : 1e-9;
  AZ = weight.asDiagonal() * AZ;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least;
  least.setThreshold(threshold);
  least.compute(AZ);
  u += Z * least.solve(weight.cwiseProduct(b - A * u));
  u += Z * least.solve(weight.cwiseProduct(b - A * u));  // what rounding left
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(threshold);
  qr.compute(AZ.transpose());
  const Eigen::MatrixXd Q = qr.householderQ();
  Z = Z * Q.rightCols(Z.cols() - qr.rank());
}

double largest(const Eigen::VectorXd& a) { return a.size() == 0 ? 0 : a.lpNorm<Eigen::Infinity>(); }

}  // namespace

VelocityAnalysis analyse_velocities(State& state, const VelocityGoals& goals, const std::vector<char>& held, double tolerance) {
  AssemblyMemory memory(state.mechanism());
  return analyse_velocities(state, goals, held, tolerance, memory);
}

VelocityAnalysis analyse_velocities(State& state, const VelocityGoals& goals, const std::vector<char>& held, double tolerance,
                                    AssemblyMemory& memory) {
  const Mechanism& m = state.mechanism();
  const int n = m.num_u();
  require_equations(m);
  Constraints& constraints = memory.constraints;
  Workspace& w = memory.workspace;
  constraints.set_active(state.enabled());
  follow_laws(state);
  kinematics(w, state.q(), state.u());
  VelocityAnalysis out;
  const Eigen::VectorXd asked = Eigen::Map<const Eigen::VectorXd>(state.u().data(), n);
  {  // Nothing to do is the common case, also of mechanisms that are too large for what follows.
    const NumbersOut rates = NumbersOut(memory.errors).first(std::size_t(constraints.num_rows()));
    constraints.velocity_errors(w, state.time(), state.q(), state.u(), rates);
    double worst = 0;
    for (const double rate : rates) worst = std::max(worst, std::abs(rate));
    if (worst <= exact_rates && goals.frames.empty() && goals.speeds.empty()) return out;
  }
  const Equations must = constraint_equations(state, constraints, w);
  const Equations should = goal_equations(state, goals, w);
  out.error_before = largest(must.A * asked - must.b);
  out.goal_before = out.goal_after = (should.A * asked - should.b).squaredNorm();

  Eigen::VectorXd u = asked;
  Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(n, n);
  Eigen::Index free = 0;
  for (int k = 0; k < n; ++k) {
    const bool driven = state.drives()[k] == Drive::position || state.drives()[k] == Drive::velocity;
    if (!driven && (held.empty() || held[k] == 0)) Z(k, free++) = 1;
  }
  Z.conservativeResize(n, free);
  satisfy(must.A, must.b, true, u, Z);
  const Eigen::VectorXd left = must.A * u - must.b;
  out.error_after = largest(left);
  // Rows that depend on each other miss being met together by as much as they miss each other.
  const Eigen::VectorXd allowed = tolerance + Constraints::gap * (must.A.cwiseAbs() * u.cwiseAbs()).array();
  for (int row = 0; row < constraints.num_rows(); ++row)
    if (!(std::abs(left[row]) <= allowed[row]))
      out.unmet.push_back({constraints.owner(row), constraints.row_of_owner(row), left[row]});
  out.met = out.unmet.empty();
  if (!out.met) return out;
  satisfy(should.A, should.b, false, u, Z);
  if (Z.cols() > 0 && largest(u - asked) > 0) {  // Z^T M (u + Z x - asked) = 0
    std::vector<double> entries(std::size_t(n) * n);
    mass_matrix(w, state.q(), entries);
    const Eigen::Map<Matrix> M(entries.data(), n, n);
    const Eigen::MatrixXd ZM = Z.transpose() * M;
    const Eigen::VectorXd x = (ZM * Z).completeOrthogonalDecomposition().solve(ZM * (asked - u));
    u += Z * x;
  }
  out.error_after = largest(must.A * u - must.b);
  out.goal_after = (should.A * u - should.b).squaredNorm();
  out.changed = largest(u - asked);
  if (out.changed > 0) state.set_u({u.data(), std::size_t(n)});
  return out;
}

}  // namespace polhode::tree
