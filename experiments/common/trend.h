#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace polhode::experiments {

/// A series in time, as a straight line and what swings about it.
struct Trend {
  double change = 0;  ///< of the line that fits best, from the first to the last time
  double swing = 0;   ///< greatest less least value of what remains
};

inline double mean(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += values[i];
  return sum / double(end - begin);
}

inline Trend trend_of(const std::vector<double>& t, const std::vector<double>& y) {
  if (t.size() < 2) return {};
  double t_mean = 0, y_mean = 0, tt = 0, ty = 0;
  for (std::size_t i = 0; i < t.size(); ++i) t_mean += t[i] / double(t.size()), y_mean += y[i] / double(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    tt += (t[i] - t_mean) * (t[i] - t_mean);
    ty += (t[i] - t_mean) * (y[i] - y_mean);
  }
  const double slope = ty / tt;
  double least = 0, most = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double rest = y[i] - y_mean - slope * (t[i] - t_mean);
    least = std::min(least, rest), most = std::max(most, rest);
  }
  return {slope * (t.back() - t.front()), most - least};
}

}  // namespace polhode::experiments
