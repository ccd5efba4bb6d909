#pragma once
#include "polhode/mechanism/reversed_joint.h"
#include "polhode/spatial/dual.h"
#include "polhode/tree/joint_derivatives.h"

/// What the files that differentiate joints share: dual numbers inside vectors, and charts near zero.
namespace polhode::tree {

using Dual1 = Dual<double>;
using Dual2 = Dual<Dual1>;
using Dual3 = Dual<Dual2>;

inline constexpr int most_q = CustomJoint::max_coordinates, most = JointDerivatives::most;

template <class T>
Vec3<T> value(const Vec3<Dual<T>>& a) {
  return {a.x.value, a.y.value, a.z.value};
}
template <class T>
Vec3<T> slope(const Vec3<Dual<T>>& a) {
  return {a.x.slope, a.y.slope, a.z.slope};
}
template <class T>
Mat3<T> value(const Mat3<Dual<T>>& A) {
  return {{value(A.col[0]), value(A.col[1]), value(A.col[2])}};
}
template <class T>
Mat3<T> slope(const Mat3<Dual<T>>& A) {
  return {{slope(A.col[0]), slope(A.col[1]), slope(A.col[2])}};
}
template <class T>
Motion<T> value(const Motion<Dual<T>>& V) {
  return {value(V.angular), value(V.linear)};
}
template <class T>
Motion<T> slope(const Motion<Dual<T>>& V) {
  return {slope(V.angular), slope(V.linear)};
}
/// The vector of the antisymmetric part of A.
template <class T>
Vec3<T> unskew(const Mat3<T>& A) {
  const T half(0.5);
  return {half * (A(2, 1) - A(1, 2)), half * (A(0, 2) - A(2, 0)), half * (A(1, 0) - A(0, 1))};
}

// Charts to third order in theta, which is all that three derivatives at zero can see.

/// exp(theta) = (cos(|theta|/2), ...) = (1 - theta^2/8, (1/2 - theta^2/48) theta) + fourth order.
template <class T>
Quaternion<T> exp_near_zero(const T* theta) {
  const Vec3<T> a{theta[0], theta[1], theta[2]};
  const T square = dot(a, a), k = T(0.5) - T(1.0 / 48) * square;
  return {T(1) - T(0.125) * square, k * a.x, k * a.y, k * a.z};
}

enum class Chart { adds, turns_in_F, turns_in_M, floats_in_F, floats_in_M };

template <class J>
constexpr Chart chart_of() {
  if constexpr (std::is_base_of_v<TurnsInF, J>) return Chart::turns_in_F;
  if constexpr (std::is_same_v<LineOrientation, J>) return Chart::turns_in_M;
  if constexpr (std::is_base_of_v<Floating<Ball>, J>) return Chart::floats_in_F;
  if constexpr (std::is_base_of_v<Floating<LineOrientation>, J>) return Chart::floats_in_M;
  return Chart::adds;
}

template <class T, class J>
void retract_near_zero(const J& joint, const double* q0, const T* theta, T* q1) {
  constexpr Chart chart = chart_of<J>();
  if constexpr (chart == Chart::adds) {
    for (int i = 0; i < joint.nq; ++i) q1[i] = T(q0[i]) + theta[i];
  } else {
    const Quaternion<T> start{T(q0[0]), T(q0[1]), T(q0[2]), T(q0[3])}, turn = exp_near_zero(theta);
    const bool in_F = chart == Chart::turns_in_F || chart == Chart::floats_in_F;
    put_quaternion(in_F ? turn * start : start * turn, q1);
    for (int i = 4; i < joint.nq; ++i) q1[i] = T(q0[i]) + theta[i - 1];
  }
}

}  // namespace polhode::tree
