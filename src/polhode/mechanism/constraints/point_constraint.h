#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// The difference of two frames' origins has no component along a direction fixed in Ground:  h = n . p_AB  [m]
/// (Johnson & Murphey, IV-D4). As n stays when both frames turn together, the rows depend on more than X_AB.
struct PointConstraint {
  static constexpr int num_rows = 1, nonholonomic = 0;
  static constexpr bool relative = false, uses_axes = false;
  int frame_a, frame_b;
  Vec3<double> direction;  ///< unit vector n

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T> n = cast<T>(direction);
    rows[0] = {dot(n, X_WB.p - X_WA.p), {{}, -n}, {{}, n}};
  }
};
static_assert(FrameConstraint<PointConstraint>);

}  // namespace polhode
