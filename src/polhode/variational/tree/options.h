#pragma once
#include "polhode/state/option_table.h"

namespace polhode::variational {

struct TreeVariationalOptions {
  double step = 0.01;        ///< [s]
  double alpha = 0.5;        ///< where in the step the Lagrangian is taken, 0 to 1; 1/2 is of order two, others of order one
  int order = 2;             ///< 2, 4 or 6; above 2 by composition of symmetric steps, which needs alpha = 1/2
  double tolerance = 1e-12;  ///< of Newton's iteration: error left in coordinates and constraints [rad], [m]
  int max_halvings = 12;     ///< how often a step that Newton cannot solve may be halved
};

/// Those that have names. A new one is a member above and a row there.
const OptionTable<TreeVariationalOptions>& tree_variational_options();

/// What is wrong with them, in words that name an option, its value and what is allowed; empty when nothing is.
std::string objection(const TreeVariationalOptions& options);

}  // namespace polhode::variational
