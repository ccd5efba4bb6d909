#pragma once
#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace polhode::cli {

/// One object on standard output. File names need not be UTF-8, JSON must be: what is not becomes U+FFFD.
inline void print_json(const nlohmann::json& object) {
  fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace polhode::cli
