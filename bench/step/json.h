#pragma once
/// The contests' results for machines.

#include "../verdict_json.h"
#include "contest.h"

namespace polhode::bench {

/// Every run with all that was measured.
Json json_of(std::span<const Contest> contests);

}  // namespace polhode::bench
