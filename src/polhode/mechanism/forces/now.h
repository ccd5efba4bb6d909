#pragma once
#include <cstddef>
#include <span>

namespace polhode {

/// What a force may read besides where things are and how they move: the time, and what comes from outside.
struct Now {
  double t = 0;                      ///< [s]
  std::span<const double> inputs{};  ///< all inputs of the mechanism, in its order

  double input(int i) const { return inputs[std::size_t(i)]; }
};

}  // namespace polhode
