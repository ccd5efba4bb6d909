#include "polhode/variational/momentum_map.h"

#include <algorithm>

#include "polhode/tree/applied_forces.h"

namespace polhode::variational {

MomentumMap::MomentumMap(const Mechanism& mechanism)
    : mechanism_(mechanism),
      constraints_(mechanism),
      workspace_(mechanism),
      rows_(constraints_.num_rows() + int(mechanism.kinematic().size())),
      values_(constraints_.num_entries()),
      columns_(std::size_t(rows_) * mechanism.num_u()),
      schur_(std::size_t(rows_) * rows_),
      right_(rows_),
      solver_(rows_) {}

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

void MomentumMap::speeds(double t, std::span<const double> q, std::span<const double> p, std::span<double> u) {
  tree::positions(workspace_, q);
  tree::factor_mass(workspace_);
  tree::solve_mass(workspace_, p, u);
  if (rows_ == 0) return;

  const std::size_t n = u.size();
  const int m = constraints_.num_rows();
  const auto column = [&](int row) { return std::span<double>(columns_).subspan(std::size_t(row) * n, n); };
  constraints_.jacobian(workspace_, t, q, values_);
  constraints_.rates(workspace_, t, q, std::span<double>(right_).first(std::size_t(m)));
  std::fill(columns_.begin(), columns_.end(), 0.0);
  for (int row = 0; row < m; ++row) {
    const auto speeds = constraints_.columns(row);
    for (std::size_t k = 0; k < speeds.size(); ++k) column(row)[speeds[k]] = values_[constraints_.row_starts()[row] + k];
  }
  for (int k = 0; k < rows_ - m; ++k) column(m + k)[mechanism_.kinematic()[k].u] = 1;

  // What a row says of any speeds; the rows themselves are sparse.
  const auto applied = [&](int row, std::span<const double> x) {
    if (row >= m) return x[mechanism_.kinematic()[row - m].u];
    double sum = 0;
    const auto speeds = constraints_.columns(row);
    for (std::size_t k = 0; k < speeds.size(); ++k) sum += values_[constraints_.row_starts()[row] + k] * x[speeds[k]];
    return sum;
  };
  for (int row = 0; row < rows_; ++row) {
    const double wanted = row < m ? -right_[row] : mechanism_.kinematic()[row - m].signal.at(t).rate;
    right_[row] = wanted - applied(row, u);
  }
  for (int row = 0; row < rows_; ++row) tree::solve_mass(workspace_, column(row), column(row));
  for (int i = 0; i < rows_; ++i)
    for (int j = 0; j < rows_; ++j) schur_[std::size_t(i) * rows_ + j] = applied(i, column(j));
  solver_.factor(schur_.data());
  solver_.solve(right_.data(), right_.data());
  for (int row = 0; row < rows_; ++row)
    for (std::size_t i = 0; i < n; ++i) u[i] += column(row)[i] * right_[row];
  for (int k = 0; k < rows_ - m; ++k) u[mechanism_.kinematic()[k].u] = mechanism_.kinematic()[k].signal.at(t).rate;
}

}  // namespace polhode::variational
