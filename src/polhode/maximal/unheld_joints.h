#pragma once
#include <span>
#include <vector>

#include "polhode/state/method.h"

namespace polhode::maximal {

/// Joints that are to be locked (by body, not 0 where they are) and that rows between bodies cannot hold: users' own whose
/// speeds are not the rates of their coordinates.
std::vector<Unsupported> unheld_joints(const Mechanism& mechanism, std::span<const char> locked, std::string_view method);
/// Everything that a method in maximal coordinates cannot do in the mechanism.
std::vector<Unsupported> unsupported_in_maximal(const Mechanism& mechanism, const MethodFeatures& features,
                                                std::string_view method);

}  // namespace polhode::maximal
