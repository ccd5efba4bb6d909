#pragma once
/// Vectors and rotations that every engine's part of the benchmark can read.  C++17.

#include <array>
#include <cmath>

namespace polhode::bench {

using Triple = std::array<double, 3>;
using Rotation = std::array<double, 9>;    // row after row
using Quaternion = std::array<double, 4>;  // w x y z

inline constexpr Rotation no_turn{1, 0, 0, 0, 1, 0, 0, 0, 1};

inline Triple operator+(const Triple& a, const Triple& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Triple operator-(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Triple operator*(double s, const Triple& a) { return {s * a[0], s * a[1], s * a[2]}; }

inline double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double length(const Triple& a) { return std::sqrt(dot(a, a)); }

inline Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Triple rotated(const Rotation& R, const Triple& a) {
  return {R[0] * a[0] + R[1] * a[1] + R[2] * a[2], R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
          R[6] * a[0] + R[7] * a[1] + R[8] * a[2]};
}

inline Triple rotated_back(const Rotation& R, const Triple& a) {
  return {R[0] * a[0] + R[3] * a[1] + R[6] * a[2], R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
          R[2] * a[0] + R[5] * a[1] + R[8] * a[2]};
}

inline Rotation operator*(const Rotation& A, const Rotation& B) {
  Rotation C{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) C[3 * i + j] += A[3 * i + k] * B[3 * k + j];
    }
  }
  return C;
}

/// About a unit vector, by so much [rad].
inline Quaternion quaternion_about(const Triple& axis, double angle) {
  const double c = std::cos(angle / 2), s = std::sin(angle / 2);
  return {c, s * axis[0], s * axis[1], s * axis[2]};
}

inline Rotation rotation_of(const Quaternion& q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),    1 - 2 * (x * x + z * z),
          2 * (y * z - w * x),     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
}

inline Rotation rotation_about(const Triple& axis, double angle) { return rotation_of(quaternion_about(axis, angle)); }

}  // namespace polhode::bench
