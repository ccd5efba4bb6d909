#pragma once
#include <string>

#include "polhode/mechanism/mechanism.h"

/// Constraints that hold on one side only: h >= 0.
namespace polhode {

/// h >= 0 rather than h = 0.
inline bool is_one_sided(const Constraint& constraint) { return constraint.sense == RowSense::at_least; }

/// Why a constraint cannot hold on one side only, in words; empty where it can. One side of several rows, or of a row that
/// holds velocities or accelerations, means nothing.
std::string objection_to_one_side(const Constraint& constraint);

/// Throws ModelError that names every one-sided constraint of the mechanism: for whoever takes rows for equations.
void require_equations(const Mechanism& mechanism);

}  // namespace polhode
