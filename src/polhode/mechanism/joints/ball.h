#pragma once
#include "polhode/mechanism/joint_type.h"
#include "polhode/spatial/exponential.h"

namespace polhode {

/// Ball: M turns freely about F's origin.  q: quaternion (w, x, y, z) of R_FM, u: angular velocity in F [rad/s].
struct Ball {
  static constexpr std::string_view type = "spherical";
  static constexpr int nq = 4, nv = 3, nchart = 3, nonholonomic = 0;
  static constexpr std::string_view coordinate_suffix(int i) {
    return std::array<std::string_view, 4>{".qw", ".qx", ".qy", ".qz"}[i];
  }
  static constexpr std::string_view speed_suffix(int i) { return std::array<std::string_view, 3>{".wx", ".wy", ".wz"}[i]; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation(Quaternion<T>{q[0], q[1], q[2], q[3]}), {}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T*, Motion<T>* H) const {
    H[0] = {cast<T>(x_axis), {}};
    H[1] = {cast<T>(y_axis), {}};
    H[2] = {cast<T>(z_axis), {}};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  /// dq/dt = (0, u) q / 2, the product of quaternions.
  template <class T>
  POLHODE_INLINE void N(const T* q, const T* u, T* q_dot) const {
    const T half(0.5);
    const auto r = Quaternion<T>{T(0), half * u[0], half * u[1], half * u[2]} * Quaternion<T>{q[0], q[1], q[2], q[3]};
    q_dot[0] = r.w, q_dot[1] = r.x, q_dot[2] = r.y, q_dot[3] = r.z;
  }
  template <class T>
  POLHODE_INLINE void N_inverse(const T* q, const T* q_dot, T* u) const {
    const Quaternion<T> a{q[0], q[1], q[2], q[3]};
    const auto r = Quaternion<T>{q_dot[0], q_dot[1], q_dot[2], q_dot[3]} * conjugate(a);
    const T k = T(2) / norm_squared(a);
    u[0] = k * r.x, u[1] = k * r.y, u[2] = k * r.z;
  }
  void retract(const double* q0, const double* theta, double* q1) const {
    const auto r = normalized(exp_rotation({theta[0], theta[1], theta[2]}) * Quaternion<double>{q0[0], q0[1], q0[2], q0[3]});
    q1[0] = r.w, q1[1] = r.x, q1[2] = r.y, q1[3] = r.z;
  }
  void rate_of_chart(const double*, const double* theta, const double* u, double* theta_dot) const {
    const auto r = dexp_inverse({theta[0], theta[1], theta[2]}, {u[0], u[1], u[2]});
    theta_dot[0] = r.x, theta_dot[1] = r.y, theta_dot[2] = r.z;
  }
  void zero(double* q) const { q[0] = 1, q[1] = q[2] = q[3] = 0; }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    const auto a = quaternion(X_FM.R);
    q[0] = a.w, q[1] = a.x, q[2] = a.y, q[3] = a.z;
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, x_axis);
    rows[1] = origin_in_plane_of_F(X_FM, V_FM, y_axis);
    rows[2] = origin_in_plane_of_F(X_FM, V_FM, z_axis);
  }
  friend bool operator==(const Ball&, const Ball&) { return true; }
};
static_assert(JointType<Ball>);

}  // namespace polhode
