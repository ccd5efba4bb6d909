#pragma once
#include "polhode/mechanism/mechanism.h"

namespace polhode {

/// Whether nothing in the mechanism feeds or takes energy: no damper, no force but those of potentials, nothing that depends on
/// time.
bool keeps_energy(const Mechanism& mechanism);

}  // namespace polhode
