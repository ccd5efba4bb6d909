#pragma once
/// Energy and loop gaps of any engine, by one routine from how its links move.

#include <vector>

#include "problem.h"

namespace polhode::bench {

/// Kinetic plus potential [J].
double energy(const Problem& problem, const std::vector<BodyState>& bodies);

/// Largest distance between two points that should meet, in the x-z plane [m]; 0 without closures.
double largest_gap(const Problem& problem, const std::vector<BodyState>& bodies);

}  // namespace polhode::bench
