#pragma once
#include <span>

#include "polhode/mechanism/mechanism.h"

namespace polhode::tree {

/// The mechanism as the sweeps read it.
struct TreeModel {
  std::span<const FlatBody> bodies;
  std::span<const Joint> joints;
  Vec3<double> gravity;
  int num_q, num_u;
};

inline TreeModel tree_model(const Mechanism& m) { return {m.flat(), m.joints(), m.gravity(), m.num_q(), m.num_u()}; }

}  // namespace polhode::tree
