#include "polhode/study/inverse_dynamics.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/mechanism/one_sided.h"
#include "polhode/tree/applied_forces.h"
#include "polhode/tree/constraints.h"

namespace polhode::study {
namespace {

/// Actuators and constraints share the generalized forces that a motion takes.
class ForceSharing {
 public:
  ForceSharing(const Mechanism& m, const std::vector<char>& actuators) : n_(m.num_u()) {
    B_ = Eigen::MatrixXd::Zero(n_, n_);
    for (int u = 0; u < n_; ++u)
      if (actuators.empty() || actuators[std::size_t(u)] != 0) B_(u, int(where_.size())) = 1, where_.push_back(u);
    B_.conservativeResize(n_, Eigen::Index(where_.size()));
  }
  /// Every speed has an actuator and nothing is constrained.
  bool trivial(int rows) const { return rows == 0 && int(where_.size()) == n_; }

  /// needed = B a - G^T lambda.
  void split(const Eigen::MatrixXd& G, const Eigen::VectorXd& needed, InverseSample& out) const {
    Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(n_, n_);
    if (G.rows() > 0) {
      Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(G.transpose());
      qr.setThreshold(1e-9);
      const Eigen::MatrixXd Q = qr.householderQ();
      Z = Q.rightCols(n_ - qr.rank());
    }
    Eigen::VectorXd a = Eigen::VectorXd::Zero(B_.cols());
    if (Z.cols() > 0 && B_.cols() > 0) {
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least(Z.transpose() * B_);
      least.setThreshold(1e-9);
      a = least.solve(Z.transpose() * needed);
    }
    Eigen::VectorXd left = needed - B_ * a;
    Eigen::VectorXd lambda(0);
    if (G.rows() > 0) {
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least(G.transpose());
      least.setThreshold(1e-9);
      lambda = -least.solve(left);
      left += G.transpose() * lambda;
    }
    out.forces.assign(std::size_t(n_), 0.0);
    for (std::size_t k = 0; k < where_.size(); ++k) out.forces[std::size_t(where_[k])] = a[Eigen::Index(k)];
    out.multipliers.assign(lambda.data(), lambda.data() + lambda.size());
    out.residual = left.size() == 0 ? 0 : left.lpNorm<Eigen::Infinity>();
  }

 private:
  int n_;
  Eigen::MatrixXd B_;
  std::vector<int> where_;
};

Eigen::MatrixXd dense(const tree::Constraints& constraints, const std::vector<double>& values, int n) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(constraints.num_rows(), n);
  for (int row = 0; row < constraints.num_rows(); ++row)
    for (std::size_t k = 0; k < constraints.columns(row).size(); ++k)
      G(row, constraints.columns(row)[k]) = values[constraints.row_starts()[row] + k];
  return G;
}

}  // namespace

InverseSummary inverse_dynamics(const State& state, const Trajectory& trajectory, const std::vector<char>& actuators,
                                const std::function<void(const InverseSample&)>& report) {
  const Mechanism& m = state.mechanism();
  const std::size_t nq = std::size_t(m.num_q()), n = std::size_t(m.num_u()), samples = trajectory.times.size();
  if (trajectory.q.size() != samples * nq || trajectory.u.size() != samples * n || trajectory.u_dot.size() != samples * n)
    throw std::invalid_argument("the trajectory lacks coordinates, speeds or accelerations; complete() finds the last two");
  if (!actuators.empty() && actuators.size() != n)
    throw std::invalid_argument(fmt::format("actuators by speed: {} given, {} needed", actuators.size(), n));

  require_equations(m);
  tree::Workspace w(m);
  const tree::Constraints constraints(m, state.enabled());
  const ForceSharing sharing(m, actuators);
  std::vector<double> needed(n), elements(n), h(constraints.num_rows()), values(constraints.num_entries());
  InverseSummary summary{.samples = int(samples), .largest_forces = std::vector<double>(n)};
  const auto row = [](const std::vector<double>& all, std::size_t i, std::size_t width) {
    return std::vector<double>(all.begin() + std::ptrdiff_t(i * width), all.begin() + std::ptrdiff_t((i + 1) * width));
  };
  for (std::size_t i = 0; i < samples; ++i) {
    InverseSample s{
        trajectory.times[i], row(trajectory.q, i, nq), row(trajectory.u, i, n), row(trajectory.u_dot, i, n), {}, {}, 0, 0};
    std::fill(elements.begin(), elements.end(), 0.0);
    tree::add_all_forces(w, {s.t, state.inputs(), state.z(), state.discrete()}, s.q, s.u, elements);
    tree::inverse_dynamics(w, s.q, s.u, s.u_dot, needed);
    for (std::size_t u = 0; u < n; ++u) needed[u] -= elements[u];
    if (sharing.trivial(constraints.num_rows())) {
      s.forces = needed;
    } else {
      tree::positions(w, s.q);
      constraints.errors_and_jacobian(w, s.t, s.q, h, values);
      for (const double e : h) s.constraint_error = std::max(s.constraint_error, std::abs(e));
      sharing.split(dense(constraints, values, int(n)), Eigen::Map<Eigen::VectorXd>(needed.data(), Eigen::Index(n)), s);
    }
    for (std::size_t u = 0; u < n; ++u)
      if (!std::isfinite(s.forces[u]))
        throw std::invalid_argument(fmt::format(
            "t = {:.9g} s: the force on \"{}\" is not a finite number; are times, coordinates and the cutoff in sensible "
            "units?",
            s.t, m.speed_names()[u]));
    for (std::size_t u = 0; u < n; ++u) summary.largest_forces[u] = std::max(summary.largest_forces[u], std::abs(s.forces[u]));
    summary.residual = std::max(summary.residual, s.residual);
    summary.constraint_error = std::max(summary.constraint_error, s.constraint_error);
    if (report) report(s);
  }
  return summary;
}

}  // namespace polhode::study
