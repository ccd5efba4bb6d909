#pragma once
#include <cmath>
#include <vector>

namespace polhode::experiments {

/// The straight line through measurements, and how sure its slope is.
struct Trend {
  double slope = 0;
  double slope_error = 0;  ///< standard deviation, as if each tenth of the series were one independent measurement
};

Trend trend_of(const std::vector<double>& t, const std::vector<double>& y);

}  // namespace polhode::experiments
