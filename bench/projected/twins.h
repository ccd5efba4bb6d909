#pragma once
/// Mechanisms with redundant or nonholonomic equations beside twins that have neither, ours only.

#include <optional>
#include <string>
#include <vector>

namespace polhode::bench {

struct Twin {
  std::string name;
  double seconds_per_step = 0, twin_seconds_per_step = 0;  // the least of all rounds
  int rows = 0, twin_rows = 0;
  bool finished = false;

  std::optional<double> ratio() const {
    if (!finished) return std::nullopt;
    return seconds_per_step / twin_seconds_per_step;
  }
};

std::vector<Twin> compare_twins(int rounds);

/// A sweep of so many runs on one thread and on two.
struct SweepTimes {
  long runs = 0;
  double one = 0, two = 0;  // wall time [s], the least of all rounds
  bool same = false;        // results agree bit for bit
};
SweepTimes time_sweep(long runs, int rounds);

}  // namespace polhode::bench
