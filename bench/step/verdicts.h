#pragma once
/// What Polhode means to reach, and whether it did.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contest.h"

namespace polhode::bench {

struct Verdict {
  enum class Kind { met, missed, not_measured };
  std::string claim;
  Kind kind;
  std::optional<double> measured{};
  double bound = 0;
  bool at_most = true;  // else at least
};

/// Only of the contests that are there; a peer that is not installed leaves its claim not measured, a run of ours that did not
/// finish is missed.
std::vector<Verdict> judge(std::span<const Contest> contests);

/// Exponent of n in our time per step from 30 links on; nothing with fewer than three lengths.
std::optional<double> our_exponent(std::span<const Contest> contests);

}  // namespace polhode::bench
