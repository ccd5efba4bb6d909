#pragma once
#include <array>
#include <cmath>

namespace polhode::experiments::jets {

/// A number that depends on a mechanism's one coordinate: itself, its first and its second derivative.
struct Taylor {
  double v, d = 0, dd = 0;
};

inline Taylor operator+(Taylor a, Taylor b) { return {a.v + b.v, a.d + b.d, a.dd + b.dd}; }
inline Taylor operator-(Taylor a, Taylor b) { return {a.v - b.v, a.d - b.d, a.dd - b.dd}; }
inline Taylor operator*(Taylor a, Taylor b) {
  return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd};
}
inline Taylor operator*(double k, Taylor a) { return {k * a.v, k * a.d, k * a.dd}; }

/// f(a), given f, f' and f'' there.
inline Taylor chain(Taylor a, double f, double f1, double f2) { return {f, f1 * a.d, f2 * a.d * a.d + f1 * a.dd}; }
inline Taylor sin(Taylor a) { return chain(a, std::sin(a.v), std::cos(a.v), -std::sin(a.v)); }
inline Taylor cos(Taylor a) { return chain(a, std::cos(a.v), -std::sin(a.v), -std::cos(a.v)); }
inline Taylor inverse(Taylor a) { return chain(a, 1 / a.v, -1 / (a.v * a.v), 2 / (a.v * a.v * a.v)); }
inline Taylor sqrt(Taylor a) {
  const double root = std::sqrt(a.v);
  return chain(a, root, 0.5 / root, -0.25 / (root * a.v));
}

using TaylorVector = std::array<Taylor, 3>;

inline TaylorVector operator+(const TaylorVector& a, const TaylorVector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline TaylorVector operator-(const TaylorVector& a, const TaylorVector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline TaylorVector operator*(Taylor k, const TaylorVector& a) { return {k * a[0], k * a[1], k * a[2]}; }
inline TaylorVector operator*(double k, const TaylorVector& a) { return {k * a[0], k * a[1], k * a[2]}; }
inline Taylor dot(const TaylorVector& a, const TaylorVector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline TaylorVector cross(const TaylorVector& a, const TaylorVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline TaylorVector unit(const TaylorVector& a) { return inverse(sqrt(dot(a, a))) * a; }

}  // namespace polhode::experiments::jets
