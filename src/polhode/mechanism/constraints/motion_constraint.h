#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// A coordinate follows a signal by way of a constraint force:  h = q - signal(t)  [rad] or [m].
/// A driven coordinate follows its signal too, and exactly; this one yields where other constraints say otherwise, can be
/// switched off, and is one more equation instead of one speed less.
struct MotionConstraint {
  int q, u;
  Signal signal;

  LinearEquation equation() const { return {RowLevel::position, {{q, u, 1}}, signal}; }
};

}  // namespace polhode
