#pragma once
#include <span>
#include <vector>

#include "polhode/mechanism/mechanism.h"

namespace polhode {

/// Is there a motion that a joint allows its child, at the end of a branch, and that the child does not resist in any
/// configuration? X_BM is where the joint's frame M (F of a reversed one) sits on the child; `prescribed` is by the joint's
/// speed, and empty when nothing is.
bool lacks_inertia(const MassProperties& mass, const JointModel& model, bool reversed, const Transform<double>& X_BM,
                   std::span<const char> prescribed = {});

struct UndeterminedMotion {
  int body;  ///< that its joint lets move so
  Problem problem;
};

/// Motions that no mass resists and that no signal prescribes, so that no law says how they go on: joints that carry no mass at
/// all, and joints at the end of a branch whose one body has no inertia against some of their motion in any configuration.
std::vector<UndeterminedMotion> undetermined_motions(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                                                     std::span<const char> prescribed, const std::vector<Source>& joint_source);

}  // namespace polhode
