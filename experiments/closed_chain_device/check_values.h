#pragma once
#include "../common/race.h"

namespace polhode::experiments {

/// Where the loop's corner O2 is at 1 s and at 3 s, by our methods and as found once by Simbody at an accuracy of 1e-9.
void check_values(Findings& findings, const Lap& reference);

}  // namespace polhode::experiments
