#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// B's origin stays in a plane that is fixed on A and passes through A's origin:  h = n . p_AB  [m], n fixed in A (row S6).
template <class Ref>
struct BasicPointInPlane {
  static constexpr const char* keyword = "point-in-plane";
  static constexpr int num_rows = 1, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = true;
  typename Ref::FrameIndex frame_a{}, frame_b{};
  Vec3<double> normal{};  ///< in A's axes; in a description of any length

  static constexpr auto fields() {
    using F = BasicPointInPlane;
    return std::make_tuple(field("frame with the plane", &F::frame_a, "", "its origin is in it").shown_as("frame"),
                           field("frame whose origin stays in it", &F::frame_b, "", "").shown_as("frame"),
                           unit_vector("normal", &F::normal, "of the plane, in the first frame's axes"));
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T> p_AB = X_WB.p - X_WA.p, n = X_WA.R * cast<T>(normal);
    rows[0] = {dot(n, p_AB), {cross(n, p_AB), -n}, {{}, n}};  // n turns with A: dn/dt . p_AB = w_A . (n x p_AB)
  }
};
using PointInPlaneSpec = BasicPointInPlane<Named>;
using PointInPlane = BasicPointInPlane<Placed>;
static_assert(FrameConstraint<PointInPlane>);

}  // namespace polhode
