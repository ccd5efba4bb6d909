#pragma once
#include "polhode/state/option_table.h"

namespace polhode::variational {

struct MaximalVariationalOptions {
  double step = 0.01;        ///< [s]
  int order = 2;             ///< 1: as Bruedigam & Manchester have it; 2; 4 and 6 by composition of symmetric steps of order 2
  double tolerance = 1e-12;  ///< of Newton's iteration: error left in positions and constraints [m], [rad]
  int max_halvings = 12;     ///< how often a step that Newton cannot solve, or that is too coarse, may be halved
};

/// Those that have names. A new one is a member above and a row there.
const OptionTable<MaximalVariationalOptions>& maximal_variational_options();

/// What is wrong with them, in words that name an option, its value and what is allowed; empty when nothing is.
std::string objection(const MaximalVariationalOptions& options);

}  // namespace polhode::variational
