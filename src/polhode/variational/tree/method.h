#pragma once
#include "polhode/state/method.h"

namespace polhode::variational {

/// All that tree-variational cannot do in the mechanism.
std::vector<Unsupported> unsupported_by_tree_variational(const Mechanism& mechanism);

/// tree-variational, for the registry of methods.
const MethodEntry& tree_variational_method();

}  // namespace polhode::variational
