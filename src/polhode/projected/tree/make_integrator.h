#pragma once
#include <memory>

#include "polhode/projected/tree/options.h"
#include "polhode/state/stepper.h"

namespace polhode::projected {

/// The integrator that the options name, at the mechanism's initial state. Throws std::invalid_argument that names a bad
/// option; ModelError when the mechanism has what the method cannot do.
std::unique_ptr<Stepper> make_integrator(const Mechanism& mechanism, const Options& given = {});

}  // namespace polhode::projected
