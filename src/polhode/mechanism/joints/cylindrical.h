#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Sleeve: M turns about the z axis that it shares with F, and slides along it.
/// q: angle [rad], distance [m], u: their rates [rad/s], [m/s].
struct Cylindrical : RatesAreSpeeds<2> {
  static constexpr std::string_view type = "cylindrical";
  static constexpr std::string_view coordinate_suffix(int i) { return std::array<std::string_view, 2>{".angle", ".z"}[i]; }
  static constexpr std::string_view speed_suffix(int i) { return std::array<std::string_view, 2>{".angle'", ".z'"}[i]; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation_z(q[0]), {T(0), T(0), q[1]}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T*, Motion<T>* H) const {
    H[0] = {cast<T>(z_axis), {}};
    H[1] = {{}, cast<T>(z_axis)};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    q[0] = std::atan2(X_FM.R(1, 0) - X_FM.R(0, 1), X_FM.R(0, 0) + X_FM.R(1, 1));
    q[1] = X_FM.p.z;
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, x_axis);
    rows[1] = origin_in_plane_of_F(X_FM, V_FM, y_axis);
    rows[2] = axes_keep_angle(X_FM, V_FM, x_axis, z_axis);
    rows[3] = axes_keep_angle(X_FM, V_FM, y_axis, z_axis);
  }
  friend bool operator==(const Cylindrical&, const Cylindrical&) { return true; }
};
static_assert(JointType<Cylindrical>);

}  // namespace polhode
