#pragma once
#include <string>
#include <vector>

#include "polhode/state/state.h"

namespace polhode::tree {

/// What came of bringing a state onto its constraints.
struct Assembly {
  bool assembled = true;
  double error_before = 0, error_after = 0;  ///< largest row [m], [rad]
  double moved = 0;                          ///< largest change of a coordinate [m], [rad]
  double speed_changed = 0;                  ///< largest change of a speed [m/s], [rad/s]
  bool given_kept = true;                    ///< what was given could stay
  std::string worst;                         ///< the constraint that is most in error, when it could not be done
};

/// What should stay as it is, where the constraints allow it: by speed, not 0 for a coordinate and for a speed that is given.
struct Given {
  std::vector<char> coordinate, speed;
};
/// What the model's (initial ...) gives.
Given given_by_model(const Mechanism& mechanism);

/// Moves coordinates by as little as it takes to meet every constraint (Gauss-Newton steps of least length, damped where rows
/// are dependent or far off), then gives the speeds the nearest values, in the sense of kinetic energy, that keep the
/// constraints. Kinematic coordinates stay with their signals. What is given stays too, unless that leaves a constraint unmet;
/// then all of it may change. States of mechanisms without constraints are left alone.
Assembly assemble(State& state, const Given& given = {});

}  // namespace polhode::tree
