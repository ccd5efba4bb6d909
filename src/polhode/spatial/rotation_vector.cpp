#include "polhode/spatial/rotation_vector.h"

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

// asin(s)/s = sum of c_k z^k with z = s^2, c_0 = 1, c_{k+1} = c_k (2k+1)^2 / ((2k+2) (2k+3)). Near zero the closed forms
// cancel: the derivative's error is eps/z, the excess' eps/z^2. Below the bound twelve terms are exact to rounding.
constexpr double small = 0.04;
constexpr int terms = 12;

double next(double c, int k) { return c * (2 * k + 1) * (2 * k + 1) / ((2.0 * k + 2) * (2 * k + 3)); }

}  // namespace

AngleOverSine angle_over_sine(double z) {
  if (z < small) {
    const AngleOverSine excess = angle_over_sine_excess(z);
    return {1 + z * excess.value, excess.value + z * excess.slope};
  }
  const double s = std::sqrt(std::min(z, 1.0)), value = std::asin(s) / s;
  return {value, (1 / std::sqrt(std::max(1 - z, 0.0)) - value) / (2 * z)};
}

AngleOverSine angle_over_sine_excess(double z) {
  if (z < small) {
    double value = 0, slope = 0, power = 1, power_before = 0, c = 1;
    for (int k = 0; k < terms; ++k) {
      c = next(c, k);
      value += c * power;
      slope += k * c * power_before;
      power_before = power;
      power *= z;
    }
    return {value, slope};
  }
  const AngleOverSine g = angle_over_sine(z);
  return {(g.value - 1) / z, (g.slope - (g.value - 1) / z) / z};
}

}  // namespace polhode
