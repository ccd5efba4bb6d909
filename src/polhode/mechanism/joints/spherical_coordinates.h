#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Spherical coordinates: M turns by the azimuth about F's z axis, then by the zenith angle about its own y axis, then
/// slides along its own z axis: R_FM = Rz(q0) Ry(q1), p_FM = R_FM (0, 0, q2).
/// q: azimuth, zenith [rad], radius [m], u: their rates [rad/s], [m/s].
/// M's orientation follows the angles, so the joint has three degrees of freedom even on the pole and at radius zero.
struct SphericalCoordinates : RatesAreSpeeds<3> {
  static constexpr std::string_view type = "spherical-coordinates";
  static constexpr std::string_view coordinate_suffix(int i) {
    return std::array<std::string_view, 3>{".azimuth", ".zenith", ".radius"}[i];
  }
  static constexpr std::string_view speed_suffix(int i) {
    return std::array<std::string_view, 3>{".azimuth'", ".zenith'", ".radius'"}[i];
  }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    const Mat3<T> R = rotation_z(q[0]) * rotation_y(q[1]);
    return {R, q[2] * R.col[2]};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    const auto [R, p] = X_FM(q);
    const Vec3<T> z = cast<T>(z_axis);
    H[0] = {z, cross(z, p)};
    H[1] = {R.col[1], cross(R.col[1], p)};
    H[2] = {{}, R.col[2]};
  }
  /// With z fixed in F and y_M carried round it: dw/dt = u0 u1 z x y_M, and p = q2 z_M turns with w while q2 grows.
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T* q, const T* u) const {
    const auto [R, p] = X_FM(q);
    const Vec3<T> z = cast<T>(z_axis), w = u[0] * z + u[1] * R.col[1], w_dot = (u[0] * u[1]) * cross(z, R.col[1]);
    return {w_dot, cross(w_dot, p) + cross(w, cross(w, p)) + (T(2) * u[2]) * cross(w, R.col[2])};
  }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    q[0] = std::atan2(-X_FM.R(0, 1), X_FM.R(1, 1));
    q[1] = std::atan2(-X_FM.R(2, 0), X_FM.R(2, 2));
    q[2] = dot(X_FM.R.col[2], X_FM.p);
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = axes_keep_angle(X_FM, V_FM, z_axis, y_axis);
    rows[1] = origin_in_plane_of_M(X_FM, V_FM, x_axis);
    rows[2] = origin_in_plane_of_M(X_FM, V_FM, y_axis);
  }
  friend bool operator==(const SphericalCoordinates&, const SphericalCoordinates&) { return true; }
};
static_assert(JointType<SphericalCoordinates>);

}  // namespace polhode
