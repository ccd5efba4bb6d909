#pragma once
#include <initializer_list>

#include "polhode/spatial/quaternion.h"

namespace polhode {

/// Turn by an angle [rad] about a coordinate axis (0, 1, 2 for x, y, z).
template <int axis, class T>
POLHODE_INLINE Mat3<T> rotation_about(const SinCos<T>& a) {
  constexpr int j = (axis + 1) % 3, k = (axis + 2) % 3;
  Mat3<T> R{};
  R(axis, axis) = T(1);
  R(j, j) = a.c, R(j, k) = -a.s;
  R(k, j) = a.s, R(k, k) = a.c;
  return R;
}
template <class T>
POLHODE_INLINE Mat3<T> rotation_x(const T& angle) {
  return rotation_about<0>(sin_cos(angle));
}
template <class T>
POLHODE_INLINE Mat3<T> rotation_y(const T& angle) {
  return rotation_about<1>(sin_cos(angle));
}
template <class T>
POLHODE_INLINE Mat3<T> rotation_z(const T& angle) {
  return rotation_about<2>(sin_cos(angle));
}

/// Turn by an angle [rad] about any unit axis (Rodrigues).
template <class T>
POLHODE_INLINE Mat3<T> rotation_about(const Vec3<T>& axis, const T& angle) {
  const auto [s, c] = sin_cos(angle);
  const Mat3<T> K = skew(axis);
  return Mat3<T>::identity() + s * K + (T(1) - c) * (K * K);
}

/// Turns about the moving axes x, then y, then z.
template <class T>
POLHODE_INLINE Mat3<T> rotation_body_xyz(const Vec3<T>& angles) {
  return rotation_x(angles.x) * rotation_y(angles.y) * rotation_z(angles.z);
}
/// Roll, pitch, yaw: turns about the fixed axes x, then y, then z (as in URDF).
template <class T>
POLHODE_INLINE Mat3<T> rotation_rpy(const Vec3<T>& angles) {
  return rotation_z(angles.z) * rotation_y(angles.y) * rotation_x(angles.x);
}

/// Turns about the listed axes (characters of "xyz"), each moving with the frame; for fixed axes list them backwards.
Mat3<double> rotation_from_angles(const char* axes, std::initializer_list<double> angles);

/// The angles of rotation_body_xyz; at |angle y| = 90 degrees, where x and z turn about one line, z is taken as zero.
Vec3<double> body_xyz_angles(const Mat3<double>& R);

/// A frame whose z axis lies along the unit vector z.
Mat3<double> rotation_with_z(const Vec3<double>& z);
/// A frame whose x axis lies along x and whose y axis is as near to y_hint as that allows.
Mat3<double> rotation_with_xy(const Vec3<double>& x, const Vec3<double>& y_hint);

/// The rotation nearest to A (in the least-squares sense) by iterating A <- (A + A^-T)/2; A must have a positive determinant.
Mat3<double> nearest_rotation(const Mat3<double>& A);
/// Largest entry of R^T R - 1, a measure of how far R is from a rotation.
double orthogonality_error(const Mat3<double>& R);

}  // namespace polhode
