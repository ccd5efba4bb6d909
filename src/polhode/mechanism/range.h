#pragma once
#include <limits>

namespace polhode {

/// The least and the most that a number may be; without limits unless told otherwise.
struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();

  /// The nearest number within. What is no number stays none.
  double clipped(double x) const { return x < low ? low : x > high ? high : x; }
  bool operator==(const Range&) const = default;
};

}  // namespace polhode
