#pragma once
#include "../../bench/step/problem.h"

/// Momenta that nothing outside changes while a mechanism is in the air, measured for every engine from how its links move.
namespace polhode::experiments {

enum class Momentum {
  horizontal,  ///< linear, across gravity [kg m/s]
  vertical,    ///< angular, about the line along gravity through the origin [kg m^2/s]
  angular      ///< about the centre of mass [kg m^2/s]
};

bench::Triple momentum_of(Momentum kind, const bench::Problem& problem, const std::vector<bench::BodyState>& bodies);

struct MomentumError {
  bool finished = false;
  double largest = 0;  ///< change since the start
};

/// Runs an engine, "ode exact", through a problem, in a child process.
MomentumError momentum_error(Momentum kind, const bench::Problem& problem, const std::string& entrant, double limit_seconds);

}  // namespace polhode::experiments
