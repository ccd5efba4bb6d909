#include "polhode/variational/tree/momentum_map.h"

#include <algorithm>

#include "polhode/tree/applied_forces.h"

namespace polhode::variational {

MomentumMap::MomentumMap(const Mechanism& mechanism)
    : mechanism_(mechanism), constraints_(mechanism), workspace_(mechanism), solver_(0) {
  const std::size_t n = std::size_t(mechanism.num_u());
  for (auto* by_speed : {&of_driven_, &rest_}) by_speed->resize(n);
  is_driven_.resize(n);
  size_for(constraints_.max_rows(), constraints_.max_entries());
}

void MomentumMap::set_enabled(std::span<const char> enabled) {
  if (constraints_.set_active(enabled)) size_for(constraints_.num_rows(), constraints_.num_entries());
}

void MomentumMap::hold(std::span<const char> driven) { std::copy(driven.begin(), driven.end(), is_driven_.begin()); }

/// All rows come first, so that fewer of them find memory enough.
void MomentumMap::size_for(int rows, int entries) {
  const std::size_t m = std::size_t(rows), n = rest_.size();
  values_.resize(std::size_t(entries));
  eight_.resize(m > 0 ? 8 * n : 0);
  columns_.resize(8 * n * ((m + 7) / 8));
  schur_.resize(m * m);
  for (auto* by_row : {&right_, &rates_}) by_row->resize(m);
  solver_.resize(rows);
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
  tree::positions(workspace_, q);
  std::copy(p.begin(), p.end(), rest_.begin());
  if (paths.any()) {  // what the driven speeds carry of the momentum is theirs
    std::fill(of_driven_.begin(), of_driven_.end(), 0.0);
    paths.put_speeds(t, of_driven_);
    tree::multiply_mass(workspace_, of_driven_, u);
    for (std::size_t i = 0; i < u.size(); ++i) rest_[i] -= u[i];
    tree::factor_mass(workspace_, is_driven_);
  } else {
    tree::factor_mass(workspace_);
  }
  tree::solve_mass(workspace_, rest_, u);
  for (const int k : paths.speeds()) u[std::size_t(k)] = of_driven_[std::size_t(k)];
  if (constraints_.num_rows() > 0) keep_constraints(t, q, u, rows);
}

void MomentumMap::keep_constraints(double t, std::span<const double> q, std::span<double> u, std::span<const double> rows) {
  const std::size_t m = right_.size();
  if (rows.empty() || constraints_.has_users_rows()) {  // the latter may have rates to be asked for, at this place
    constraints_.jacobian(workspace_, t, q, values_);
    rows = values_;
  }
  constraints_.multiply(rows, u, right_);
  constraints_.rates(workspace_, t, q, rates_);
  for (std::size_t i = 0; i < m; ++i) right_[i] = -rates_[i] - right_[i];
  solve_rows(rows);
  solver_.factor(schur_.data());
  solver_.solve(right_.data(), right_.data());
  for (std::size_t i = 0; i < m; ++i) {
    const double* const of_row = columns_.data() + 8 * u.size() * (i / 8) + i % 8;
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += of_row[8 * k] * right_[i];
  }
}

/// M^-1 G^T, eight rows at a time, and G M^-1 G^T.
void MomentumMap::solve_rows(std::span<const double> rows) {
  const int m = int(right_.size());
  const std::size_t n = rest_.size();
  const auto starts = constraints_.row_starts(), of = constraints_.columns();
  const tree::BodyRange all{1, mechanism_.num_bodies()};
  for (int first = 0; first < m; first += 8) {
    double* const solved = columns_.data() + std::size_t(first) * n;
    std::fill(eight_.begin(), eight_.end(), 0.0);
    for (int i = first; i < std::min(first + 8, m); ++i)
      for (int k = starts[i]; k < starts[i + 1]; ++k) eight_[std::size_t(8 * of[k] + i - first)] = rows[std::size_t(k)];
    tree::solve_mass_eight(workspace_, {&all, 1}, eight_, {solved, 8 * n});
    for (int j = 0; j < m; ++j) {
      double sum[8] = {};
      for (int k = starts[j]; k < starts[j + 1]; ++k)
        for (int lane = 0; lane < 8; ++lane) sum[lane] += rows[std::size_t(k)] * solved[8 * of[k] + lane];
      for (int i = first; i < std::min(first + 8, m); ++i)
        schur_[std::size_t(j) * std::size_t(m) + std::size_t(i)] = sum[i - first];
    }
  }
}

}  // namespace polhode::variational
