#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "polhode/format/model.h"
#include "polhode/state/state.h"

namespace polhode::cli {

/// A model as the commands use it: read, built, with its initial state. Warnings go to standard error.
struct LoadedModel {
  format::Model model;
  State start;
};
LoadedModel load(const std::string& file);

/// Renders a problem that turned up after reading (by a method that cannot do what the model asks) at its place in the file.
[[noreturn]] void rethrow_with_places(const ModelError& error, const format::Model& model);

/// As it is printed. Bytes of a file's name that are not UTF-8 become U+FFFD, as JSON cannot hold them.
std::string json_text(const nlohmann::json& object);

}  // namespace polhode::cli
