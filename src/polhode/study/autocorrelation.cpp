#include "polhode/study/autocorrelation.h"

#include <algorithm>
#include <cmath>

namespace polhode::study {
namespace {

constexpr double window = 5;  // autocorrelation times

double mean_of(std::span<const double> x) {
  double sum = 0;
  for (const double a : x) sum += a - x[0];
  return x[0] + sum / double(x.size());
}

double variance_of(std::span<const double> x, double mean) {
  double sum = 0;
  for (const double a : x) sum += (a - mean) * (a - mean);
  return sum / double(x.size());
}

}  // namespace

double autocorrelation_time(std::span<const double> chain) {
  if (chain.size() < 4) return 1;
  const double mean = mean_of(chain), variance = variance_of(chain, mean);
  if (!(variance > 1e-24 * mean * mean)) return 1;
  double time = 1;
  for (std::size_t lag = 1; lag < chain.size() / 2; ++lag) {
    double sum = 0;
    for (std::size_t i = lag; i < chain.size(); ++i) sum += (chain[i] - mean) * (chain[i - lag] - mean);
    time += 2 * sum / (variance * double(chain.size()));
    if (double(lag) >= window * time) break;
  }
  return std::max(time, 1e-3);
}

ChainStatistics chain_statistics(const std::vector<std::vector<double>>& chains) {
  ChainStatistics s;
  std::size_t count = 0;
  for (const auto& chain : chains) count += chain.size();
  if (count == 0) return s;
  std::vector<double> means;
  double within = 0;
  for (const auto& chain : chains) {
    if (chain.empty()) continue;
    means.push_back(mean_of(chain));
    s.mean += means.back() * double(chain.size()) / double(count);
    within += variance_of(chain, means.back()) * double(chain.size()) / double(count);
    s.effective += double(chain.size()) / autocorrelation_time(chain);
  }
  double between = 0;
  for (const double m : means) between += (m - s.mean) * (m - s.mean) / double(means.size());
  s.deviation = std::sqrt(within + between);
  s.error = s.deviation / std::sqrt(std::max(1.0, s.effective));
  s.reduction = within > 0 ? std::sqrt((within + between) / within) : 1;
  return s;
}

}  // namespace polhode::study
