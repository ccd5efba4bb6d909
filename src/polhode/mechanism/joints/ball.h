#pragma once
#include "polhode/mechanism/joints/quaternion_coordinates.h"

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
    return {rotation(quaternion_at(q)), {}};
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
