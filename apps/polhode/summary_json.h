#pragma once
#include <nlohmann/json.hpp>

#include "polhode/study/simulate.h"

namespace polhode::cli {

/// Options by their keys, numbers as numbers.
nlohmann::json options_json(const ResolvedOptions& options);
/// The summary of a run, as --json has it.
nlohmann::json summary_json(const study::SimulateSummary& summary);

}  // namespace polhode::cli
