#pragma once
#include <string>
#include <utility>
#include <vector>

#include "polhode/study/simulate.h"

namespace polhode::format {

/// What came of a run, for people: label and text. An empty label goes on with what the one before began.
std::vector<std::pair<std::string, std::string>> run_facts(const study::SimulateSummary& summary);

/// The method and the options in force, as one line.
std::string how_it_was_run(const study::SimulateSummary& summary);

}  // namespace polhode::format
