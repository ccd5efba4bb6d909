#pragma once
#include "polhode/mechanism/joints/gimbal.h"

namespace polhode {

/// Bushing: all six degrees of freedom by the angles of a gimbal and the place of M's origin in F.
/// q: angles about body-fixed x, y, z [rad], then x, y, z in F [m], u: their rates [rad/s], [m/s].
/// Singular where the gimbal is, at 90 degrees of the second angle: meant for small motions, such as rubber mounts.
struct Bushing : RatesAreSpeeds<6> {
  static constexpr std::string_view type = "bushing";
  static constexpr std::string_view coordinate_suffix(int i) {
    return std::array<std::string_view, 6>{".angle_x", ".angle_y", ".angle_z", ".x", ".y", ".z"}[i];
  }
  static constexpr std::string_view speed_suffix(int i) {
    return std::array<std::string_view, 6>{".angle_x'", ".angle_y'", ".angle_z'", ".x'", ".y'", ".z'"}[i];
  }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation_body_xyz(Vec3<T>{q[0], q[1], q[2]}), {q[3], q[4], q[5]}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    Gimbal{}.H_FM(q, H);
    H[3] = {{}, cast<T>(x_axis)};
    H[4] = {{}, cast<T>(y_axis)};
    H[5] = {{}, cast<T>(z_axis)};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T* q, const T* u) const {
    return Gimbal{}.Hdot_u(q, u);
  }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    Gimbal{}.read_pose(X_FM, q);
    q[3] = X_FM.p.x, q[4] = X_FM.p.y, q[5] = X_FM.p.z;
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>&, const Motion<T>&, ConstraintRow<T>*) const {}
  friend bool operator==(const Bushing&, const Bushing&) { return true; }
};
static_assert(JointType<Bushing>);

}  // namespace polhode
