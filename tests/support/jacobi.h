#pragma once
#include <cmath>

namespace polhode::testing_support {

/// Jacobi's elliptic functions of argument x and modulus k, 0 <= k < 1.
struct Jacobi {
  double sn, cn, dn;
};

/// By descending Landen transformations (arithmetic-geometric mean; Abramowitz and Stegun, 16.4): quadratic, so ten levels are
/// plenty.
inline Jacobi jacobi(double x, double k) {
  constexpr int levels = 12;
  double a[levels + 1], c[levels + 1], b = std::sqrt(1 - k * k);
  a[0] = 1, c[0] = k;
  for (int i = 0; i < levels; ++i) {
    a[i + 1] = (a[i] + b) / 2, c[i + 1] = (a[i] - b) / 2;
    b = std::sqrt(a[i] * b);
  }
  double phi = std::ldexp(a[levels] * x, levels);
  for (int i = levels; i > 0; --i) phi = (phi + std::asin(c[i] / a[i] * std::sin(phi))) / 2;
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - k * k * sn * sn)};
}

}  // namespace polhode::testing_support
