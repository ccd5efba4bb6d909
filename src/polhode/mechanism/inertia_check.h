#pragma once
#include <span>
#include <vector>

#include "polhode/mechanism/mechanism.h"

namespace polhode {

/// Motions that no mass resists and that no signal prescribes, so that no law says how they go on: joints that carry no mass at
/// all, and joints at the end of a branch whose one body has no inertia against some of their motion in any configuration.
std::vector<Problem> undetermined_motions(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                                          std::span<const char> prescribed, const std::vector<Source>& joint_source);

}  // namespace polhode
