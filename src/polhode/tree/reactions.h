#pragma once
#include <vector>

#include "polhode/state/state.h"
#include "polhode/tree/constraints.h"

namespace polhode::tree {

/// By body: the wrench that its inboard joint puts on it, at the origin of the joint's frame M and in Ground axes [N m], [N].
/// It holds what the joint's actuators, springs and dampers do along its free directions as well as the reaction across them;
/// the opposite acts on the parent. Ground's entry is what holds it: minus all that hangs on it.
/// The state must be at stage acceleration.
std::vector<Wrench<double>> joint_reactions(const State& state, Workspace& w);

/// What one constraint, or a joint that closes a loop, puts on the bodies it acts on: wrenches at the bodies' origins in Ground
/// axes, and forces on speeds where it acts on coordinates.
struct ConstraintReaction {
  int element;  ///< loop joints first, then constraints
  /// A load on a body.
  struct OnBody {
    int body;               ///< its index
    Wrench<double> wrench;  ///< at its origin, in Ground axes
  };
  /// A load on a speed.
  struct OnSpeed {
    int u;         ///< its index
    double force;  ///< [N], [N m]
  };
  std::vector<OnBody> on_bodies;   ///< loads on bodies
  std::vector<OnSpeed> on_speeds;  ///< loads on speeds
};
/// Of every enabled element, in order. The state must be at stage acceleration.
std::vector<ConstraintReaction> constraint_reactions(const State& state, Workspace& w);

}  // namespace polhode::tree
