#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// Ball: two frames' origins coincide:  h = R_WA^T p_AB = 0, three rows [m].
/// The rows are in A's axes, not in Ground's: then they depend on X_AB only.
template <class Ref>
struct BasicCoincidentPoints {
  static constexpr const char* keyword = "point-constraint";
  static constexpr const char* another_word = "ball";
  static constexpr int num_rows = 3, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = true;
  typename Ref::FrameIndex frame_a{}, frame_b{};

  static constexpr auto fields() {
    using F = BasicCoincidentPoints;
    return std::make_tuple(field("first frame", &F::frame_a, "", "in whose axes the rows are"),
                           field("second frame", &F::frame_b, "", "the other"));
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T> p_AB = X_WB.p - X_WA.p;
    for (int i = 0; i < 3; ++i) {
      const Vec3<T>& n = X_WA.R.col[i];  // turns with A: dn/dt . p_AB = w_A . (n x p_AB)
      rows[i] = {dot(n, p_AB), {cross(n, p_AB), -n}, {{}, n}};
    }
  }
};
using CoincidentPointsSpec = BasicCoincidentPoints<Named>;
using CoincidentPoints = BasicCoincidentPoints<Placed>;
static_assert(FrameConstraint<CoincidentPoints>);

}  // namespace polhode
