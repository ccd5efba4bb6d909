#pragma once
#include <cmath>

#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// Two directions, one fixed in A and one in B, keep their angle:  h = a . b - cos(angle).
/// At angles 0 and 180 degrees the gradient b x a vanishes where the row is met: there the equation holds nothing. (Two axes
/// that stay parallel are two equations: hold each of them at 90 degrees to two perpendiculars of the other.)
template <class Ref>
struct BasicConstantAngle {
  static constexpr const char* keyword = "constant-angle";
  static constexpr int num_rows = 1, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = true;
  static constexpr double least_angle = 1e-3;  ///< [rad]; where the equation is met its gradient is the sine of the angle
  typename Ref::FrameIndex frame_a{}, frame_b{};
  Vec3<double> axis_a{}, axis_b{};  ///< in A's and in B's axes; in a description of any length
  double angle = 0;                 ///< [rad]
  typename Ref::template Derived<double> cosine{};

  static constexpr auto fields() {
    using F = BasicConstantAngle;
    return std::make_tuple(field("first frame", &F::frame_a, "", "one of the two"),
                           unit_vector("first direction", &F::axis_a, "in the first frame's axes"),
                           field("second frame", &F::frame_b, "", "the other"),
                           unit_vector("second direction", &F::axis_b, "in the second frame's axes"),
                           between("angle", &F::angle, "rad", "between the two directions", least_angle, pi - least_angle,
                                   ": at 0 and pi one equation cannot hold two directions together; use constant-orientation, "
                                   "or two constant angles of pi/2"));
  }
  void derive() { cosine = std::cos(angle); }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T> a = X_WA.R * cast<T>(axis_a), b = X_WB.R * cast<T>(axis_b);
    const Vec3<T> turn = cross(a, b);  // d(a.b)/dt = w_A . (a x b) + w_B . (b x a)
    rows[0] = {dot(a, b) - T(cosine), {turn, {}}, {-turn, {}}};
  }
};
using ConstantAngleSpec = BasicConstantAngle<Named>;
using ConstantAngle = BasicConstantAngle<Placed>;
static_assert(FrameConstraint<ConstantAngle>);

}  // namespace polhode
