#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// B's origin stays on a cylinder about A's z axis:  h = s - radius  [m], where s is its distance from that axis. With the
/// direction n from the axis to it, which moves in A but stays across z, dh/dt = n . (velocity of B's origin as A sees it).
/// On the axis itself there is no such direction, and the row holds nothing.
template <class Ref>
struct BasicPointOnCylinder {
  static constexpr const char* keyword = "point-on-cylinder";
  static constexpr int num_rows = 1, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = true;
  typename Ref::FrameIndex frame_a{}, frame_b{};
  double radius = 0;  ///< [m]

  static constexpr auto fields() {
    using F = BasicPointOnCylinder;
    return std::make_tuple(
        field("cylinder's frame", &F::frame_a, "", "its z is the axis").shown_as("cylinder"),
        field("frame whose origin stays on it", &F::frame_b, "", "").shown_as("frame"),
        positive("radius", &F::radius, "m", "of the cylinder", "; use point-on-line to hold a point to a line"));
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T> p_AB = X_WB.p - X_WA.p, &z = X_WA.R.col[2];
    const Vec3<T> from_axis = p_AB - dot(p_AB, z) * z;
    const T s = square_root(dot(from_axis, from_axis) + T(1e-300));
    const Vec3<T> n = (T(1) / s) * from_axis;
    rows[0] = {s - T(radius), {cross(n, p_AB), -n}, {{}, n}};
  }
};
using PointOnCylinderSpec = BasicPointOnCylinder<Named>;
using PointOnCylinder = BasicPointOnCylinder<Placed>;
static_assert(FrameConstraint<PointOnCylinder>);

}  // namespace polhode
