#pragma once
/// The sparse block LDU beside a dense LU of the same matrix (Bruedigam & Manchester, Fig. 4c).

#include <vector>

namespace polhode::bench {

struct FactorTime {
  int n;                 // links of the hanging chain on hinges, whose matrix it is
  int rows;              // of the matrix
  double sparse, dense;  // seconds to write the matrix, factor it and solve once
  double difference;     // of the two solutions, relative to the largest entry
};

std::vector<FactorTime> time_factors(const std::vector<int>& sizes, int rounds);

}  // namespace polhode::bench
