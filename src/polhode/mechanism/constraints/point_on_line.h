#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// B's origin stays on a line that is fixed on A and passes through A's origin:  h_i = n_i . p_AB  [m], where n_1 and n_2 are
/// perpendicular to the line and to each other and fixed in A: two rows.
struct PointOnLine {
  static constexpr int num_rows = 2, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = true;
  int frame_a, frame_b;
  Vec3<double> normals[2];  ///< unit vectors in A's axes

  static PointOnLine along(int frame_a, int frame_b, const Vec3<double>& unit_direction) {
    const Vec3<double> n = any_perpendicular(unit_direction);
    return {frame_a, frame_b, {n, cross(unit_direction, n)}};
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T> p_AB = X_WB.p - X_WA.p;
    for (int i = 0; i < 2; ++i) {
      const Vec3<T> n = X_WA.R * cast<T>(normals[i]);
      rows[i] = {dot(n, p_AB), {cross(n, p_AB), -n}, {{}, n}};
    }
  }
};
static_assert(FrameConstraint<PointOnLine>);

}  // namespace polhode
