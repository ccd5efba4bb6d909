#pragma once
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

namespace polhode::cli {

/// File names need not be UTF-8, JSON must be: what is not becomes U+FFFD.
inline std::string json_text(const nlohmann::json& json, int indent = 2) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}
/// One object on standard output.
inline void print_json(const nlohmann::json& object) { fmt::print("{}\n", json_text(object)); }

}  // namespace polhode::cli
