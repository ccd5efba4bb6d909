#pragma once
#include "polhode/study/design_search.h"

namespace polhode::study {

/// What the neighbourhood of the best values says of them (the conditions of Karush, Kuhn and Tucker): what limits and bounds
/// are worth, what slope is left that they do not explain, how the measure curves. Costs some runs, done at once on all cores.
void check_neighbourhood(const ScaledProblem& problem, DesignResult& result);

}  // namespace polhode::study
