#pragma once
#include "polhode/mechanism/mechanism.h"
#include "polhode/projected/tree/options.h"

namespace polhode::projected {

/// What is wrong with the names of Options::units, in words; empty when nothing is.
std::string objection_to_units(const Mechanism& mechanism, const Options& options);

/// The options with these units in their scaling, by speed. Throws the objection as a std::invalid_argument.
Options with_units(const Mechanism& mechanism, Options options);

}  // namespace polhode::projected
