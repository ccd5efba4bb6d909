#pragma once
#include <functional>
#include <string>
#include <vector>

#include "polhode/mechanism/constraints/row_level.h"
#include "polhode/state/state.h"

/// Looking at a mechanism without running it.
namespace polhode::study {

/// One scalar equation of a constraint or of a loop-closing joint, at a given state.
struct ConstraintRowReport {
  std::string owner;                        ///< `joint "pin"` or `wire "hip" "knee"`
  int row;                                  ///< within its owner, from 0
  double error;                             ///< [m] or [rad] (sine of the angle between axes)
  RowLevel level;                           ///< what it holds; only rows at position level have an error
  bool redundant;                           ///< follows from the rows before it, where all are met
  std::vector<std::string> follows_from{};  ///< owners of the rows that a redundant one is a combination of

  /// Whether it holds velocities and no positions.
  bool velocity_only() const { return level == RowLevel::velocity; }
};

/// An equation that contradicts others: even where all of them are met as well as they can be, this much of it is left.
struct ConstraintConflict {
  std::string owner;                ///< `joint "pin"` or `wire "hip" "knee"`
  int row;                          ///< within its owner, from 0
  RowLevel level;                   ///< at which the equations contradict each other
  double left;                      ///< [m], [m/s], ... or the same of angles
  std::vector<std::string> others;  ///< owners of the equations that it contradicts
};

/// What `polhode check` tells of a mechanism at a state.
struct Inspection {
  int bodies, joints, coordinates, speeds, loop_joints, constraints;  ///< how many there are; Ground counts as a body
  std::vector<ConstraintRowReport> rows;                              ///< of loop joints first, then of constraints
  int loop_joint_rows;                                                ///< how many of them are the loop joints'
  std::vector<ConstraintConflict> conflicts;                          ///< at the state that assembling reaches from here
  int independent_rows;                     ///< rank of the constraint Jacobian there, in the speeds that follow no signal
  int kinematic;                            ///< coordinates that follow a signal
  int degrees_of_freedom;                   ///< speeds that follow no signal, minus independent rows
  double kinetic_energy, potential_energy;  ///< [J]
  double mass;                              ///< [kg]
  Vec3<double> center_of_mass;              ///< [m]
  Wrench<double> momentum;                  ///< angular about Ground's origin, and linear
  double largest_error;                     ///< over rows

  /// Rows that follow from the others.
  int redundant_rows() const { return int(rows.size()) - independent_rows; }
};

/// Told how much of the rows has been looked at, from 0 to 1.
using InspectionProgress = std::function<void(double)>;

/// Looks at the equations of a state. What assembling would change is changed in a copy.
Inspection inspect(State state, const InspectionProgress& progress = {});

}  // namespace polhode::study
