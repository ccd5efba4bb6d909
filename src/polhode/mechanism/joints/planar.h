#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Planar: M slides in F's xy-plane and turns about its normal.
/// q: angle about z [rad], x, y in F [m], u: their rates [rad/s], [m/s].
struct Planar : RatesAreSpeeds<3> {
  static constexpr std::string_view type = "planar";
  static constexpr std::string_view coordinate_suffix(int i) {
    return std::array<std::string_view, 3>{".angle", ".x", ".y"}[i];
  }
  static constexpr std::string_view speed_suffix(int i) { return std::array<std::string_view, 3>{".angle'", ".x'", ".y'"}[i]; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation_z(q[0]), {q[1], q[2], T(0)}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T*, Motion<T>* H) const {
    H[0] = {cast<T>(z_axis), {}};
    H[1] = {{}, cast<T>(x_axis)};
    H[2] = {{}, cast<T>(y_axis)};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    q[0] = std::atan2(X_FM.R(1, 0) - X_FM.R(0, 1), X_FM.R(0, 0) + X_FM.R(1, 1));
    q[1] = X_FM.p.x, q[2] = X_FM.p.y;
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, z_axis);
    rows[1] = axes_keep_angle(X_FM, V_FM, x_axis, z_axis);
    rows[2] = axes_keep_angle(X_FM, V_FM, y_axis, z_axis);
  }
  friend bool operator==(const Planar&, const Planar&) { return true; }
};
static_assert(JointType<Planar>);

}  // namespace polhode
