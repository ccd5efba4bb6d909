#pragma once
#include "polhode/mechanism/constraints/coincident_points.h"
#include "polhode/mechanism/constraints/constant_orientation.h"

namespace polhode {

/// Weld: two frames coincide, origins and axes: six rows, those of CoincidentPoints and of ConstantOrientation.
template <class Ref>
struct BasicCoincidentFrames {
  static constexpr const char* keyword = "weld";
  static constexpr int num_rows = 6, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = true;
  typename Ref::FrameIndex frame_a{}, frame_b{};

  static constexpr auto fields() {
    using F = BasicCoincidentFrames;
    return std::make_tuple(field("first frame", &F::frame_a, "", "one of the two"),
                           field("second frame", &F::frame_b, "", "the other"));
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    BasicCoincidentPoints<Ref>{frame_a, frame_b}.evaluate(X_WA, X_WB, rows);
    BasicConstantOrientation<Ref>{frame_a, frame_b}.evaluate(X_WA, X_WB, rows + 3);
  }
};
using CoincidentFramesSpec = BasicCoincidentFrames<Named>;
using CoincidentFrames = BasicCoincidentFrames<Placed>;
static_assert(FrameConstraint<CoincidentFrames>);

}  // namespace polhode
