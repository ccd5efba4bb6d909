#pragma once
#include "polhode/state/state.h"
#include "polhode/tree/constraints.h"

/// How far a state misses its constraints: results of the State, computed on request and kept with it until it moves. They are
/// by row of the enabled constraints (Constraints). Asked for before their stage they throw StageError.
namespace polhode::tree {

/// Whether the workspace has kinematics() of the state already.
enum class Swept { no, yes };

/// h [m], [rad]; zero for rows of other levels. Needs stage position.
std::span<const double> constraint_errors(const State& state, Workspace& w, Swept swept = Swept::no);
/// dh/dt of equations between positions and v of those between velocities [m/s], [rad/s]. Needs stage velocity.
std::span<const double> constraint_velocity_errors(const State& state, Workspace& w, Swept swept = Swept::no);

/// Of one of an element's rows; 0 where the element is off.
double constraint_error(const State& state, Workspace& w, int element, int row_of_owner);
double constraint_velocity_error(const State& state, Workspace& w, int element, int row_of_owner);

/// The largest of constraint_errors(), by size; 0 where nothing is constrained.
double largest_constraint_error(const State& state, Workspace& w, Swept swept = Swept::no);

}  // namespace polhode::tree
