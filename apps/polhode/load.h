#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "polhode/format/language/model.h"
#include "polhode/state/state.h"

namespace polhode::cli {

/// A model as the commands use it: read, built, with its initial state. Warnings go to standard error.
struct LoadedModel {
  format::Model model;
  State start;
};
LoadedModel load(const std::string& file, const std::vector<std::string>& settings = {});

/// --set NAME=VALUE, as often as wanted: the settings that load() takes.
void add_set_option(CLI::App& command, std::vector<std::string>& settings);
/// What the settings say. Throws std::invalid_argument for one that is no NAME=VALUE, and for a name that is set twice.
format::ParameterValues parameter_values(const std::vector<std::string>& settings);

/// Renders a problem that turned up after reading (by a method that cannot do what the model asks) at its place in the file.
[[noreturn]] void rethrow_with_places(const ModelError& error, const format::Model& model);

}  // namespace polhode::cli
