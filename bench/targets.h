#pragma once
/// How many times faster than each peer Polhode means to be, and how its cost may grow with the chain.

#include <optional>
#include <string_view>

#include "chain_subject.h"

namespace polhode::bench {

/// Exponent of n in the time of forward dynamics from n = 30 to 1000: linear, with a little for the caches.
inline constexpr double largest_exponent = 1.05;

/// Least time of `peer` over ours; nothing where none is set.
std::optional<double> least_ratio(Operation operation, std::string_view peer, int n);

}  // namespace polhode::bench
