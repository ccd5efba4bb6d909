#pragma once
#include "polhode/mechanism/constraints/coincident_points.h"
#include "polhode/mechanism/constraints/constant_orientation.h"

namespace polhode {

/// Weld: two frames coincide, origins and axes: six rows, those of CoincidentPoints and of ConstantOrientation.
struct CoincidentFrames {
  static constexpr int num_rows = 6, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = true;
  int frame_a, frame_b;

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    CoincidentPoints{frame_a, frame_b}.evaluate(X_WA, X_WB, rows);
    ConstantOrientation{frame_a, frame_b}.evaluate(X_WA, X_WB, rows + 3);
  }
};
static_assert(FrameConstraint<CoincidentFrames>);

}  // namespace polhode
