#pragma once
#include "../common/race.h"

namespace polhode::experiments {

/// Whether the default method's energy drifts: runs longer than the paper's, at its step and at half of it.
void show_drift(Findings& findings, const Lap& whole_run);

}  // namespace polhode::experiments
