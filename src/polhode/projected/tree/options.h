#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "polhode/tree/scaling.h"

namespace polhode::projected {

struct Options {
  std::string integrator = "rk5";      ///< one of integrator_names()
  double accuracy = 1e-6;              ///< local error allowed: absolute in coordinates, relative to max(1, |.|) in u and z
  std::optional<double> fixed_step{};  ///< [s]; no error control when given
  double largest_step = 0.1;           ///< [s]; so that slow motion is still seen
  std::optional<double> tolerance{};   ///< constraint error allowed, in unit errors; a tenth of the accuracy by default
  tree::Scaling scaling{};             ///< what counts as large and small, and the norm of errors

  double constraint_tolerance() const { return tolerance.value_or(0.1 * accuracy); }
};

/// The names that Options::integrator may have, the default one first.
std::span<const std::string_view> integrator_names();

/// Throws std::invalid_argument that names a bad option, its value and what is allowed.
void validate(const Options& options);

}  // namespace polhode::projected
