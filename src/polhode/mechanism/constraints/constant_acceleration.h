#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// The derivative of a speed keeps its value:  du/dt = value  [rad/s^2] or [m/s^2].  Positions and speeds are as they come.
struct ConstantAcceleration {
  int u;
  double value;

  LinearEquation equation() const { return {RowLevel::acceleration, {{-1, u, 1}}, Signal::constant(value)}; }
};

}  // namespace polhode
