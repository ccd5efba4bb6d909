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

/// Time per step of one over that of another, if both finished.
std::optional<double> time_ratio(const Entry* over, const Entry* under);

inline constexpr int smallest_n_of_fit = 30;  // below it the fixed cost of a step still shows

/// Exponent of n in our time per step in the contests with that key, from 30 links on; nothing with fewer than three lengths.
std::optional<double> our_exponent(std::span<const Contest> contests, const std::string& key);

}  // namespace polhode::bench
