#pragma once
#include "polhode/mechanism/mechanism.h"

namespace polhode {

/// Whether nothing in the mechanism feeds or takes energy: no damper, no force but those of potentials, nothing that depends on
/// time.
bool keeps_energy(const Mechanism& mechanism);

/// Whether no constraint or driven coordinate is certain or likely to do work, so that all kinetic energy comes from forces.
/// Users' constraints count as doing some.
bool moves_only_by_forces(const Mechanism& mechanism);

}  // namespace polhode
