#pragma once
#include <string>
#include <vector>

#include "polhode/state/state.h"
#include "polhode/tree/assemble.h"

namespace polhode::study {

/// Brings a state onto its constraints, as every run does first: what the model's (initial ...) gives stays, where the
/// constraints allow it. A state that meets them is left as it is, to the last bit. Throws std::invalid_argument when they
/// cannot be met, or contradict each other in accelerations, which a run would share out in silence.
tree::Assembly assemble_start(State& state);
/// The same, with another choice of what stays.
tree::Assembly assemble_start(State& state, const tree::Given& given);

/// What a user should be told of an assembly, in sentences: that the start is far from the one that was given, that equations
/// miss being met together, that it took much energy to keep the given speeds. Most have nothing to tell.
std::vector<std::string> warnings(const tree::Assembly& assembly, const Mechanism& mechanism);

}  // namespace polhode::study
