#pragma once
#include "polhode/state/state.h"
#include "tests/support/sketch.h"

namespace polhode::testing_support {

/// The sketch's drawing as a state, with random speeds that keep all constraints, brought to a moderate pace. Throws
/// std::runtime_error where the drawing, which is closed to rounding, is not taken as it is.
State drawn_start(const Sketch& sketch);

/// The same bodies in the same motion, moved by X, as a state of another description of the mechanism.
State carried_over(const State& start, const Mechanism& to, const Transform<double>& X, const Renamed& names);

}  // namespace polhode::testing_support
