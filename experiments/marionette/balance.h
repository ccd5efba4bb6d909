#pragma once
#include <vector>

#include "../../bench/step/from_mechanism.h"

namespace polhode::experiments {

/// Where the energy of a driven, damped mechanism comes from and goes to, as our default method has it.
struct EnergyBalance {
  std::vector<double> t;                       ///< [s]
  std::vector<double> energy, work, friction;  ///< change since the start; by the moved coordinates; lost in the joints [J]
  double turnover = 0;                         ///< of work, without regard to its sign [J]

  /// Largest of energy - work + friction, in parts of the turnover.
  double largest_error() const;
};

/// Throws std::runtime_error when a step fails.
EnergyBalance energy_balance(const bench::OwnModel& own, double dt, int steps);

}  // namespace polhode::experiments
