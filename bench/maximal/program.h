#pragma once
/// Which mechanisms maximal-variational steps, beside whom and how often.

#include "../step/contest.h"

namespace polhode::bench {

/// "chain" and "ball-chain": both from `gentle`.
std::vector<Contest> maximal_chain_contests(bool quick);
/// "closed-chain", "four-bar-chain" and "scissor-lift", about as many bodies in each; 1 s.
std::vector<Contest> maximal_loop_contests(bool quick);
/// "whip" and "ball-whip": the same chains from `horizontal`.
std::vector<Contest> maximal_whip_contests(bool quick);

}  // namespace polhode::bench
