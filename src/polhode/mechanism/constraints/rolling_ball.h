#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// A ball about A's origin rolls on the plane z = 0 of B, on the side of z, without slipping. It touches at p = p_A - radius n,
/// n = z_B.  Rows:  h = n . p_BA - radius = 0  [m], and the ball's and the plane's material points at p move alike along x_B
/// and y_B  [m/s].
template <class Ref>
struct BasicRollingBall {
  static constexpr const char* keyword = "rolling-ball";
  static constexpr int num_rows = 3, nonholonomic = 2;
  static constexpr bool relative = true, uses_axes = true;
  typename Ref::FrameIndex frame_a{}, frame_b{};
  double radius = 0;  ///< [m]

  static constexpr auto fields() {
    using F = BasicRollingBall;
    return std::make_tuple(field("ball's frame", &F::frame_a, "", "its origin is the centre").shown_as("ball"),
                           field("plane's frame", &F::frame_b, "", "the plane is its z = 0").shown_as("plane"),
                           positive("radius", &F::radius, "m", "of the ball"));
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const auto& [x, y, n] = X_WB.R.col;
    const Vec3<T> p = X_WA.p - T(radius) * n;
    rows[0] = points_move_alike<T>(X_WA.p, X_WB.p, p, n);
    rows[0].value = dot(n, X_WA.p - X_WB.p) - T(radius);
    rows[1] = points_move_alike<T>(X_WA.p, X_WB.p, p, x);
    rows[2] = points_move_alike<T>(X_WA.p, X_WB.p, p, y);
  }
};
using RollingBallSpec = BasicRollingBall<Named>;
using RollingBall = BasicRollingBall<Placed>;
static_assert(FrameConstraint<RollingBall>);

}  // namespace polhode
