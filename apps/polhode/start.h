#pragma once
#include <string>

#include "polhode/state/state.h"
#include "polhode/tree/assemble.h"

namespace polhode::cli {

/// Brings the model's start onto its constraints. Throws std::invalid_argument when they cannot be met, or contradict each
/// other in accelerations, which a run would share out in silence.
/// Warnings go to standard error.
tree::Assembly assemble_start(const std::string& model, State& start);
/// What a user should be told of an assembly.
void warn_of_start(const std::string& model, const tree::Assembly& assembly, const Mechanism& mechanism);

}  // namespace polhode::cli
