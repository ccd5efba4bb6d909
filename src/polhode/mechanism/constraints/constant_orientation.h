#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// B's axes stay parallel to A's:  h = (x_A . y_B, y_A . z_B, z_A . x_B) = 0, three rows; each is the sine of a small angle.
/// They are met by a few other orientations too (half turns, and axes exchanged in a cycle): start nearer to the wanted one.
template <class Ref>
struct BasicConstantOrientation {
  static constexpr const char* keyword = "constant-orientation";
  static constexpr int num_rows = 3, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = true;
  typename Ref::FrameIndex frame_a{}, frame_b{};

  static constexpr auto fields() {
    using F = BasicConstantOrientation;
    return std::make_tuple(field("first frame", &F::frame_a, "", "one of the two"),
                           field("second frame", &F::frame_b, "", "the other"));
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    for (int i = 0; i < 3; ++i) {
      const Vec3<T>&a = X_WA.R.col[i], &b = X_WB.R.col[(i + 1) % 3];
      const Vec3<T> turn = cross(a, b);
      rows[i] = {dot(a, b), {turn, {}}, {-turn, {}}};
    }
  }
};
using ConstantOrientationSpec = BasicConstantOrientation<Named>;
using ConstantOrientation = BasicConstantOrientation<Placed>;
static_assert(FrameConstraint<ConstantOrientation>);

}  // namespace polhode
