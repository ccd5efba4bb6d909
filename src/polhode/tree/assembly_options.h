#pragma once
#include <string>
#include <vector>

#include "polhode/tree/assembly_goals.h"

namespace polhode::tree {

/// A constraint equation, and what is left of its error.
struct UnmetRow {
  std::string owner;  ///< `wire "hip" "knee"` or `joint "pin4"`
  int row;            ///< within its owner, from 0
  double error;       ///< [m], [rad]; for speeds [m/s], [rad/s]
};

struct AssemblerOptions {
  Goals goals{};
  /// By constraint element (loop joints first, then constraints). Infinity: it must hold, which is so for all when this is
  /// empty; a finite weight makes it a goal like the others, 0 leaves it out.
  std::vector<double> constraint_weights{};
  std::vector<char> locked{};  ///< by speed: not 0 where the coordinate stays as it is
  double tolerance = 1e-9;     ///< error at which a constraint counts as met [m], [rad]
  int restarts = 30;           ///< from other configurations, where constraints cannot be met from the one given; 0 for none
  int goal_restarts = 8;       ///< the same, where goals are not met
};

}  // namespace polhode::tree
