#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "polhode/format/plot.h"

/// Where numbers go on a plot, and what is written beside them.
namespace polhode::format {

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
  bool empty() const { return !(low <= high); }
};

/// An axis from low to high, with numbers at some places.
struct Axis {
  double low = 0, high = 1;
  bool log = false;
  std::vector<std::pair<double, std::string>> ticks{};  ///< in the axis' own measure: logarithms where it is logarithmic
  std::string label{};

  double measure(double value) const {
    return !log ? value : value > 0 ? std::max(std::log10(value), low) : std::numeric_limits<double>::quiet_NaN();
  }
  double place(double measured) const { return (measured - low) / (high - low); }
};

/// From the least to the largest number.
Axis x_axis(const Plot& plot);
/// From a round number to a round number, or over whole decades.
Axis y_axis(const Plot& plot);

}  // namespace polhode::format
