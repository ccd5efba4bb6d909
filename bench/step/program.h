#pragma once
/// Which problems are run, by whom and how often.

#include "contest.h"

namespace polhode::bench {

struct ProgramOptions {
  std::string our_method = "tree-variational";
  bool quick = false;
};

inline constexpr double gentle = 0.5;  // start of the chain [rad]
inline constexpr double horizontal = 3.14159265358979323846 / 2;

/// "chain": the planar chain from `gentle`.
std::vector<Contest> chain_contests(const ProgramOptions& options);
/// "whip": the planar chain from `horizontal`; "ball-whip" and "ball-swing": the turning ball-joint chain from both.
std::vector<Contest> whip_contests(const ProgramOptions& options);
/// "device" and "lift".
std::vector<Contest> loop_contests(const ProgramOptions& options);

int chain_rounds(const ProgramOptions& options);
int loop_rounds(const ProgramOptions& options);

}  // namespace polhode::bench
