#pragma once
#include "polhode/mechanism/joints/quaternion_coordinates.h"

namespace polhode {

/// Ellipsoid: M's origin moves on an ellipsoid about F's origin as M turns, at diag(semi_axes) z_M; where the semi-axes are
/// equal, M stands on a sphere with z_M along its normal.
/// q: quaternion (w, x, y, z) of R_FM, u: angular velocity in F [rad/s].
struct Ellipsoid : TurnsInF {
  static constexpr std::string_view type = "ellipsoid";

  Vec3<double> semi_axes{1, 1, 1};  ///< along F's x, y, z [m]

  Ellipsoid() = default;
  explicit Ellipsoid(const Vec3<double>& axes) : semi_axes(axes) {}

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    const Mat3<T> R = rotation(quaternion_at(q));
    return {R, scaled(R.col[2])};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    const Vec3<T> z = rotation(quaternion_at(q)).col[2];
    const Vec3<T> axes[] = {cast<T>(x_axis), cast<T>(y_axis), cast<T>(z_axis)};
    for (int k = 0; k < 3; ++k) H[k] = {axes[k], scaled(cross(axes[k], z))};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T* q, const T* u) const {
    const Vec3<T> z = rotation(quaternion_at(q)).col[2], w{u[0], u[1], u[2]};
    return {{}, scaled(cross(w, cross(w, z)))};
  }

  /// g = p - diag(semi_axes) z_M.
  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    const Vec3<T>&z = X_FM.R.col[2], &w = V_FM.angular;
    const Vec3<T> axes[] = {cast<T>(x_axis), cast<T>(y_axis), cast<T>(z_axis)};
    const Vec3<T> on_surface = scaled(z), centripetal = scaled(cross(w, cross(w, z)));
    for (int i = 0; i < 3; ++i)
      rows[i] = {X_FM.p[i] - on_surface[i], {T(semi_axes[i]) * cross(axes[i], z), axes[i]}, -centripetal[i]};
  }
  friend bool operator==(const Ellipsoid& a, const Ellipsoid& b) { return a.semi_axes == b.semi_axes; }

 private:
  template <class T>
  POLHODE_INLINE Vec3<T> scaled(const Vec3<T>& a) const {
    return {T(semi_axes.x) * a.x, T(semi_axes.y) * a.y, T(semi_axes.z) * a.z};
  }
};
static_assert(JointType<Ellipsoid>);

}  // namespace polhode
