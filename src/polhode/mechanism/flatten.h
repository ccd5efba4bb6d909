#pragma once
#include "polhode/mechanism/constraint_row.h"

/// Geometric things as runs of numbers and back, for coordinates and for functions that take plain arrays.
namespace polhode {

template <class T>
POLHODE_INLINE void put(const Vec3<T>& a, T* out) {
  out[0] = a.x, out[1] = a.y, out[2] = a.z;
}
template <class T>
POLHODE_INLINE Vec3<T> vec3_at(const T* in) {
  return {in[0], in[1], in[2]};
}

inline constexpr int motion_size = 6;  ///< angular, linear
template <class T>
POLHODE_INLINE void put(const Motion<T>& V, T* out) {
  put(V.angular, out), put(V.linear, out + 3);
}
template <class T>
POLHODE_INLINE Motion<T> motion_at(const T* in) {
  return {vec3_at(in), vec3_at(in + 3)};
}

inline constexpr int transform_size = 12;  ///< the columns of R, then p
template <class T>
POLHODE_INLINE void put(const Transform<T>& X, T* out) {
  for (int j = 0; j < 3; ++j) put(X.R.col[j], out + 3 * j);
  put(X.p, out + 9);
}
template <class T>
POLHODE_INLINE Transform<T> transform_at(const T* in) {
  return {{{vec3_at(in), vec3_at(in + 3), vec3_at(in + 6)}}, vec3_at(in + 9)};
}

inline constexpr int row_size = 8;  ///< value, moment, force, bias
template <class T>
POLHODE_INLINE void put(const ConstraintRow<T>& row, T* out) {
  out[0] = row.value, out[7] = row.bias;
  put(row.gradient.moment, out + 1), put(row.gradient.force, out + 4);
}
template <class T>
POLHODE_INLINE ConstraintRow<T> row_at(const T* in) {
  return {in[0], {vec3_at(in + 1), vec3_at(in + 4)}, in[7]};
}

}  // namespace polhode
