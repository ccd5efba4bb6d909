#include "numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode::bench {

std::string three_digits(double value) {
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(value))), 0, 3);
  return fmt::format("{:.{}f}", value, decimals);
}

std::optional<double> log_log_slope(std::span<const std::pair<double, double>> points) {
  if (points.size() < 3) return std::nullopt;
  const double count = static_cast<double>(points.size());
  double mean_x = 0, mean_y = 0;
  for (const auto& [x, y] : points) {
    mean_x += std::log(x) / count;
    mean_y += std::log(y) / count;
  }
  double xx = 0, xy = 0;
  for (const auto& [x, y] : points) {
    const double dx = std::log(x) - mean_x;
    xx += dx * dx;
    xy += dx * (std::log(y) - mean_y);
  }
  return xy / xx;
}

}  // namespace polhode::bench
