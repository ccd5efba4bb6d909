#pragma once
#include <span>
#include <vector>

namespace polhode::study {

/// What a chain of numbers that depend on one another says of their mean.
struct ChainStatistics {
  double mean = 0, deviation = 0;
  double error = 0;      ///< of the mean
  double effective = 0;  ///< as many independent numbers would say as much
  double reduction = 1;  ///< of chains: how much the deviation could still shrink (Gelman and Rubin 1992); 1 when they agree
};

/// The integrated autocorrelation time in numbers: 1 when they are independent. Summed up to where the sum is five times
/// shorter than what it is taken over (Sokal 1989).
double autocorrelation_time(std::span<const double> chain);

/// Of several chains of one quantity.
ChainStatistics chain_statistics(const std::vector<std::vector<double>>& chains);

}  // namespace polhode::study
