#pragma once
#include "polhode/mechanism/builder.h"
#include "polhode/state/state.h"

namespace polhode::study {

/// The description of the state's mechanism, with the state's coordinates and speeds as its initial values (all but kinematic
/// ones, which have their signals).
MechanismBuilder start_from(const State& state);

}  // namespace polhode::study
