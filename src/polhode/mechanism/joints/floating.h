#pragma once
#include "polhode/mechanism/joints/quaternion_coordinates.h"

namespace polhode {

/// What joints share that turn as another joint does and move anywhere in F besides.
/// q: Turning's quaternion, then x, y, z of M's origin in F [m];  u: Turning's speeds, then velocity of M's origin in F [m/s].
template <class Turning>
struct Floating {
  static constexpr int turning_speeds = Turning::nv;
  static constexpr int nq = 7, nv = turning_speeds + 3, nchart = 6, nonholonomic = Turning::nonholonomic;
  static constexpr std::string_view coordinate_suffix(int i) {
    return i < 4 ? Turning::coordinate_suffix(i) : std::array<std::string_view, 3>{".x", ".y", ".z"}[i - 4];
  }
  static constexpr std::string_view speed_suffix(int i) {
    return i < turning_speeds ? Turning::speed_suffix(i)
                              : std::array<std::string_view, 3>{".vx", ".vy", ".vz"}[i - turning_speeds];
  }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation(quaternion_at(q)), {q[4], q[5], q[6]}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    Turning{}.H_FM(q, H);
    H[turning_speeds] = {{}, cast<T>(x_axis)};
    H[turning_speeds + 1] = {{}, cast<T>(y_axis)};
    H[turning_speeds + 2] = {{}, cast<T>(z_axis)};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T* q, const T* u) const {
    return Turning{}.Hdot_u(q, u);
  }
  template <class T>
  POLHODE_INLINE void N(const T* q, const T* u, T* q_dot) const {
    Turning{}.N(q, u, q_dot);
    for (int i = 0; i < 3; ++i) q_dot[4 + i] = u[turning_speeds + i];
  }
  template <class T>
  POLHODE_INLINE void N_inverse(const T* q, const T* q_dot, T* u) const {
    Turning{}.N_inverse(q, q_dot, u);
    for (int i = 0; i < 3; ++i) u[turning_speeds + i] = q_dot[4 + i];
  }
  void retract(const double* q0, const double* theta, double* q1) const {
    Turning{}.retract(q0, theta, q1);
    for (int i = 0; i < 3; ++i) q1[4 + i] = q0[4 + i] + theta[3 + i];
  }
  void rate_of_chart(const double* q, const double* theta, const double* u, double* theta_dot) const {
    Turning{}.rate_of_chart(q, theta, u, theta_dot);
    for (int i = 0; i < 3; ++i) theta_dot[3 + i] = u[turning_speeds + i];
  }
  void zero(double* q) const {
    put_quaternion({}, q);
    q[4] = q[5] = q[6] = 0;
  }
  void read_pose(const Transform<double>& X_FM, double* q) const {
    put_quaternion(quaternion(X_FM.R), q);
    put(X_FM.p, q + 4);
  }
};

}  // namespace polhode
