#pragma once
#include "polhode/mechanism/joints/ball.h"

namespace polhode {

/// Free: M moves anywhere.
/// q: quaternion (w, x, y, z) of R_FM, then x, y, z of M's origin in F [m],
/// u: angular velocity in F [rad/s], then velocity of M's origin in F [m/s].
struct Free {
  static constexpr std::string_view type = "free";
  static constexpr int nq = 7, nv = 6, nchart = 6, nonholonomic = 0;
  static constexpr std::string_view coordinate_suffix(int i) {
    return std::array<std::string_view, 7>{".qw", ".qx", ".qy", ".qz", ".x", ".y", ".z"}[i];
  }
  static constexpr std::string_view speed_suffix(int i) {
    return std::array<std::string_view, 6>{".wx", ".wy", ".wz", ".vx", ".vy", ".vz"}[i];
  }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation(quaternion_at(q)), {q[4], q[5], q[6]}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    Ball{}.H_FM(q, H);
    H[3] = {{}, cast<T>(x_axis)};
    H[4] = {{}, cast<T>(y_axis)};
    H[5] = {{}, cast<T>(z_axis)};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  template <class T>
  POLHODE_INLINE void N(const T* q, const T* u, T* q_dot) const {
    Ball{}.N(q, u, q_dot);
    for (int i = 0; i < 3; ++i) q_dot[4 + i] = u[3 + i];
  }
  template <class T>
  POLHODE_INLINE void N_inverse(const T* q, const T* q_dot, T* u) const {
    Ball{}.N_inverse(q, q_dot, u);
    for (int i = 0; i < 3; ++i) u[3 + i] = q_dot[4 + i];
  }
  void retract(const double* q0, const double* theta, double* q1) const {
    Ball{}.retract(q0, theta, q1);
    for (int i = 0; i < 3; ++i) q1[4 + i] = q0[4 + i] + theta[3 + i];
  }
  void rate_of_chart(const double* q, const double* theta, const double* u, double* theta_dot) const {
    Ball{}.rate_of_chart(q, theta, u, theta_dot);
    for (int i = 0; i < 3; ++i) theta_dot[3 + i] = u[3 + i];
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
  POLHODE_INLINE void constraint_rows(const Transform<T>&, const Motion<T>&, ConstraintRow<T>*) const {}
  friend bool operator==(const Free&, const Free&) { return true; }
};
static_assert(JointType<Free>);

}  // namespace polhode
