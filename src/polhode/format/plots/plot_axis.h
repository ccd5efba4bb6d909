#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "polhode/format/plots/plot.h"

/// Where numbers go on a plot, and what is written beside them.
namespace polhode::format {

/// What can be drawn of a number: sizes that no axis can be divided into are left out, or are nothing.
inline double drawable(double value) {
  if (!(std::abs(value) < 1e300)) return std::numeric_limits<double>::quiet_NaN();
  return std::abs(value) < 1e-300 ? 0 : value;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    value = drawable(value);
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
  bool empty() const { return !(low <= high); }
};

/// An axis from low to high, with numbers at some places.
struct Axis {
  double low = 0, high = 1;
  bool log = false;
  std::vector<std::pair<double, std::string>> ticks{};  ///< in the axis' own measure: logarithms where it is logarithmic
  std::vector<double> minor{};                          ///< between those, without numbers
  std::string label{};
  bool is_cut = false;  ///< what is below the low end is left out, not shown there

  double measure(double value) const {
    value = drawable(value);
    if (!log) return value;
    if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
    return is_cut ? std::log10(value) : std::max(std::log10(value), low);
  }
  double place(double measured) const { return (measured - low) / (high - low); }
};

/// From the least to the largest number.
Axis x_axis(const Plot& plot);
/// From a round number to a round number, or over whole decades. It encloses the data, but where the plot fixes an end.
Axis y_axis(const Plot& plot);

}  // namespace polhode::format
