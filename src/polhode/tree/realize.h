#pragma once
#include "polhode/state/state.h"
#include "polhode/tree/workspace.h"

namespace polhode::tree {

/// Brings a State's results up to the given stage, computing only what is missing.
void realize(State& state, Workspace& workspace, Stage stage);

/// The same with a workspace made for the call: convenient, but it allocates.
void realize(State& state, Stage stage);

/// The mechanism's initial state. Velocities that the model gives for bodies become joint speeds, body by body from Ground
/// outward; one that a body's joint cannot follow is a ModelError that names the body, and so is a start whose energy would be
/// no finite number.
State initial_state(const Mechanism& mechanism);

}  // namespace polhode::tree
