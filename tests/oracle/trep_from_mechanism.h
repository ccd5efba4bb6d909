#pragma once
#include "polhode/mechanism/mechanism.h"
#include "tests/oracle/trep_integrator.h"

namespace polhode::oracle::trep {

/// A mechanism told to the oracle in its own words. Variables are the mechanism's coordinates, in their order; every frame of
/// the mechanism is there by its name. Joints that are not made of primitive frames, loop joints, users' elements, springs
/// between frames and forces on bodies are refused with std::invalid_argument.
System from_mechanism(const Mechanism& mechanism);

}  // namespace polhode::oracle::trep
