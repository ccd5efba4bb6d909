#pragma once
#include <concepts>
#include <string_view>

#include "polhode/mechanism/constraint_row.h"

namespace polhode {

/// A joint type connects frame F, fixed on the parent, to frame M, fixed on the child. It has two faces.
///
/// Motion, for tree coordinates (Simbody theory manual (5.1)-(5.5)):
///   X_FM(q)          pose of M in F
///   H_FM(q, H)       columns of the hinge matrix: V_FM = sum_k H[k] u[k], measured and expressed in F, at M's origin
///   Hdot_u(q, u)     (dH/dt) u, the acceleration A_FM that is left when du/dt = 0
///   N, N_inverse     dq/dt = N(q) u and back
///   retract          q1 = q0 (+) theta: move in the joint's own group, from q0, by the chart coordinates theta
///   rate_of_chart    d(theta)/dt at q = q0 (+) theta when the joint moves with speed u (Munthe-Kaas)
///   *_suffix         what is added to the joint's name for each coordinate and speed; nothing for the only coordinate
///   zero, read_pose  reference coordinates; coordinates of a given X_FM (nearest ones when the joint cannot reach it)
/// Constraint, for maximal coordinates and for joints that close a loop:
///   constraint_rows  6 - nv rows, the last `nonholonomic` of which restrict velocities only
///
/// nq, nv, nchart are the numbers of coordinates, speeds and chart coordinates. Templates run on double, on SIMD packs and
/// on dual numbers, so they must not branch on values.
template <class J>
concept JointType = requires(const J& j, double* q, const double* u, Motion<double>* H, const Transform<double>& X,
                             ConstraintRow<double>* rows) {
  { J::type } -> std::convertible_to<std::string_view>;
  { j.nq } -> std::convertible_to<int>;
  { j.nv } -> std::convertible_to<int>;
  { j.nchart } -> std::convertible_to<int>;
  { j.nonholonomic } -> std::convertible_to<int>;
  { j.coordinate_suffix(0) } -> std::convertible_to<std::string_view>;
  { j.speed_suffix(0) } -> std::convertible_to<std::string_view>;
  { j.template X_FM<double>(u) } -> std::same_as<Transform<double>>;
  j.template H_FM<double>(u, H);
  { j.template Hdot_u<double>(u, u) } -> std::same_as<Motion<double>>;
  j.template N<double>(u, u, q);
  j.template N_inverse<double>(u, u, q);
  j.retract(u, u, q);
  j.rate_of_chart(u, u, u, q);
  j.zero(q);
  j.read_pose(X, q);
  j.template constraint_rows<double>(X, *H, rows);
};

/// What joints share whose speeds are the rates of their coordinates: dq/dt = u, and charts that just add.
template <int n>
struct RatesAreSpeeds {
  static constexpr int nq = n, nv = n, nchart = n, nonholonomic = 0;

  template <class T>
  POLHODE_INLINE void N(const T*, const T* u, T* q_dot) const {
    for (int i = 0; i < n; ++i) q_dot[i] = u[i];
  }
  template <class T>
  POLHODE_INLINE void N_inverse(const T*, const T* q_dot, T* u) const {
    for (int i = 0; i < n; ++i) u[i] = q_dot[i];
  }
  void retract(const double* q0, const double* theta, double* q1) const {
    for (int i = 0; i < n; ++i) q1[i] = q0[i] + theta[i];
  }
  void rate_of_chart(const double*, const double*, const double* u, double* theta_dot) const {
    for (int i = 0; i < n; ++i) theta_dot[i] = u[i];
  }
  void zero(double* q) const {
    for (int i = 0; i < n; ++i) q[i] = 0;
  }
};

}  // namespace polhode
