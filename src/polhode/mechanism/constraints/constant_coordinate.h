#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// A coordinate keeps its value:  h = q - value  [rad] or [m].
struct ConstantCoordinate {
  int q, u;
  double value;

  LinearEquation equation() const { return {RowLevel::position, {{q, u, 1}}, Signal::constant(value)}; }
};

}  // namespace polhode
