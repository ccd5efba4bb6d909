#include "polhode/study/statistics.h"

#include <algorithm>
#include <cmath>

namespace polhode::study {
namespace {

double quantile(const std::vector<double>& sorted, double p) {
  const double place = p * double(sorted.size() - 1);
  const auto below = std::size_t(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = place - double(below);
  return (1 - part) * sorted[below] + part * sorted[below + 1];
}

}  // namespace

Statistics statistics(std::vector<double> numbers) {
  Statistics s;
  s.count = long(numbers.size());
  if (numbers.empty()) return s;
  std::sort(numbers.begin(), numbers.end());
  double sum = 0;  // of differences, so that the mean of equal numbers is that number
  for (const double x : numbers) sum += x - numbers.front();
  s.mean = numbers.front() + sum / double(s.count);
  double squares = 0;
  for (const double x : numbers) squares += (x - s.mean) * (x - s.mean);
  if (s.count > 1) s.deviation = std::sqrt(squares / double(s.count - 1));
  s.least = numbers.front(), s.greatest = numbers.back();
  s.quantile_05 = quantile(numbers, 0.05), s.median = quantile(numbers, 0.5), s.quantile_95 = quantile(numbers, 0.95);
  return s;
}

}  // namespace polhode::study
