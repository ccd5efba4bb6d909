#pragma once
#include "polhode/spatial/vec3.h"

namespace polhode {

/// A 3x3 matrix kept as its three columns: the axes of a rotated frame are then there to be read.
template <class T>
struct Mat3 {
  std::array<Vec3<T>, 3> col{};

  POLHODE_INLINE constexpr T& operator()(int i, int j) { return col[j][i]; }
  POLHODE_INLINE constexpr const T& operator()(int i, int j) const { return col[j][i]; }

  static constexpr Mat3 identity() { return diagonal({T(1), T(1), T(1)}); }
  static constexpr Mat3 diagonal(const Vec3<T>& d) { return {{{{d.x, T(0), T(0)}, {T(0), d.y, T(0)}, {T(0), T(0), d.z}}}}; }
  friend constexpr bool operator==(const Mat3&, const Mat3&) = default;
};

template <class T>
POLHODE_INLINE constexpr Vec3<T> operator*(const Mat3<T>& A, const Vec3<T>& v) {
  return v.x * A.col[0] + v.y * A.col[1] + v.z * A.col[2];
}
template <class T>
POLHODE_INLINE constexpr Mat3<T> operator*(const Mat3<T>& A, const Mat3<T>& B) {
  return {{A * B.col[0], A * B.col[1], A * B.col[2]}};
}
template <class T>
POLHODE_INLINE constexpr Mat3<T> operator+(const Mat3<T>& A, const Mat3<T>& B) {
  return {{A.col[0] + B.col[0], A.col[1] + B.col[1], A.col[2] + B.col[2]}};
}
template <class T>
POLHODE_INLINE constexpr Mat3<T> operator-(const Mat3<T>& A, const Mat3<T>& B) {
  return {{A.col[0] - B.col[0], A.col[1] - B.col[1], A.col[2] - B.col[2]}};
}
template <class T>
POLHODE_INLINE constexpr Mat3<T> operator*(const T& k, const Mat3<T>& A) {
  return {{k * A.col[0], k * A.col[1], k * A.col[2]}};
}

template <class T>
POLHODE_INLINE constexpr Mat3<T> transpose(const Mat3<T>& A) {
  const auto& [a, b, c] = A.col;
  return {{{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}}};
}
/// Transpose(A) v without forming the transpose.
template <class T>
POLHODE_INLINE constexpr Vec3<T> transpose_times(const Mat3<T>& A, const Vec3<T>& v) {
  return {dot(A.col[0], v), dot(A.col[1], v), dot(A.col[2], v)};
}

/// skew(a) b = a x b.
template <class T>
POLHODE_INLINE constexpr Mat3<T> skew(const Vec3<T>& a) {
  return {{{{T(0), a.z, -a.y}, {-a.z, T(0), a.x}, {a.y, -a.x, T(0)}}}};
}
template <class T>
POLHODE_INLINE constexpr Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {{b.x * a, b.y * a, b.z * a}};
}
template <class T>
POLHODE_INLINE constexpr T determinant(const Mat3<T>& A) {
  return dot(A.col[0], cross(A.col[1], A.col[2]));
}

template <class T, class S>
POLHODE_INLINE constexpr Mat3<T> cast(const Mat3<S>& A) {
  return {{cast<T>(A.col[0]), cast<T>(A.col[1]), cast<T>(A.col[2])}};
}

/// A symmetric 3x3 matrix by its six numbers; inertias are of this kind.
template <class T>
struct SymMat3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  static constexpr SymMat3 diagonal(const Vec3<T>& d) { return {d.x, d.y, d.z, T(0), T(0), T(0)}; }
  POLHODE_INLINE constexpr Mat3<T> full() const { return {{{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}}}; }
  friend constexpr bool operator==(const SymMat3&, const SymMat3&) = default;
};

template <class T>
POLHODE_INLINE constexpr SymMat3<T> operator+(const SymMat3<T>& a, const SymMat3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class T>
POLHODE_INLINE constexpr SymMat3<T> operator-(const SymMat3<T>& a, const SymMat3<T>& b) {
  return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}
template <class T>
POLHODE_INLINE constexpr Vec3<T> operator*(const SymMat3<T>& S, const Vec3<T>& v) {
  return {S.xx * v.x + S.xy * v.y + S.xz * v.z, S.xy * v.x + S.yy * v.y + S.yz * v.z, S.xz * v.x + S.yz * v.y + S.zz * v.z};
}
/// The symmetric part of A, exact when A is symmetric.
template <class T>
POLHODE_INLINE constexpr SymMat3<T> symmetric(const Mat3<T>& A) {
  const T half(0.5);
  return {A(0, 0), A(1, 1), A(2, 2), half * (A(0, 1) + A(1, 0)), half * (A(0, 2) + A(2, 0)), half * (A(1, 2) + A(2, 1))};
}
/// R S R^T: the same tensor in rotated axes.
template <class T>
POLHODE_INLINE constexpr SymMat3<T> rotated(const Mat3<T>& R, const SymMat3<T>& S) {
  return symmetric(R * S.full() * transpose(R));
}

}  // namespace polhode
