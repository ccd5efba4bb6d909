#pragma once
#include <CLI/CLI.hpp>

#include "polhode/study/simulate.h"

namespace polhode::cli {

void add_time_option(CLI::App& command, study::SimulateOptions& options);

/// The method and its options, as study/method_registry.h lists them. For which method each is, the library checks.
void add_method_options(CLI::App& command, study::SimulateOptions& options);
/// The same for commands that run several methods: without --method, and a step and an accuracy may go to different ones.
void add_options_of_methods(CLI::App& command, study::SimulateOptions& options);

}  // namespace polhode::cli
