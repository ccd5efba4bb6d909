#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// Angle b follows angle a:  h = q_b - ratio q_a  [rad].  The ratio is negative for wheels that mesh on the outside.
struct Gear {
  int q_a, q_b, u_a, u_b;
  double ratio;

  LinearEquation equation() const { return {RowLevel::position, {{q_b, u_b, 1}, {q_a, u_a, -ratio}}}; }
};

}  // namespace polhode
