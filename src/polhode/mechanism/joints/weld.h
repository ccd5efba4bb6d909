#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Weld: M stays on F. No coordinates.
struct Weld : RatesAreSpeeds<0> {
  static constexpr std::string_view type = "weld";
  static constexpr std::string_view coordinate_suffix(int) { return ""; }
  static constexpr std::string_view speed_suffix(int) { return "'"; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T*) const {
    return {};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T*, Motion<T>*) const {}
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  void read_pose(const Transform<double>&, double*) const {}

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, x_axis);
    rows[1] = origin_in_plane_of_F(X_FM, V_FM, y_axis);
    rows[2] = origin_in_plane_of_F(X_FM, V_FM, z_axis);
    rows[3] = axes_keep_angle(X_FM, V_FM, x_axis, y_axis);
    rows[4] = axes_keep_angle(X_FM, V_FM, y_axis, z_axis);
    rows[5] = axes_keep_angle(X_FM, V_FM, z_axis, x_axis);
  }
  friend bool operator==(const Weld&, const Weld&) { return true; }
};
static_assert(JointType<Weld>);

}  // namespace polhode
