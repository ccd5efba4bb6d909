#pragma once
#include "race.h"

/// Who takes part in a race, where there is no reason to choose.
namespace polhode::experiments {

/// Everybody with every method that the benchmark knows, at these steps, or with these accuracies where a method has them.
std::vector<Curve> peers(const std::vector<double>& steps, const std::vector<double>& accuracies, double interval);
/// Our four methods; tree-variational with orders 2 and 4.
std::vector<Curve> ours(const std::vector<double>& steps, const std::vector<double>& accuracies, double interval);

/// Least seconds that one of these curves needs for an error, and whose they are; nothing if none reaches it.
struct Fastest {
  std::string label;
  double seconds;
};
std::optional<Fastest> fastest(const std::vector<Lap>& laps, const std::vector<Curve>& curves, double error_rms);

}  // namespace polhode::experiments
