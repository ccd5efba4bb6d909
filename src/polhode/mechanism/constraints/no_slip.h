#pragma once
#include "polhode/mechanism/constraints/frame_row.h"

namespace polhode {

/// The material points of two bodies that are at the origin of a case frame C at this moment move alike along a direction n
/// fixed in C (Simbody theory manual ch. 6):  v = n . (v_A(p_C) - v_B(p_C)) = 0  [m/s], one row that holds velocities only.
/// Two wheels that touch at a point fixed on the gear box are an example. The case may be one of the two bodies.
template <class Ref>
struct BasicNoSlip {
  static constexpr const char* keyword = "no-slip";
  static constexpr int num_rows = 1, nonholonomic = 1;
  typename Ref::FrameIndex frame_case{}, frame_a{}, frame_b{};
  Vec3<double> direction{};  ///< in C's axes; in a description of any length

  static constexpr auto fields() {
    using F = BasicNoSlip;
    return std::make_tuple(field("case frame", &F::frame_case, "", "says where and in which direction").shown_as("case"),
                           field("first frame", &F::frame_a, "", "on one of the two bodies"),
                           field("second frame", &F::frame_b, "", "the other"),
                           unit_vector("direction", &F::direction, "in the case's axes"));
  }

  template <class T>
  POLHODE_INLINE void evaluate(const Transform<T>& X_WA, const Transform<T>& X_WB, const Transform<T>& X_WC,
                               FrameRow<T>* rows) const {
    rows[0] = points_move_alike<T>(X_WA.p, X_WB.p, X_WC.p, X_WC.R * cast<T>(direction));
  }
};
using NoSlipSpec = BasicNoSlip<Named>;
using NoSlip = BasicNoSlip<Placed>;
static_assert(CaseConstraint<NoSlip>);

}  // namespace polhode
