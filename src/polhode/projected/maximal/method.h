#pragma once
#include "polhode/state/method.h"

namespace polhode::projected {

/// maximal-projected, for the registry of methods.
const MethodEntry& maximal_projected_method();

}  // namespace polhode::projected
