#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Polar coordinates in a plane: M turns about F's z axis, then slides along its own x axis.
/// q: angle [rad], distance [m], u: their rates [rad/s], [m/s].
struct BendStretch : RatesAreSpeeds<2> {
  static constexpr std::string_view type = "bend-stretch";
  static constexpr std::string_view coordinate_suffix(int i) { return std::array<std::string_view, 2>{".angle", ".x"}[i]; }
  static constexpr std::string_view speed_suffix(int i) { return std::array<std::string_view, 2>{".angle'", ".x'"}[i]; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    const Mat3<T> R = rotation_z(q[0]);
    return {R, q[1] * R.col[0]};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    const auto [s, c] = sin_cos(q[0]);
    H[0] = {cast<T>(z_axis), {-q[1] * s, q[1] * c, T(0)}};  // z x p
    H[1] = {{}, {c, s, T(0)}};                              // M's x axis
  }
  /// Centripetal and Coriolis acceleration of polar coordinates.
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T* q, const T* u) const {
    const auto [s, c] = sin_cos(q[0]);
    const T radial = -u[0] * u[0] * q[1], transverse = T(2) * u[0] * u[1];
    return {{}, {radial * c - transverse * s, radial * s + transverse * c, T(0)}};
  }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    q[0] = std::atan2(X_FM.R(1, 0) - X_FM.R(0, 1), X_FM.R(0, 0) + X_FM.R(1, 1));
    q[1] = std::cos(q[0]) * X_FM.p.x + std::sin(q[0]) * X_FM.p.y;
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, z_axis);
    rows[1] = origin_in_plane_of_M(X_FM, V_FM, y_axis);
    rows[2] = axes_keep_angle(X_FM, V_FM, x_axis, z_axis);
    rows[3] = axes_keep_angle(X_FM, V_FM, y_axis, z_axis);
  }
  friend bool operator==(const BendStretch&, const BendStretch&) { return true; }
};
static_assert(JointType<BendStretch>);

}  // namespace polhode
