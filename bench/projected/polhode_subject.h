#pragma once
/// Our side of the problems, and the means to run any mechanism of ours.

#include "polhode/state/state.h"
#include "subject.h"

namespace polhode::bench {

State start_of(const LoopProblem& problem);
/// The first so many bodies by name, "link0" and on, show their centres.
ProjectedRun run_from(const State& start, const ProjectedSettings& settings, int num_links = 0);

}  // namespace polhode::bench
