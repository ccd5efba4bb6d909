#pragma once
#include <CLI/CLI.hpp>

#include "polhode/study/simulate.h"

namespace polhode::cli {

/// The options that say how to step through time, the same for every command that runs a model. For which method each is, the
/// library checks.
void add_method_options(CLI::App& command, study::SimulateOptions& options);
void add_time_option(CLI::App& command, study::SimulateOptions& options);

}  // namespace polhode::cli
