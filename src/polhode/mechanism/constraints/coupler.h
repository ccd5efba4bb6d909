#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// Coordinates are tied by one linear equation:  h = a1 q1 + a2 q2 + ... - constant.
struct Coupler {
  std::vector<CoordinateTerm> terms;  ///< each coordinate once
  double constant = 0;

  LinearEquation equation() const { return {RowLevel::position, terms, Signal::constant(constant)}; }
};

}  // namespace polhode
