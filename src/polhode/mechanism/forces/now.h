#pragma once
#include <cstddef>
#include <span>

namespace polhode {

/// What a force may read besides where things are and how they move: the time, what comes from outside, and the states that
/// elements have of their own. All of the mechanism's, in its order. Where algorithms are given none, they take the initial
/// ones (Mechanism::completed).
struct Now {
  double t = 0;  ///< [s]
  std::span<const double> inputs{};
  std::span<const double> z{}, discrete{};  ///< auxiliary states; variables that change at events only

  double input(int i) const { return inputs[std::size_t(i)]; }
};

}  // namespace polhode
