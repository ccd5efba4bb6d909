#pragma once
#include <string>
#include <utility>
#include <vector>

#include "polhode/study/simulate.h"

namespace polhode::cli {

/// What came of a run, for people: names and values with their units.
std::vector<std::pair<std::string, std::string>> summary_lines(const study::SimulateSummary& summary);

}  // namespace polhode::cli
