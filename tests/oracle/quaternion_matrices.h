#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>

/// The matrices of Bruedigam & Manchester, section 2.1: quaternions are columns of four, scalar first.
namespace polhode::oracle::maximal {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Matrix34 = Eigen::Matrix<double, 3, 4>;

/// (6)
inline Matrix3d skew(const Vector3d& x) {
  Matrix3d X;
  X << 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0;
  return X;
}
/// (7): q^-1 = T q.
inline Matrix4d T() { return Vector4d(1, -1, -1, -1).asDiagonal(); }
/// (8): a (x) b = L(a) b.
inline Matrix4d L(const Vector4d& q) {
  const Vector3d v = q.tail<3>();
  Matrix4d A;
  A << q[0], -v.transpose(), v, q[0] * Matrix3d::Identity() + skew(v);
  return A;
}
/// (9): a (x) b = R(b) a.
inline Matrix4d R(const Vector4d& q) {
  const Vector3d v = q.tail<3>();
  Matrix4d A;
  A << q[0], -v.transpose(), v, q[0] * Matrix3d::Identity() - skew(v);
  return A;
}
/// (10)
inline Matrix34 V() {
  Matrix34 A;
  A << Vector3d::Zero(), Matrix3d::Identity();
  return A;
}

/// (15): a body's vector in Ground axes.
inline Vector3d rotated(const Vector4d& q, const Vector3d& x) { return V() * R(q).transpose() * L(q) * V().transpose() * x; }

/// Its derivative with respect to the four numbers q: q (x) x (x) q^-1 by the product rule, with (11) and (12).
inline Matrix34 rotated_by_q(const Vector4d& q, const Vector3d& x) {
  const Vector4d x_hat = V().transpose() * x;
  return V() * (R(q).transpose() * R(x_hat) + L(L(q) * x_hat) * T());
}

}  // namespace polhode::oracle::maximal
