#pragma once
#include <string>
#include <vector>

#include "polhode/study/quantity.h"

namespace polhode::cli {

/// What --measure says, for a mechanism that has the quantities. Throws std::invalid_argument for one that it has not, with
/// those that it has, and for one that is given twice.
std::vector<study::Measure> measures_of(const std::vector<std::string>& texts, const Mechanism& mechanism);

}  // namespace polhode::cli
