#pragma once
#include <optional>
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

// The same as results of the State, computed on request and kept with it: what runs record (study/quantity.h). Six numbers
// each, force [N] before torque [N m], in Ground axes. Nothing is allocated once the workspace and the state have been used.

/// By body: the wrench that its inboard joint puts on the joint's child, as the user named the two bodies, at the origin of the
/// joint's frame there.
std::span<const double> joint_loads(const State& state, Workspace& w);
/// By element: what a joint that closes a loop puts on its child, at the origin of its frame there, or a constraint between two
/// frames on the second one, at its origin. Zeros where the element is off, or is not between frames.
std::span<const double> constraint_loads(const State& state, Workspace& w);
/// Where these act: the point of a body.
struct LoadPlace {
  int body = 0;
  Vec3<double> point{};  ///< in the body's frame [m]
};
LoadPlace joint_load_place(const Mechanism& mechanism, int body);
/// Nothing where the element is not between frames.
std::optional<LoadPlace> constraint_load_place(const Mechanism& mechanism, int element);
/// lambda of one of an element's rows; 0 where the element is off.
double multiplier(const State& state, Workspace& w, int element, int row_of_owner);

}  // namespace polhode::tree
