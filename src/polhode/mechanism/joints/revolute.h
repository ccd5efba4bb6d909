#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Pin: M turns about the z axis that it shares with F.  q: angle [rad], u: its rate [rad/s].
struct Revolute : RatesAreSpeeds<1> {
  static constexpr std::string_view type = "revolute";
  static constexpr std::string_view coordinate_suffix(int) { return ""; }
  static constexpr std::string_view speed_suffix(int) { return "'"; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation_z(q[0]), {}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T*, Motion<T>* H) const {
    H[0] = {cast<T>(z_axis), {}};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    q[0] = std::atan2(X_FM.R(1, 0) - X_FM.R(0, 1), X_FM.R(0, 0) + X_FM.R(1, 1));
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, x_axis);
    rows[1] = origin_in_plane_of_F(X_FM, V_FM, y_axis);
    rows[2] = origin_in_plane_of_F(X_FM, V_FM, z_axis);
    rows[3] = axes_keep_angle(X_FM, V_FM, x_axis, z_axis);
    rows[4] = axes_keep_angle(X_FM, V_FM, y_axis, z_axis);
  }
  friend bool operator==(const Revolute&, const Revolute&) { return true; }
};
static_assert(JointType<Revolute>);

}  // namespace polhode
