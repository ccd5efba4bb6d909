#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// Speeds are tied by one linear equation:  v = a1 u1 + a2 u2 + ... - constant.  It holds velocities only.
struct SpeedCoupler {
  std::vector<CoordinateTerm> terms;  ///< each speed once
  double constant = 0;

  LinearEquation equation() const { return {RowLevel::velocity, terms, Signal::constant(constant)}; }
};

}  // namespace polhode
