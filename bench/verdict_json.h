#pragma once
/// Verdicts for machines.

#include <nlohmann/json.hpp>

#include "verdict.h"

namespace polhode::bench {

using Json = nlohmann::ordered_json;

Json json_of(std::span<const Verdict> verdicts);

}  // namespace polhode::bench
