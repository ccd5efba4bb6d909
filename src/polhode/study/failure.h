#pragma once
#include <string>

#include "polhode/state/stepper.h"

namespace polhode::study {

/// A failed step in words: what the method says of it, and the law that gives no number there, if one does.
std::string failure_of(const Stepper& stepper, const Mechanism& mechanism, const StepReport& report);

}  // namespace polhode::study
