#pragma once
#include <vector>

#include "polhode/mechanism/mechanism.h"

namespace polhode::tree {

/// A component of the total momentum that nothing in the mechanism can change (Noether).
struct KeptMomentum {
  bool angular;            ///< angular momentum about `point`, otherwise linear momentum
  Vec3<double> direction;  ///< in Ground
  Vec3<double> point;      ///< in Ground [m]

  /// Its value, from the momentum about Ground's origin.
  double of(const Wrench<double>& momentum) const {
    return dot(direction, angular ? momentum.moment - cross(point, momentum.force) : momentum.force);
  }
};

/// What is certain to be kept, from how the mechanism is made: one that floats free of Ground keeps all momenta that gravity
/// does not change; one that hangs in Ground by a single ball or pin keeps its angular momentum about the axis that this joint
/// and gravity share. Users' own elements and forces from outside count as changing everything. The list may miss some.
std::vector<KeptMomentum> kept_momenta(const Mechanism& mechanism);

}  // namespace polhode::tree
