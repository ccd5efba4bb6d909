#pragma once
#include <string>
#include <vector>

#include "polhode/state/state.h"
#include "polhode/tree/assembly_options.h"
#include "polhode/tree/velocity_analysis.h"

namespace polhode::tree {

/// A coordinate that was moved.
struct CoordinateChange {
  int q;                 ///< its index
  double before, after;  ///< its value
  bool given;            ///< it was to stay where it is
  double scale;          ///< a change of this size is of order one: a radian, or the size of the mechanism
};

/// What came of bringing a state onto its constraints.
struct Assembly {
  bool assembled = true;                         ///< whether every constraint is met
  double error_before = 0, error_after = 0;      ///< largest row [m], [rad]
  double goal_before = 0, goal_after = 0;        ///< sum of weight * |error|^2 over the goals
  double moved = 0;                              ///< largest change of a coordinate [m], [rad]
  double speed_changed = 0;                      ///< largest change of a speed [m/s], [rad/s]
  double kinetic_before = 0, kinetic_after = 0;  ///< where the coordinates are in the end, before and after speeds changed [J]
  bool given_kept = true;                        ///< what was given could stay
  std::string worst;                             ///< the constraint that is most in error, when it could not be done
  std::vector<UnmetRow> unmet;                   ///< all that are, where the errors' squares have their least sum
  std::vector<CoordinateChange> changes;         ///< coordinates that moved
  VelocityAnalysis velocities;                   ///< what came of the speeds
};

/// What should stay as it is, where the constraints allow it: by speed, not 0 for a coordinate and for a speed that is given.
struct Given {
  std::vector<char> coordinate, speed;  ///< by speed
};
/// What the model's (initial ...) gives.
Given given_by_model(const Mechanism& mechanism);

/// Goals beside the constraints, and what stays.
struct AssembleOptions {
  AssemblerOptions positions{};  ///< for configurations
  VelocityGoals velocities{};    ///< for speeds
  /// Without goals this stays, unless that leaves a constraint unmet; then all of it may change, by as little as it takes in
  /// the sense of least squares. With goals for configurations the given coordinates are just where to start.
  Given given{};
};

/// Moves coordinates by as little as it takes to meet every constraint (see Assembler), then to the goals, then gives the
/// speeds the nearest values, in the sense of kinetic energy, that keep the constraints. Kinematic and locked coordinates stay
/// as they are. A state that cannot be assembled is left as it was. States of mechanisms without constraints and goals are
/// left alone.
Assembly assemble(State& state, const AssembleOptions& options);
/// The same without goals.
Assembly assemble(State& state, const Given& given = {});
/// The same in memory that is at hand.
Assembly assemble(State& state, const AssembleOptions& options, AssemblyMemory& memory);
/// Whether a state meets its constraints so well that assembling, without goals, leaves it as it is. Allocates nothing.
bool is_assembled(const State& state, AssemblyMemory& memory);

}  // namespace polhode::tree
