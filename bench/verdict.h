#pragma once
/// A target and whether it was reached.

#include <cstdio>
#include <optional>
#include <span>
#include <string>

namespace polhode::bench {

struct Verdict {
  enum class Kind { met, missed, not_measured };
  std::string claim;
  Kind kind;
  std::optional<double> measured{};
  double bound = 0;
  bool at_most = true;  // else at least
};

Verdict at_most(std::string claim, std::optional<double> measured, double bound);
Verdict at_least(std::string claim, std::optional<double> measured, double bound);

/// One line each, then who was not there, then the sum. Returns how many targets were missed.
int print_verdicts(std::FILE* out, std::span<const Verdict> verdicts, std::span<const std::string> not_installed);

}  // namespace polhode::bench
