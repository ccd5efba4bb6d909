#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "polhode/state/option_table.h"
#include "polhode/tree/scaling.h"

namespace polhode::projected {

struct Options {
  std::string integrator = "rk5";      ///< one of integrator_names()
  double accuracy = 1e-6;              ///< local error allowed: absolute in coordinates, relative to max(1, |.|) in u and z
  std::optional<double> fixed_step{};  ///< [s]; no error control when given
  double largest_step = 0.1;           ///< [s]; so that slow motion is still seen
  std::optional<double> tolerance{};   ///< constraint error allowed, in unit errors; a tenth of the accuracy by default
  tree::Scaling scaling{};             ///< what counts as large and small, and the norm of errors
  /// By name of a coordinate or speed: what counts as one unit of it; make_integrator() puts them into the scaling.
  NamedNumbers units{};

  double constraint_tolerance() const { return tolerance.value_or(0.1 * accuracy); }
};

/// The names that Options::integrator may have, the default one first.
std::span<const std::string_view> integrator_names();

/// Those that have names. A new one is a member above and a row there.
const OptionTable<Options>& tree_projected_options();

/// What is wrong with them, in words that name an option, its value and what is allowed; empty when nothing is.
std::string objection(const Options& options);
/// Throws it as a std::invalid_argument.
void validate(const Options& options);

}  // namespace polhode::projected
