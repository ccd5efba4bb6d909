#pragma once
/// What Polhode means to reach, and whether it did.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../verdict.h"
#include "contest.h"

namespace polhode::bench {

/// Only of the contests that are there; a peer that is not installed leaves its claim not measured, a run of ours that did not
/// finish is missed.
std::vector<Verdict> judge(std::span<const Contest> contests);

/// Exponent of n in our time per step from 30 links on; nothing with fewer than three lengths.
std::optional<double> our_exponent(std::span<const Contest> contests);

}  // namespace polhode::bench
