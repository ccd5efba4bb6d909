#pragma once
#include "polhode/mechanism/joints/line_orientation.h"

namespace polhode {

/// Free line: a body that is a line along M's z axis moves anywhere but never spins about itself.
/// q: quaternion (w, x, y, z) of R_FM, then x, y, z of M's origin in F [m],
/// u: angular velocity about M's x and y axes [rad/s], then velocity of M's origin in F [m/s].
struct FreeLine {
  static constexpr std::string_view type = "free-line";
  static constexpr int nq = 7, nv = 5, nchart = 6, nonholonomic = 1;
  static constexpr std::string_view coordinate_suffix(int i) {
    return std::array<std::string_view, 7>{".qw", ".qx", ".qy", ".qz", ".x", ".y", ".z"}[i];
  }
  static constexpr std::string_view speed_suffix(int i) {
    return std::array<std::string_view, 5>{".wx", ".wy", ".vx", ".vy", ".vz"}[i];
  }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation(quaternion_at(q)), {q[4], q[5], q[6]}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    LineOrientation{}.H_FM(q, H);
    H[2] = {{}, cast<T>(x_axis)};
    H[3] = {{}, cast<T>(y_axis)};
    H[4] = {{}, cast<T>(z_axis)};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  template <class T>
  POLHODE_INLINE void N(const T* q, const T* u, T* q_dot) const {
    LineOrientation{}.N(q, u, q_dot);
    for (int i = 0; i < 3; ++i) q_dot[4 + i] = u[2 + i];
  }
  template <class T>
  POLHODE_INLINE void N_inverse(const T* q, const T* q_dot, T* u) const {
    LineOrientation{}.N_inverse(q, q_dot, u);
    for (int i = 0; i < 3; ++i) u[2 + i] = q_dot[4 + i];
  }
  void retract(const double* q0, const double* theta, double* q1) const {
    LineOrientation{}.retract(q0, theta, q1);
    for (int i = 0; i < 3; ++i) q1[4 + i] = q0[4 + i] + theta[3 + i];
  }
  void rate_of_chart(const double* q, const double* theta, const double* u, double* theta_dot) const {
    LineOrientation{}.rate_of_chart(q, theta, u, theta_dot);
    for (int i = 0; i < 3; ++i) theta_dot[3 + i] = u[2 + i];
  }
  void zero(double* q) const {
    put_quaternion({}, q);
    q[4] = q[5] = q[6] = 0;
  }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    put_quaternion(quaternion(X_FM.R), q);
    put(X_FM.p, q + 4);
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = no_spin_about_M(X_FM, V_FM, z_axis);
  }
  friend bool operator==(const FreeLine&, const FreeLine&) { return true; }
};
static_assert(JointType<FreeLine>);

}  // namespace polhode
