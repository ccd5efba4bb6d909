// The accelerations' bias of rows between frames.
#include "polhode/spatial/along.h"
#include "polhode/tree/rows/accelerated.h"
#include "polhode/tree/rows/frame_kernel.h"
#include "polhode/tree/rows/frame_rows.h"

namespace polhode::tree::frame_rows {
namespace {

/// A frame of a side: its pose, velocity, and acceleration at du/dt = 0.
struct MovingFrame {
  Transform<double> X;
  Motion<double> V, A;
};
MovingFrame moving_frame(const RowSide& side, const Workspace& w) {
  MovingFrame frame;
  frame.X = pose_of(side, w, true);
  const Vec3<double> r = frame.X.p - w.constraint.X_WM[side.body].p;
  const Motion<double>& V_WM = w.constraint.V_WM[side.body];
  frame.V = shifted(V_WM, r);
  frame.A = accelerated(w.constraint.A_WM[side.body], V_WM, r);
  return frame;
}

/// A joint's rows know their own bias: d2g/dt2 = gradient . A_FM + bias, with
///   w_FM = w_M - w_F,            dw_FM/dt = a_M - a_F - w_F x w_FM
///   v_FM = v_M - v_F - w_F x p,  dv_FM/dt = l_M - l_F - a_F x p - w_F x (w_F x p) - 2 w_F x v_FM
/// (a, l: angular and linear accelerations in Ground; derivatives of V_FM as F sees them; all turned into F's axes).
void joint_bias(const RowView& view, const Workspace& w, const RowBlock& block, NumbersOut b) {
  const LoopJoint& joint = view.mechanism().loop_joints()[block.source];
  const MovingFrame F = moving_frame(view.plan.sides[block.first_side], w);
  const MovingFrame M = moving_frame(view.plan.sides[block.first_side + 1], w);
  const Mat3<double> R_FW = transpose(F.X.R);
  const Vec3<double> p = M.X.p - F.X.p, &w_F = F.V.angular;
  const Motion<double> V_FM{M.V.angular - w_F, M.V.linear - F.V.linear - cross(w_F, p)};
  const Motion<double> A_FM{
      M.A.angular - F.A.angular - cross(w_F, V_FM.angular),
      M.A.linear - F.A.linear - cross(F.A.angular, p) - cross(w_F, cross(w_F, p)) - 2.0 * cross(w_F, V_FM.linear)};
  ConstraintRow<double> rows[most_block_rows];
  const Transform<double> X_FM = inverse(F.X) * M.X;
  std::visit([&](const auto& model) { joint_constraint_rows(model, joint.reversed, X_FM, R_FW * V_FM, rows); }, joint.model);
  const Motion<double> A_F = R_FW * A_FM;
  for (int i = 0; i < block.num_rows; ++i) b[block.first_row + i] = -(dot(rows[i].gradient, A_F) + rows[i].bias);
}

/// The row's rate, as a dual number along the motion with du/dt = 0: its slope is dG/dt u.
void constraint_bias(const RowView& view, const Workspace& w, const RowBlock& block, NumbersOut b) {
  Transform<Dual<double>> X[most_block_sides];
  Motion<Dual<double>> V[most_block_sides];
  for (int i = 0; i < block.num_sides; ++i) {
    const MovingFrame frame = moving_frame(view.plan.sides[block.first_side + i], w);
    X[i] = along(frame.X, frame.V);
    V[i] = along(frame.V, frame.A);
  }
  FrameRow<Dual<double>> rows[most_block_rows];
  OfConstraints{}(view.mechanism(), block, X, rows);
  for (int i = 0; i < block.num_rows; ++i) {
    const Dual<double> rate = dot(rows[i].on_a, V[0]) + dot(rows[i].on_b, V[1]);
    b[block.first_row + i] = -rate.slope;
  }
}

}  // namespace

void acceleration_bias(const RowView& view, const Workspace& w, NumbersOut b) {
  for (const RowBlock& block : view.active.joint_blocks) joint_bias(view, w, block, b);
  for (const RowBlock& block : view.active.frame_blocks) constraint_bias(view, w, block, b);
}

}  // namespace polhode::tree::frame_rows
