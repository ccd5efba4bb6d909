#include "polhode/projected/maximal/driven_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/projected/maximal/acceptance.h"

namespace polhode::projected {

DrivenRows::DrivenRows(const Mechanism& mechanism) : mechanism_(mechanism) { rows_.reserve(std::size_t(mechanism.num_u())); }

void DrivenRows::restart(const JetSystem& system) {
  rows_.clear();
  const auto driven = system.constraints().driven();
  for (int i = 0; i < system.num_rows() && !driven.empty(); ++i)
    for (const auto& one : driven) {
      const auto& element = system.constraints().elements()[std::size_t(one.element)];
      const int k = system.rows().rows()[std::size_t(i)] - element.first_row;
      if (element.active && k >= 0 && k < element.num_rows) rows_.emplace_back(i, one.u + k);
    }
  forces_.assign(driven.empty() ? 0 : std::size_t(mechanism_.num_u()), 0.0);
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
