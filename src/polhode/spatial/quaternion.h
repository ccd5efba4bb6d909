#pragma once
#include "polhode/spatial/mat3.h"

namespace polhode {

/// Hamilton quaternion, scalar first, body to world (docs/notation.md). Rotations use unit ones.
template <class T>
struct Quaternion {
  T w{1}, x{}, y{}, z{};

  POLHODE_INLINE constexpr Vec3<T> vector() const { return {x, y, z}; }
  friend constexpr bool operator==(const Quaternion&, const Quaternion&) = default;
};

template <class T>
POLHODE_INLINE constexpr Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
POLHODE_INLINE constexpr Quaternion<T> conjugate(const Quaternion<T>& a) {
  return {a.w, -a.x, -a.y, -a.z};
}
template <class T>
POLHODE_INLINE constexpr T norm_squared(const Quaternion<T>& a) {
  return a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z;
}
template <class T>
POLHODE_INLINE Quaternion<T> normalized(const Quaternion<T>& a) {
  const T k = T(1) / square_root(norm_squared(a));
  return {k * a.w, k * a.x, k * a.y, k * a.z};
}

/// The rotation that a/|a| stands for; a need not be a unit quaternion, so rounding cannot shear the frame.
template <class T>
POLHODE_INLINE Mat3<T> rotation(const Quaternion<T>& a) {
  const T k = T(2) / norm_squared(a);
  const T wx = k * a.w * a.x, wy = k * a.w * a.y, wz = k * a.w * a.z;
  const T xx = k * a.x * a.x, xy = k * a.x * a.y, xz = k * a.x * a.z;
  const T yy = k * a.y * a.y, yz = k * a.y * a.z, zz = k * a.z * a.z;
  return {{{{T(1) - (yy + zz), xy + wz, xz - wy}, {xy - wz, T(1) - (xx + zz), yz + wx}, {xz + wy, yz - wx, T(1) - (xx + yy)}}}};
}

/// The unit quaternion of R with w >= 0, from R's largest diagonal combination so that nothing cancels.
inline Quaternion<double> quaternion(const Mat3<double>& R) {
  const double xx = R(0, 0), yy = R(1, 1), zz = R(2, 2);
  Quaternion<double> a;
  if (xx + yy + zz >= 0) {
    a = {1 + xx + yy + zz, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  } else if (xx >= yy && xx >= zz) {
    a = {R(2, 1) - R(1, 2), 1 + xx - yy - zz, R(1, 0) + R(0, 1), R(0, 2) + R(2, 0)};
  } else if (yy >= zz) {
    a = {R(0, 2) - R(2, 0), R(1, 0) + R(0, 1), 1 + yy - xx - zz, R(2, 1) + R(1, 2)};
  } else {
    a = {R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(2, 1) + R(1, 2), 1 + zz - xx - yy};
  }
  a = normalized(a);
  return a.w < 0 ? Quaternion<double>{-a.w, -a.x, -a.y, -a.z} : a;
}

}  // namespace polhode
