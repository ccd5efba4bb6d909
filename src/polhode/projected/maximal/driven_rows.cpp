#include "polhode/projected/maximal/driven_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/projected/maximal/acceptance.h"

namespace polhode::projected {

DrivenRows::DrivenRows(const Mechanism& mechanism)
    : mechanism_(mechanism), forces_(mechanism.kinematic().empty() ? 0 : std::size_t(mechanism.num_u())) {
  rows_.reserve(mechanism.kinematic().size());
}

/// Kinematic coordinates have the last elements of the constraints, one row each.
void DrivenRows::restart(const JetSystem& system) {
  rows_.clear();
  const auto elements = system.constraints().elements();
  const auto& kinematic = mechanism_.kinematic();
  for (int i = 0; i < system.num_rows() && !kinematic.empty(); ++i)
    for (std::size_t k = 0; k < kinematic.size(); ++k)
      if (elements[elements.size() - kinematic.size() + k].first_row == system.rows().rows()[std::size_t(i)])
        rows_.emplace_back(i, kinematic[k].u);
  std::fill(forces_.begin(), forces_.end(), 0.0);
  rates_before_.resize(std::size_t(system.constraints().num_rows()));
  rates_after_.resize(rates_before_.size());
}

void DrivenRows::read_forces(const JetSystem& system) {
  for (const auto& [row, u] : rows_) forces_[std::size_t(u)] = -system.multiplier(row);
}

int DrivenRows::find_jump(JetSystem& system, double t, const maximal::Bodies& at, std::span<const double> near) {
  system.constraints().rates(std::nextafter(t, -std::numeric_limits<double>::infinity()), at, near, rates_before_);
  system.constraints().rates(t, at, near, rates_after_);
  for (int i = 0; i < system.num_rows(); ++i) {
    const std::size_t r = std::size_t(system.rows().rows()[std::size_t(i)]);
    if (std::abs(rates_after_[r] - rates_before_[r]) > acceptance::jump * std::max(1.0, std::abs(rates_after_[r]))) return i;
  }
  return -1;
}

}  // namespace polhode::projected
