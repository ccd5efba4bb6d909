#pragma once
#include <array>

#include "polhode/spatial/math.h"

namespace polhode {

/// Three numbers: a point, a direction or an angular quantity. The scalar may be double, a SIMD pack or a dual number.
template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  POLHODE_INLINE constexpr T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  POLHODE_INLINE constexpr const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

  POLHODE_INLINE constexpr Vec3& operator+=(const Vec3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  POLHODE_INLINE constexpr Vec3& operator-=(const Vec3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
POLHODE_INLINE constexpr Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
POLHODE_INLINE constexpr Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
POLHODE_INLINE constexpr Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
POLHODE_INLINE constexpr Vec3<T> operator*(const T& k, const Vec3<T>& a) {
  return {k * a.x, k * a.y, k * a.z};
}

template <class T>
POLHODE_INLINE constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
POLHODE_INLINE constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
POLHODE_INLINE T norm(const Vec3<T>& a) {
  return square_root(dot(a, a));
}

template <class T, class S>
POLHODE_INLINE constexpr Vec3<T> cast(const Vec3<S>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}

/// Finite and not zero: there is a unit vector along it.
inline bool has_direction(const Vec3<double>& a) {
  const double largest = std::fmax(std::fmax(std::abs(a.x), std::abs(a.y)), std::abs(a.z));
  return largest > 0 && std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
/// The unit vector along a, which must have a direction; squares of very large or small components do not spoil it.
inline Vec3<double> normalized(const Vec3<double>& a) {
  const double largest = std::fmax(std::fmax(std::abs(a.x), std::abs(a.y)), std::abs(a.z));
  const Vec3<double> b{a.x / largest, a.y / largest, a.z / largest};
  return (1.0 / norm(b)) * b;
}

/// Some unit vector perpendicular to the unit vector a, well conditioned for every a.
inline Vec3<double> any_perpendicular(const Vec3<double>& a) {
  const Vec3<double> least = std::abs(a.x) <= std::abs(a.y) && std::abs(a.x) <= std::abs(a.z) ? Vec3<double>{1, 0, 0}
                             : std::abs(a.y) <= std::abs(a.z)                                 ? Vec3<double>{0, 1, 0}
                                                                                              : Vec3<double>{0, 0, 1};
  return normalized(cross(a, least));
}

}  // namespace polhode
