#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Slider: M slides along the z axis that it shares with F.  q: distance [m], u: its rate [m/s].
struct Prismatic : RatesAreSpeeds<1> {
  static constexpr std::string_view type = "prismatic";
  static constexpr std::string_view coordinate_suffix(int) { return ""; }
  static constexpr std::string_view speed_suffix(int) { return "'"; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {Mat3<T>::identity(), {T(0), T(0), q[0]}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T*, Motion<T>* H) const {
    H[0] = {{}, cast<T>(z_axis)};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  void read_pose(const Transform<double>& X_FM, double* q) const { q[0] = X_FM.p.z; }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, x_axis);
    rows[1] = origin_in_plane_of_F(X_FM, V_FM, y_axis);
    rows[2] = axes_keep_angle(X_FM, V_FM, x_axis, y_axis);
    rows[3] = axes_keep_angle(X_FM, V_FM, y_axis, z_axis);
    rows[4] = axes_keep_angle(X_FM, V_FM, z_axis, x_axis);
  }
  friend bool operator==(const Prismatic&, const Prismatic&) { return true; }
};
static_assert(JointType<Prismatic>);

}  // namespace polhode
