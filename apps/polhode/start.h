#pragma once
#include <string>

#include "polhode/state/state.h"
#include "polhode/tree/assemble.h"

namespace polhode::cli {

/// Brings the model's start onto its constraints. Throws std::invalid_argument when they cannot be met, or contradict each
/// other in accelerations, which a run would share out in silence.
tree::Assembly assemble_start(const std::string& model, State& start);

}  // namespace polhode::cli
