#pragma once
#include "polhode/mechanism/constraints/frame_row.h"
#include "polhode/mechanism/joint_model.h"
#include "polhode/mechanism/reversed_joint.h"

namespace polhode {

/// A joint's constraint face as rows on its two frames F and M (Simbody theory manual ch. 6; Tuomela, Arponen & Normi, ch. 5).
/// A row's gradient g = (m, f) acts on V_FM, measured and expressed in F:
///   w_FM = R_FW (w_M - w_F),   v_FM = R_FW (v_M - v_F - w_F x p_FM)
/// so that the wrench on M is R_WF g and that on F the opposite one, carried to F's origin: action and reaction.
/// Gives 6 - nv rows, the last `nonholonomic` of which restrict velocities only and have the value zero.
template <class T>
POLHODE_INLINE void joint_rows(const JointModel& joint, bool reversed, const Transform<T>& X_WF, const Transform<T>& X_WM,
                               FrameRow<T>* rows) {
  const Vec3<T> p_FM_W = X_WM.p - X_WF.p;
  const Transform<T> X_FM = inverse(X_WF) * X_WM;
  ConstraintRow<T> in_F[6];
  int count = 0;
  std::visit(
      [&](const auto& model) {
        count = 6 - model.nv;
        joint_constraint_rows(model, reversed, X_FM, Motion<T>{}, in_F);
      },
      joint);
  for (int i = 0; i < count; ++i) {
    const Wrench<T> on_M = X_WF.R * in_F[i].gradient;
    rows[i] = {in_F[i].value, {-on_M.moment - cross(p_FM_W, on_M.force), -on_M.force}, on_M};
  }
}

inline int num_joint_rows(const JointModel& joint) { return 6 - num_speeds(joint); }
/// How many of them, the last ones, hold velocities only.
inline int num_nonholonomic_rows(const JointModel& joint) {
  return std::visit([](const auto& j) { return int(j.nonholonomic); }, joint);
}

}  // namespace polhode
