#pragma once
#include <vector>

#include "polhode/projected/maximal/jet_projection.h"
#include "polhode/projected/maximal/options.h"
#include "polhode/state/outside.h"

namespace polhode::projected {

/// The equations in one formulation, in space or in a plane, and what brings points onto their manifolds.
struct JetParts {
  JetParts(const Mechanism& mechanism, const JetCoordinates& coordinates, std::span<const char> kept_rows,
           const MaximalProjectedOptions& options, std::span<const char> lockable = {});

  JetSystem system;
  JetInvariants invariants;
  JetProjection projection;

  /// Numbers in a point: y, y1 and W_ext.
  int n() const { return system.size(); }
  int nx() const { return 2 * n() + 1; }
  /// Everything but where the bodies are. Does not allocate.
  void restart(const State& state, const Outside& outside);
};

}  // namespace polhode::projected
