#pragma once
#include <optional>

#include "polhode/state/option_table.h"

namespace polhode::variational {

struct MaximalVariationalOptions {
  double step = 0.01;  ///< [s]; of all steps, unless one of the next two is given
  /// Relative error of the rate at which a motion swings, and the longest step [s]: steps are chosen (step_density.h).
  std::optional<double> accuracy{}, largest_step{};
  int order = 2;             ///< 1: as Bruedigam & Manchester have it; 2; 4 and 6 by composition of symmetric steps of order 2
  double tolerance = 1e-12;  ///< of Newton's iteration: error left in positions and constraints [m], [rad]
  int max_halvings = 12;     ///< how often a step that Newton cannot solve, or that is too coarse, may be halved

  bool choose_steps() const { return accuracy || largest_step; }
};

/// Those that have names. A new one is a member above and a row there.
const OptionTable<MaximalVariationalOptions>& maximal_variational_options();

/// What is wrong with them, in words that name an option, its value and what is allowed; empty when nothing is.
std::string objection(const MaximalVariationalOptions& options);
/// The same of values that are given, which also may not go together.
std::string objection_to_maximal_variational(const OptionValues& given);

}  // namespace polhode::variational
