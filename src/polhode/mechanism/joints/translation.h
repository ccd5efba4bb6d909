#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Translation: M moves anywhere but keeps F's axes.  q: x, y, z in F [m], u: their rates [m/s].
struct Translation : RatesAreSpeeds<3> {
  static constexpr std::string_view type = "translation";
  static constexpr std::string_view coordinate_suffix(int i) { return std::array<std::string_view, 3>{".x", ".y", ".z"}[i]; }
  static constexpr std::string_view speed_suffix(int i) { return std::array<std::string_view, 3>{".x'", ".y'", ".z'"}[i]; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {Mat3<T>::identity(), {q[0], q[1], q[2]}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T*, Motion<T>* H) const {
    H[0] = {{}, cast<T>(x_axis)};
    H[1] = {{}, cast<T>(y_axis)};
    H[2] = {{}, cast<T>(z_axis)};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  void read_pose(const Transform<double>& X_FM, double* q) const { q[0] = X_FM.p.x, q[1] = X_FM.p.y, q[2] = X_FM.p.z; }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = axes_keep_angle(X_FM, V_FM, x_axis, y_axis);
    rows[1] = axes_keep_angle(X_FM, V_FM, y_axis, z_axis);
    rows[2] = axes_keep_angle(X_FM, V_FM, z_axis, x_axis);
  }
  friend bool operator==(const Translation&, const Translation&) { return true; }
};
static_assert(JointType<Translation>);

}  // namespace polhode
