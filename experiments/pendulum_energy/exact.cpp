#include "exact.h"

#include <array>
#include <cmath>

namespace polhode::experiments {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr int levels = 8;  // of the arithmetic-geometric mean, which doubles its digits with each

/// Gauss's scale of means for a modulus k: a and c of Abramowitz and Stegun 17.6.
struct Means {
  std::array<double, levels + 1> a{}, c{};

  explicit Means(double k) {
    double b = std::sqrt(1 - k * k);
    a[0] = 1;
    c[0] = k;
    for (int i = 0; i < levels; ++i) {
      a[i + 1] = (a[i] + b) / 2;
      c[i + 1] = (a[i] - b) / 2;
      b = std::sqrt(a[i] * b);
    }
  }
  /// K(k), a quarter of the period of sn.
  double quarter() const { return pi / (2 * a[levels]); }
  /// sn(u, k), by Landen's transformation downwards (Abramowitz and Stegun 16.4).
  double sn(double u) const {
    double phi = std::ldexp(a[levels] * u, levels);
    for (int i = levels; i > 0; --i) phi = (phi + std::asin(c[i] / a[i] * std::sin(phi))) / 2;
    return std::sin(phi);
  }
};

}  // namespace

ExactPendulum::ExactPendulum(double angle, double rate)
    : modulus_(std::sin(angle / 2)), rate_(rate), period_(4 * Means(modulus_).quarter() / rate) {}

double ExactPendulum::angle(double t) const {
  const Means means(modulus_);
  const double u = rate_ * std::remainder(t, period_);
  return 2 * std::asin(modulus_ * means.sn(means.quarter() - u));
}

}  // namespace polhode::experiments
