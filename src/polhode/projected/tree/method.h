#pragma once
#include "polhode/state/method.h"

namespace polhode::projected {

/// tree-projected, for the registry of methods.
const MethodEntry& tree_projected_method();

}  // namespace polhode::projected
