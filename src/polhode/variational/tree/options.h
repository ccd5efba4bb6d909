#pragma once
#include <optional>

#include "polhode/state/option_table.h"

namespace polhode::variational {

struct TreeVariationalOptions {
  double step = 0.01;  ///< [s]; of all steps, unless one of the next two is given
  /// Relative error of the rate at which a motion swings, and the longest step [s]: steps are chosen (step_density.h).
  std::optional<double> accuracy{}, largest_step{};
  double alpha = 0.5;        ///< where in the step the Lagrangian is taken, 0 to 1; 1/2 is of order two, others of order one
  int order = 2;             ///< 2, 4 or 6; above 2 by composition of symmetric steps, which needs alpha = 1/2
  double tolerance = 1e-12;  ///< of Newton's iteration: error left in coordinates and constraints [rad], [m]
  int max_halvings = 12;     ///< how often a step that Newton cannot solve may be halved

  bool choose_steps() const { return accuracy || largest_step; }
};

/// Those that have names. A new one is a member above and a row there.
const OptionTable<TreeVariationalOptions>& tree_variational_options();

/// What is wrong with them, in words that name an option, its value and what is allowed; empty when nothing is.
std::string objection(const TreeVariationalOptions& options);
/// The same of values that are given, which also may not go together.
std::string objection_to_tree_variational(const OptionValues& given);

}  // namespace polhode::variational
