#include "trend.h"

#include <array>

namespace polhode::experiments {
namespace {

double mean_of(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += values[i];
  return sum / double(end - begin);
}

}  // namespace

Trend trend_of(const std::vector<double>& t, const std::vector<double>& y) {
  constexpr std::size_t blocks = 10;  // neighbours in a series depend on one another, blocks much longer than a swing do not
  if (t.size() < blocks) return {};
  std::array<double, blocks> at{}, level{};
  for (std::size_t k = 0; k < blocks; ++k) {
    const std::size_t begin = k * t.size() / blocks, end = (k + 1) * t.size() / blocks;
    at[k] = mean_of(t, begin, end);
    level[k] = mean_of(y, begin, end);
  }
  double at_mean = 0, level_mean = 0, xx = 0, xy = 0, rest = 0;
  for (std::size_t k = 0; k < blocks; ++k) at_mean += at[k] / blocks, level_mean += level[k] / blocks;
  for (std::size_t k = 0; k < blocks; ++k) {
    xx += (at[k] - at_mean) * (at[k] - at_mean);
    xy += (at[k] - at_mean) * (level[k] - level_mean);
  }
  const double slope = xy / xx;
  for (std::size_t k = 0; k < blocks; ++k) {
    const double off = level[k] - level_mean - slope * (at[k] - at_mean);
    rest += off * off;
  }
  return {slope, std::sqrt(rest / (blocks - 2) / xx)};
}

}  // namespace polhode::experiments
