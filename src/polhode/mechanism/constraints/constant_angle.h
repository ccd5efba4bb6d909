#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// Two directions, one fixed in A and one in B, keep their angle:  h = a . b - cos(angle).
/// At angles 0 and 180 degrees the gradient b x a vanishes where the row is met: there the equation holds nothing. (Two axes
/// that stay parallel are two equations: hold each of them at 90 degrees to two perpendiculars of the other.)
struct ConstantAngle {
  static constexpr int num_rows = 1, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = true;
  int frame_a, frame_b;
  Vec3<double> axis_a, axis_b;  ///< unit vectors in A's and in B's axes
  double cosine;

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T> a = X_WA.R * cast<T>(axis_a), b = X_WB.R * cast<T>(axis_b);
    const Vec3<T> turn = cross(a, b);  // d(a.b)/dt = w_A . (a x b) + w_B . (b x a)
    rows[0] = {dot(a, b) - T(cosine), {turn, {}}, {-turn, {}}};
  }
};
static_assert(FrameConstraint<ConstantAngle>);

}  // namespace polhode
