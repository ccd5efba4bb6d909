#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// The difference of two frames' origins has no component along a direction fixed in Ground:  h = n . p_AB  [m]
/// (Johnson & Murphey, IV-D4). As n stays when both frames turn together, the rows depend on more than X_AB.
template <class Ref>
struct BasicPointConstraint {
  static constexpr const char* keyword = "point-constraint";
  static constexpr int num_rows = 1, nonholonomic = 0;
  static constexpr bool relative = false, uses_axes = false;
  typename Ref::FrameIndex frame_a{}, frame_b{};
  Vec3<double> direction{};  ///< n; in a description of any length

  static constexpr auto fields() {
    using F = BasicPointConstraint;
    return std::make_tuple(field("first frame", &F::frame_a, "", "one of the two"),
                           field("second frame", &F::frame_b, "", "the other"),
                           unit_vector("direction", &F::direction, "along which they do not differ, in Ground"));
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T> n = cast<T>(direction);
    rows[0] = {dot(n, X_WB.p - X_WA.p), {{}, -n}, {{}, n}};
  }
};
using PointConstraintSpec = BasicPointConstraint<Named>;
using PointConstraint = BasicPointConstraint<Placed>;
static_assert(FrameConstraint<PointConstraint>);

}  // namespace polhode
