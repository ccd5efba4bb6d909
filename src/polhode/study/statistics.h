#pragma once
#include <vector>

namespace polhode::study {

/// Of a set of numbers. Quantiles are interpolated linearly between the sorted numbers.
struct Statistics {
  long count = 0;
  double mean = 0, deviation = 0;  ///< the sample's standard deviation, with count - 1; 0 for a single number
  double least = 0, quantile_05 = 0, median = 0, quantile_95 = 0, greatest = 0;
};
Statistics statistics(std::vector<double> numbers);

}  // namespace polhode::study
