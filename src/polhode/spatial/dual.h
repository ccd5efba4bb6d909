#pragma once
#include "polhode/spatial/math.h"

namespace polhode {

/// A number with one derivative: forward-mode differentiation by arithmetic. Dual<Dual<double>> gives second derivatives.
template <class T = double>
struct Dual {
  T value{}, slope{};

  constexpr Dual() = default;
  constexpr Dual(double v) : value(v), slope(0) {}
  constexpr Dual(const T& v, const T& s) : value(v), slope(s) {}

  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }

  friend constexpr Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend constexpr Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.slope + a.slope * b.value};
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    const T quotient = a.value / b.value;
    return {quotient, (a.slope - quotient * b.slope) / b.value};
  }
};

template <class T>
SinCos<Dual<T>> sin_cos(const Dual<T>& a) {
  const SinCos<T> b = sin_cos(a.value);
  return {{b.s, b.c * a.slope}, {b.c, -b.s * a.slope}};
}
template <class T>
Dual<T> square_root(const Dual<T>& a) {
  const T root = square_root(a.value);
  return {root, a.slope / (T(2) * root)};
}

template <class T>
double value_of(const Dual<T>& a) {
  return value_of(a.value);
}
template <class T>
Dual<T> absolute(const Dual<T>& a) {
  return value_of(a) < 0 ? -a : a;
}

}  // namespace polhode
