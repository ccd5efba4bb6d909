#pragma once
#include <string>

#include "polhode/state/state.h"

namespace polhode::tree {

/// What came of bringing a state onto its constraints.
struct Assembly {
  bool assembled = true;
  double error_before = 0, error_after = 0;  ///< largest row [m], [rad]
  double moved = 0;                          ///< largest change of a coordinate's chart [m], [rad]
  std::string worst;                         ///< the constraint that is most in error, when it could not be done
};

/// Moves coordinates by as little as it takes to meet every constraint, kinematic coordinates staying with their signals
/// (Gauss-Newton steps of least length, damped where rows are dependent or far off), then gives the speeds the nearest values, in
/// the sense of kinetic energy, that keep the constraints. States of mechanisms without constraints are left alone.
Assembly assemble(State& state);

}  // namespace polhode::tree
