#pragma once
#include "polhode/mechanism/flatten.h"
#include "polhode/mechanism/joint_type.h"
#include "polhode/spatial/exponential.h"

/// What joints share whose first four coordinates are the quaternion (w, x, y, z) of R_FM.
namespace polhode {

template <class T>
POLHODE_INLINE Quaternion<T> quaternion_at(const T* q) {
  return {q[0], q[1], q[2], q[3]};
}
template <class T>
POLHODE_INLINE void put_quaternion(const Quaternion<T>& a, T* q) {
  q[0] = a.w, q[1] = a.x, q[2] = a.y, q[3] = a.z;
}

/// With the sign that is nearer to the quaternion that is there.
inline void put_near(const Quaternion<double>& a, double* q) {
  const double along = a.w * q[0] + a.x * q[1] + a.y * q[2] + a.z * q[3];
  put_quaternion(along < 0 ? Quaternion<double>{-a.w, -a.x, -a.y, -a.z} : a, q);
}

// Angular velocity in F: dq/dt = (0, w) q / 2, the product of quaternions.

template <class T>
POLHODE_INLINE void quaternion_rate(const T* q, const Vec3<T>& w_F, T* q_dot) {
  const T half(0.5);
  put_quaternion(Quaternion<T>{T(0), half * w_F.x, half * w_F.y, half * w_F.z} * quaternion_at(q), q_dot);
}
template <class T>
POLHODE_INLINE Vec3<T> angular_velocity_in_F(const T* q, const T* q_dot) {
  const Quaternion<T> a = quaternion_at(q);
  return (T(2) / norm_squared(a)) * (quaternion_at(q_dot) * conjugate(a)).vector();
}
/// exp(theta) q0: the chart's rotation vector is in F, and its rate is dexp_inverse(theta, w_F).
inline void turn_in_F(const double* q0, const Vec3<double>& theta, double* q1) {
  put_quaternion(normalized(exp_rotation(theta) * quaternion_at(q0)), q1);
}

/// What joints share whose q is the quaternion of R_FM and whose u is the angular velocity in F [rad/s].
struct TurnsInF {
  static constexpr int nq = 4, nv = 3, nchart = 3, nonholonomic = 0;
  static constexpr std::string_view coordinate_suffix(int i) {
    return std::array<std::string_view, 4>{".qw", ".qx", ".qy", ".qz"}[i];
  }
  static constexpr std::string_view speed_suffix(int i) { return std::array<std::string_view, 3>{".wx", ".wy", ".wz"}[i]; }

  template <class T>
  POLHODE_INLINE void N(const T* q, const T* u, T* q_dot) const {
    quaternion_rate(q, Vec3<T>{u[0], u[1], u[2]}, q_dot);
  }
  template <class T>
  POLHODE_INLINE void N_inverse(const T* q, const T* q_dot, T* u) const {
    put(angular_velocity_in_F(q, q_dot), u);
  }
  void retract(const double* q0, const double* theta, double* q1) const { turn_in_F(q0, {theta[0], theta[1], theta[2]}, q1); }
  void rate_of_chart(const double*, const double* theta, const double* u, double* theta_dot) const {
    put(dexp_inverse({theta[0], theta[1], theta[2]}, {u[0], u[1], u[2]}), theta_dot);
  }
  void zero(double* q) const { put_quaternion({}, q); }
  void read_pose(const Transform<double>& X_FM, double* q) const { put_quaternion(quaternion(X_FM.R), q); }
};

// Angular velocity in M: dq/dt = q (0, w) / 2.

template <class T>
POLHODE_INLINE void quaternion_rate_from_M(const T* q, const Vec3<T>& w_M, T* q_dot) {
  const T half(0.5);
  put_quaternion(quaternion_at(q) * Quaternion<T>{T(0), half * w_M.x, half * w_M.y, half * w_M.z}, q_dot);
}
template <class T>
POLHODE_INLINE Vec3<T> angular_velocity_in_M(const T* q, const T* q_dot) {
  const Quaternion<T> a = quaternion_at(q);
  return (T(2) / norm_squared(a)) * (conjugate(a) * quaternion_at(q_dot)).vector();
}
/// q0 exp(theta): the chart's rotation vector is in M, and its rate is dexp_inverse(-theta, w_M).
inline void turn_in_M(const double* q0, const Vec3<double>& theta, double* q1) {
  put_quaternion(normalized(quaternion_at(q0) * exp_rotation(theta)), q1);
}

}  // namespace polhode
