#pragma once
#include <vector>

#include "polhode/mechanism/mechanism.h"

namespace polhode::stepping {

/// Times at which signals of the mechanism may jump, or their derivatives, in order: no step may go across one.
std::vector<double> signal_breaks(const Mechanism& mechanism);

}  // namespace polhode::stepping
