#pragma once
#include "polhode/state/method.h"

namespace polhode::variational {

/// maximal-variational, for the registry of methods.
const MethodEntry& maximal_variational_method();

}  // namespace polhode::variational
