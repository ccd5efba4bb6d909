#pragma once
#include "polhode/spatial/rotation.h"

namespace polhode {

/// X_AB: the pose of frame B in frame A. X_AB * p_BQ = p_AQ, and X_AB * X_BC = X_AC.
template <class T>
struct Transform {
  Mat3<T> R = Mat3<T>::identity();
  Vec3<T> p{};
  friend constexpr bool operator==(const Transform&, const Transform&) = default;
};

template <class T>
POLHODE_INLINE Transform<T> operator*(const Transform<T>& X_AB, const Transform<T>& X_BC) {
  return {X_AB.R * X_BC.R, X_AB.p + X_AB.R * X_BC.p};
}
template <class T>
POLHODE_INLINE Vec3<T> operator*(const Transform<T>& X_AB, const Vec3<T>& p_BQ) {
  return X_AB.p + X_AB.R * p_BQ;
}
template <class T>
POLHODE_INLINE Transform<T> inverse(const Transform<T>& X_AB) {
  return {transpose(X_AB.R), -transpose_times(X_AB.R, X_AB.p)};
}
template <class T, class S>
POLHODE_INLINE Transform<T> cast(const Transform<S>& X) {
  return {cast<T>(X.R), cast<T>(X.p)};
}

/// A frame at (x, y, z) with its parent's axes.
inline Transform<double> at(double x, double y, double z) { return {Mat3<double>::identity(), {x, y, z}}; }

}  // namespace polhode
