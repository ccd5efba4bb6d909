#pragma once
#include "polhode/mechanism/joints/quaternion_coordinates.h"

namespace polhode {

/// Line orientation: a body that is a line along M's z axis turns about F's origin and never spins about itself, for
/// which it has no inertia.
/// q: quaternion (w, x, y, z) of R_FM, u: angular velocity about M's x and y axes [rad/s].
/// The lack of spin is a nonholonomic rule: going round a cone still turns M about z, so three chart coordinates are needed.
struct LineOrientation {
  static constexpr std::string_view type = "line-orientation";
  static constexpr int nq = 4, nv = 2, nchart = 3, nonholonomic = 1;
  static constexpr std::string_view coordinate_suffix(int i) {
    return std::array<std::string_view, 4>{".qw", ".qx", ".qy", ".qz"}[i];
  }
  static constexpr std::string_view speed_suffix(int i) { return std::array<std::string_view, 2>{".wx", ".wy"}[i]; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation(quaternion_at(q)), {}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    const Mat3<T> R = rotation(quaternion_at(q));
    H[0] = {R.col[0], {}};
    H[1] = {R.col[1], {}};
  }
  /// The two axes turn with M itself: (dH/dt) u = w x w = 0.
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  template <class T>
  POLHODE_INLINE void N(const T* q, const T* u, T* q_dot) const {
    quaternion_rate_from_M(q, Vec3<T>{u[0], u[1], T(0)}, q_dot);
  }
  template <class T>
  POLHODE_INLINE void N_inverse(const T* q, const T* q_dot, T* u) const {
    const Vec3<T> w_M = angular_velocity_in_M(q, q_dot);
    u[0] = w_M.x, u[1] = w_M.y;
  }
  void retract(const double* q0, const double* theta, double* q1) const { turn_in_M(q0, {theta[0], theta[1], theta[2]}, q1); }
  void rate_of_chart(const double*, const double* theta, const double* u, double* theta_dot) const {
    put(dexp_inverse({-theta[0], -theta[1], -theta[2]}, {u[0], u[1], 0}), theta_dot);
  }
  void zero(double* q) const { put_quaternion({}, q); }
  void read_pose(const Transform<double>& X_FM, double* q) const { put_quaternion(quaternion(X_FM.R), q); }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, x_axis);
    rows[1] = origin_in_plane_of_F(X_FM, V_FM, y_axis);
    rows[2] = origin_in_plane_of_F(X_FM, V_FM, z_axis);
    rows[3] = no_spin_about_M(X_FM, V_FM, z_axis);
  }
  friend bool operator==(const LineOrientation&, const LineOrientation&) { return true; }
};
static_assert(JointType<LineOrientation>);

}  // namespace polhode
