#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Cardan joint: M turns about F's x axis, then about its own y axis: R_FM = Rx(q0) Ry(q1).
/// q: the two angles [rad], u: their rates [rad/s].
struct Universal : RatesAreSpeeds<2> {
  static constexpr std::string_view type = "universal";
  static constexpr std::string_view coordinate_suffix(int i) { return std::array<std::string_view, 2>{".x", ".y"}[i]; }
  static constexpr std::string_view speed_suffix(int i) { return std::array<std::string_view, 2>{".x'", ".y'"}[i]; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation_x(q[0]) * rotation_y(q[1]), {}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    const auto [s, c] = sin_cos(q[0]);
    H[0] = {cast<T>(x_axis), {}};
    H[1] = {{T(0), c, s}, {}};  // M's y axis
  }
  /// M's y axis is carried round x with u0.
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T* q, const T* u) const {
    const auto [s, c] = sin_cos(q[0]);
    const T k = u[0] * u[1];
    return {{T(0), -k * s, k * c}, {}};
  }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    q[0] = std::atan2(X_FM.R(2, 1), X_FM.R(1, 1));
    q[1] = std::atan2(X_FM.R(0, 2), X_FM.R(0, 0));
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, x_axis);
    rows[1] = origin_in_plane_of_F(X_FM, V_FM, y_axis);
    rows[2] = origin_in_plane_of_F(X_FM, V_FM, z_axis);
    rows[3] = axes_keep_angle(X_FM, V_FM, x_axis, y_axis);
  }
  friend bool operator==(const Universal&, const Universal&) { return true; }
};
static_assert(JointType<Universal>);

}  // namespace polhode
