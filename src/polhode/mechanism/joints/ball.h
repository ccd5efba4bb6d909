#pragma once
#include "polhode/mechanism/joints/quaternion_coordinates.h"

namespace polhode {

/// Ball: M turns freely about F's origin.  q: quaternion (w, x, y, z) of R_FM, u: angular velocity in F [rad/s].
struct Ball : TurnsInF {
  static constexpr std::string_view type = "spherical";

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation(quaternion_at(q)), {}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T*, Motion<T>* H) const {
    H[0] = {cast<T>(x_axis), {}};
    H[1] = {cast<T>(y_axis), {}};
    H[2] = {cast<T>(z_axis), {}};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, x_axis);
    rows[1] = origin_in_plane_of_F(X_FM, V_FM, y_axis);
    rows[2] = origin_in_plane_of_F(X_FM, V_FM, z_axis);
  }
  friend bool operator==(const Ball&, const Ball&) { return true; }
};
static_assert(JointType<Ball>);

}  // namespace polhode
