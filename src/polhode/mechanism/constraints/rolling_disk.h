#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// A thin wheel rolls on a plane without slipping. The wheel's centre is A's origin and its axle a = z_A; the plane is z = 0
/// of B, with the normal n = z_B. With s = |n - (n.a) a|, the sine of the angle between axle and normal, the lowest point is
///   p = p_A - (radius/s) (n - (n.a) a)
/// Rows:  h = n . (p - p_B) = n . p_BA - radius s = 0  [m]; the wheel's and the plane's material points at p then move alike
/// along the heading (a x n)/s and across it, n x (a x n)/s  [m/s]. As p is the lowest point, dh/dt is n times the relative
/// velocity at p: all three rows are a contact force along one direction. Singular only where the wheel lies flat, s = 0.
template <class Ref>
struct BasicRollingDisk {
  static constexpr const char* keyword = "rolling-disk";
  static constexpr int num_rows = 3, nonholonomic = 2;
  static constexpr bool relative = true, uses_axes = true;
  typename Ref::FrameIndex frame_a{}, frame_b{};
  double radius = 0;  ///< [m]

  static constexpr auto fields() {
    using F = BasicRollingDisk;
    return std::make_tuple(field("wheel's frame", &F::frame_a, "", "its z is the axle").shown_as("wheel"),
                           field("plane's frame", &F::frame_b, "", "the plane is its z = 0").shown_as("plane"),
                           positive("radius", &F::radius, "m", "of the wheel"));
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T>&a = X_WA.R.col[2], &n = X_WB.R.col[2];
    const Vec3<T> across_axle = n - dot(n, a) * a;
    const T s = square_root(dot(across_axle, across_axle) + T(1e-300)), r(radius);
    const Vec3<T> p = X_WA.p - (r / s) * across_axle, heading = (T(1) / s) * cross(a, n);
    rows[0] = points_move_alike<T>(X_WA.p, X_WB.p, p, n);
    rows[0].value = dot(n, X_WA.p - X_WB.p) - r * s;
    rows[1] = points_move_alike<T>(X_WA.p, X_WB.p, p, heading);
    rows[2] = points_move_alike<T>(X_WA.p, X_WB.p, p, cross(n, heading));
  }
};
using RollingDiskSpec = BasicRollingDisk<Named>;
using RollingDisk = BasicRollingDisk<Placed>;
static_assert(FrameConstraint<RollingDisk>);

}  // namespace polhode
