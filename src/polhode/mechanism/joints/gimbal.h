#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Gimbal: M turns about F's origin by three angles about its own x, then y, then z axis.
/// q: the angles [rad], u: their rates [rad/s].
/// Singular where the second angle is 90 degrees: the x and z rings then turn about one line, the hinge matrix loses a
/// column, and equations of motion cannot be solved there. A ball joint has no such place.
struct Gimbal : RatesAreSpeeds<3> {
  static constexpr std::string_view type = "gimbal";
  static constexpr std::string_view coordinate_suffix(int i) { return std::array<std::string_view, 3>{".x", ".y", ".z"}[i]; }
  static constexpr std::string_view speed_suffix(int i) { return std::array<std::string_view, 3>{".x'", ".y'", ".z'"}[i]; }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation_body_xyz(Vec3<T>{q[0], q[1], q[2]}), {}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    const auto [x, y, z] = ring_axes(q);
    H[0] = {x, {}};
    H[1] = {y, {}};
    H[2] = {z, {}};
  }
  /// The y ring is carried by the x ring, the z ring by both.
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T* q, const T* u) const {
    const auto [x, y, z] = ring_axes(q);
    const Vec3<T> w_x = u[0] * x, w_y = u[1] * y, w_z = u[2] * z;
    return {cross(w_x, w_y) + cross(w_x + w_y, w_z), {}};
  }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    const Vec3<double> angles = body_xyz_angles(X_FM.R);
    q[0] = angles.x, q[1] = angles.y, q[2] = angles.z;
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, x_axis);
    rows[1] = origin_in_plane_of_F(X_FM, V_FM, y_axis);
    rows[2] = origin_in_plane_of_F(X_FM, V_FM, z_axis);
  }
  friend bool operator==(const Gimbal&, const Gimbal&) { return true; }

  /// The lines in F about which the three angles turn: x, Rx y, Rx Ry z.
  template <class T>
  POLHODE_INLINE std::array<Vec3<T>, 3> ring_axes(const T* q) const {
    const auto [sx, cx] = sin_cos(q[0]);
    const auto [sy, cy] = sin_cos(q[1]);
    return {{{T(1), T(0), T(0)}, {T(0), cx, sx}, {sy, -sx * cy, cx * cy}}};
  }
};
static_assert(JointType<Gimbal>);

}  // namespace polhode
