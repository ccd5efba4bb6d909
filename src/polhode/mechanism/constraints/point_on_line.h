#pragma once
#include <array>

#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// B's origin stays on a line that is fixed on A and passes through A's origin:  h_i = n_i . p_AB  [m], where n_1 and n_2 are
/// perpendicular to the line and to each other and fixed in A: two rows.
template <class Ref>
struct BasicPointOnLine {
  static constexpr const char* keyword = "point-on-line";
  static constexpr int num_rows = 2, nonholonomic = 0;
  static constexpr bool relative = true, uses_axes = true;
  typename Ref::FrameIndex frame_a{}, frame_b{};
  Vec3<double> direction{};                                               ///< in A's axes; in a description of any length
  typename Ref::template Derived<std::array<Vec3<double>, 2>> normals{};  ///< unit vectors in A's axes

  static constexpr auto fields() {
    using F = BasicPointOnLine;
    return std::make_tuple(field("frame with the line", &F::frame_a, "", "its origin is on it").shown_as("frame"),
                           field("frame whose origin stays on it", &F::frame_b, "", "").shown_as("frame"),
                           unit_vector("direction", &F::direction, "of the line, in the first frame's axes"));
  }
  void derive() {
    const Vec3<double> n = any_perpendicular(direction);
    normals = {n, cross(direction, n)};
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, FrameRow<T>* rows) const {
    const Vec3<T> p_AB = X_WB.p - X_WA.p;
    for (int i = 0; i < 2; ++i) {
      const Vec3<T> n = X_WA.R * cast<T>(normals[std::size_t(i)]);
      rows[i] = {dot(n, p_AB), {cross(n, p_AB), -n}, {{}, n}};
    }
  }
};
using PointOnLineSpec = BasicPointOnLine<Named>;
using PointOnLine = BasicPointOnLine<Placed>;
static_assert(FrameConstraint<PointOnLine>);

}  // namespace polhode
