#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// A speed keeps its value:  v = u - value  [rad/s] or [m/s].  It holds velocities only.
struct ConstantSpeed {
  int u;
  double value;

  LinearEquation equation() const { return {RowLevel::velocity, {{-1, u, 1}}, Signal::constant(value)}; }
};

}  // namespace polhode
