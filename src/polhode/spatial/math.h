#pragma once
#include <cmath>

#include "polhode/spatial/inline.h"

namespace polhode {

/// Sine and cosine of one angle, which every rotation needs together.
template <class T>
struct SinCos {
  T s, c;
};

POLHODE_INLINE SinCos<double> sin_cos(double angle) { return {std::sin(angle), std::cos(angle)}; }
POLHODE_INLINE double square_root(double x) { return std::sqrt(x); }
POLHODE_INLINE double absolute(double x) { return std::abs(x); }
POLHODE_INLINE double value_of(double x) { return x; }  ///< of a number without a derivative

template <class T>
POLHODE_INLINE T square(const T& x) {
  return x * x;
}

inline constexpr double pi = 3.14159265358979323846;

}  // namespace polhode
