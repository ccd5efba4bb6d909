#pragma once
#include "polhode/mechanism/joints/quaternion_coordinates.h"

namespace polhode {

/// Ellipsoid: M's origin moves on an ellipsoid about F's origin as M turns, at diag(semi_axes) z_M; where the semi-axes are
/// equal, M stands on a sphere with z_M along its normal.
/// q: quaternion (w, x, y, z) of R_FM, u: angular velocity in F [rad/s].
struct Ellipsoid {
  static constexpr std::string_view type = "ellipsoid";
  static constexpr int nq = 4, nv = 3, nchart = 3, nonholonomic = 0;
  static constexpr std::string_view coordinate_suffix(int i) {
    return std::array<std::string_view, 4>{".qw", ".qx", ".qy", ".qz"}[i];
  }
  static constexpr std::string_view speed_suffix(int i) { return std::array<std::string_view, 3>{".wx", ".wy", ".wz"}[i]; }

  Vec3<double> semi_axes{1, 1, 1};  ///< along F's x, y, z [m]

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    const Mat3<T> R = rotation(quaternion_at(q));
    return {R, scaled(R.col[2])};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    const Vec3<T> z = rotation(quaternion_at(q)).col[2];
    const Vec3<T> axes[] = {cast<T>(x_axis), cast<T>(y_axis), cast<T>(z_axis)};
    for (int k = 0; k < 3; ++k) H[k] = {axes[k], scaled(cross(axes[k], z))};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T* q, const T* u) const {
    const Vec3<T> z = rotation(quaternion_at(q)).col[2], w{u[0], u[1], u[2]};
    return {{}, scaled(cross(w, cross(w, z)))};
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
  /// Takes the orientation; the origin follows from it.
  void read_pose(const Transform<double>& X_FM, double* q) const { put_quaternion(quaternion(X_FM.R), q); }

  /// g = p - diag(semi_axes) z_M.
  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    const Vec3<T>&z = X_FM.R.col[2], &w = V_FM.angular;
    const Vec3<T> axes[] = {cast<T>(x_axis), cast<T>(y_axis), cast<T>(z_axis)};
    const Vec3<T> on_surface = scaled(z), centripetal = scaled(cross(w, cross(w, z)));
    for (int i = 0; i < 3; ++i)
      rows[i] = {X_FM.p[i] - on_surface[i], {T(semi_axes[i]) * cross(axes[i], z), axes[i]}, -centripetal[i]};
  }
  friend bool operator==(const Ellipsoid&, const Ellipsoid&) = default;

 private:
  template <class T>
  POLHODE_INLINE Vec3<T> scaled(const Vec3<T>& a) const {
    return {T(semi_axes.x) * a.x, T(semi_axes.y) * a.y, T(semi_axes.z) * a.z};
  }
};
static_assert(JointType<Ellipsoid>);

}  // namespace polhode
