#include "polhode/variational/tree/momentum_map.h"

#include <algorithm>

#include "polhode/tree/applied_forces.h"

namespace polhode::variational {

MomentumMap::MomentumMap(const Mechanism& mechanism)
    : mechanism_(mechanism),
      tree_(mechanism),
      constraints_(mechanism),
      workspace_(mechanism),
      kernels_(&newton_kernels()),
      memory_(*kernels_, tree_),
      general_(tree_.general().size()),
      solver_(0) {
  const std::size_t n = std::size_t(mechanism.num_u()), padded = (n + 7) / 8 * 8;
  for (const GeneralJoint& joint : tree_.general()) general_steps_.emplace_back(joint, mechanism_.joints()[joint.joint]);
  for (auto* x : {&q_mid_, &zeros_}) x->resize(padded);
  for (auto* x : {&ignored_, &rest_}) x->resize(n);
  size_for(constraints_.max_rows(), constraints_.max_entries());
}

void MomentumMap::set_enabled(std::span<const char> enabled) {
  if (constraints_.set_active(enabled)) size_for(constraints_.num_rows(), constraints_.num_entries());
}

/// All rows come first, so that fewer of them find memory enough.
void MomentumMap::size_for(int rows, int entries) {
  const std::size_t m = std::size_t(rows);
  values_.resize(std::size_t(entries));
  columns_.resize(2 * ignored_.size() * m);
  schur_.resize(m * m);
  right_.resize(m);
  solver_.resize(rows);
}

StepData MomentumMap::at_rest() const {
  return {tree_.links().data(), int(tree_.links().size()), tree_.num_u(), 0, 1, 0, q_mid_.data(),
          zeros_.data(),        general_.data(),           zeros_.data()};
}

void MomentumMap::factor_mass(std::span<const double> q) {
  for (std::size_t u = 0; u < tree_.coordinate_of_speed().size(); ++u)
    if (const int coordinate = tree_.coordinate_of_speed()[u]; coordinate >= 0) q_mid_[u] = q[coordinate];
  for (std::size_t g = 0; g < general_.size(); ++g) {
    general_steps_[g].start(q.data());
    general_steps_[g].apply([&](auto& step) { step.move(zeros_.data(), 1, 0, general_[g]); });
    for (auto& row : general_[g].extra) std::fill(std::begin(row), std::end(row), 0.0);
  }
  kernels_->evaluate(at_rest(), memory_.block(), ignored_.data(), ignored_.data());
  kernels_->factor(at_rest(), memory_.block());
}

void MomentumMap::momenta(std::span<const double> q, std::span<const double> u, std::span<double> p) {
  tree::positions(workspace_, q);
  tree::multiply_mass(workspace_, u, p);
}

double MomentumMap::energy(double t, std::span<const double> q, std::span<const double> u) {
  tree::kinematics(workspace_, q, u);
  tree::read_bodies(workspace_);
  kinetic_ = tree::kinetic_energy(workspace_);
  return kinetic_ + tree::potential_energy(workspace_, t, q);
}

void MomentumMap::speeds(double t, std::span<const double> q, std::span<const double> p, const DrivenPaths& paths,
                         std::span<double> u, std::span<const double> rows) {
  const std::size_t n = u.size();
  const int m = constraints_.num_rows();
  // What the driven speeds carry of the momentum is theirs.
  std::copy(p.begin(), p.end(), rest_.begin());
  std::fill(u.begin(), u.end(), 0.0);
  if (paths.any()) {
    paths.put_speeds(t, u);
    momenta(q, u, ignored_);
    for (std::size_t i = 0; i < n; ++i) rest_[i] -= ignored_[i];
  }
  factor_mass(q);
  kernels_->solve(at_rest(), memory_.block(), 1, rest_.data(), ignored_.data());
  for (std::size_t i = 0; i < n; ++i) u[i] += ignored_[i];
  if (m == 0) return;

  if (rows.empty() || constraints_.has_users_rows()) {  // the latter may have rates to be asked for, at this place
    tree::positions(workspace_, q);
    constraints_.jacobian(workspace_, t, q, values_);
    rows = values_;
  }
  const auto starts = constraints_.row_starts();
  const auto row_times = [values = rows.data(), starts = starts.data(), columns = constraints_.columns().data()](
                             int row, const double* x) {
    double sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
    return sum;
  };
  constraints_.rates(workspace_, t, q, right_);
  for (int row = 0; row < m; ++row) right_[row] = -right_[row] - row_times(row, u.data());
  double* const solved = columns_.data() + n * std::size_t(m);
  std::fill_n(columns_.begin(), n * std::size_t(m), 0.0);
  for (int row = 0; row < m; ++row) {
    const auto speeds = constraints_.columns(row);
    for (std::size_t k = 0; k < speeds.size(); ++k) columns_[row * n + speeds[k]] = rows[starts[row] + k];
  }
  kernels_->solve(at_rest(), memory_.block(), m, columns_.data(), solved);
  for (int i = 0; i < m; ++i)  // symmetric, as M is
    for (int j = 0; j <= i; ++j) schur_[std::size_t(i) * m + j] = schur_[std::size_t(j) * m + i] = row_times(i, solved + j * n);
  solver_.factor(schur_.data());
  solver_.solve(right_.data(), right_.data());
  for (int row = 0; row < m; ++row)
    for (std::size_t i = 0; i < n; ++i) u[i] += solved[row * n + i] * right_[row];
}

}  // namespace polhode::variational
