#pragma once
#include <span>

#include "polhode/mechanism/mechanism.h"

namespace polhode::variational {

/// Coordinates and speeds at one time.
struct Motions {
  std::span<const double> q, u;
};

/// Between two states that are h apart, at the fraction s of the way: q = q0 (+) theta(s) with the cubic theta(s) in each
/// joint's own chart whose rates at both ends are those of the given speeds.
void interpolate_charts(const Mechanism& mechanism, double s, double h, const Motions& start, const Motions& end,
                        std::span<double> q, std::span<double> u);

}  // namespace polhode::variational
