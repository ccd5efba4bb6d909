#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// Rod (or a wire that stays taut): two frames' origins keep their distance:  h = |p_AB| - length  [m].
/// Johnson & Murphey (37) has the squares; the distance itself gives errors in metres and a multiplier that is the wire's
/// tension.
template <class Ref>
struct BasicWire {
  static constexpr const char* keyword = "wire";
  static constexpr const char* another_word = "rod";
  static constexpr int num_rows = 1, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = false;
  typename Ref::FrameIndex frame_a{}, frame_b{};
  double length = 0;  ///< [m]

  static constexpr auto fields() {
    using F = BasicWire;
    return std::make_tuple(field("first frame", &F::frame_a, "", "one of the two"),
                           field("second frame", &F::frame_b, "", "the other"),
                           positive("length", &F::length, "m", "the distance of their origins",
                                    "; to hold two points together use point constraints"));
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T> p_AB = X_WB.p - X_WA.p;
    // Where the points coincide there is no direction: the wrench is then zero instead of 0/0, and slopes stay finite.
    const T distance = square_root(dot(p_AB, p_AB) + T(1e-300));
    const Vec3<T> direction = (T(1) / distance) * p_AB;
    rows[0] = {distance - T(length), {{}, -direction}, {{}, direction}};
  }
};
using WireSpec = BasicWire<Named>;
using Wire = BasicWire<Placed>;
static_assert(FrameConstraint<Wire>);

}  // namespace polhode
