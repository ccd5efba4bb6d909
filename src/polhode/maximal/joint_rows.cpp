#include "polhode/maximal/joint_rows.h"

#include "polhode/maximal/joint_kernel.h"
#include "polhode/mechanism/constraints/loop_joint.h"

namespace polhode::maximal {

JointRows::Kind JointRows::kind_of(const JointModel& model) {
  const auto is = [&]<class J>(std::type_identity<J>) { return std::holds_alternative<J>(model); };
  if (is(std::type_identity<Weld>{})) return Kind::weld;
  if (is(std::type_identity<Revolute>{})) return Kind::revolute;
  if (is(std::type_identity<Prismatic>{})) return Kind::prismatic;
  if (is(std::type_identity<Cylindrical>{})) return Kind::cylindrical;
  if (is(std::type_identity<Universal>{})) return Kind::universal;
  if (is(std::type_identity<Planar>{})) return Kind::planar;
  if (is(std::type_identity<Ball>{}) || is(std::type_identity<Gimbal>{})) return Kind::ball;
  if (is(std::type_identity<Translation>{})) return Kind::translation;
  return Kind::general;
}

void JointRows::evaluate(Poses X_WC, double* h, double* values) const {
  if (kind == Kind::general || h == nullptr) return evaluate_in_general(X_WC, h, values);
  const JointFrames frames{X_WC[F.body], F.X_CF, X_WC[M.body], M.X_CF};
  const auto block = [&](const Place& place) { return place.first_value < 0 ? nullptr : values + place.first_value; };
  const auto rows_of = [&]<RowPattern pattern>() {
    if (values == nullptr) return kernel::joint_values<pattern>(frames, h + first_row);
    kernel::joint_rows<pattern>(frames, h + first_row, block(F), block(M));
  };
  switch (kind) {
    case Kind::weld: return rows_of.operator()<weld_rows>();
    case Kind::revolute: return rows_of.operator()<revolute_rows>();
    case Kind::prismatic: return rows_of.operator()<prismatic_rows>();
    case Kind::cylindrical: return rows_of.operator()<cylindrical_rows>();
    case Kind::universal: return rows_of.operator()<universal_rows>();
    case Kind::planar: return rows_of.operator()<planar_rows>();
    case Kind::ball: return rows_of.operator()<ball_rows>();
    case Kind::translation: return rows_of.operator()<translation_rows>();
    case Kind::general: break;
  }
}

void JointRows::evaluate_in_general(Poses X_WC, double* h, double* values) const {
  const Transform<double> X_WF = F.pose(X_WC), X_WM = M.pose(X_WC);
  FrameRow<double> rows[6];
  joint_rows(*model, false, X_WF, X_WM, rows);
  if (h != nullptr)
    for (int i = 0; i < num_rows; ++i) h[first_row + i] = rows[i].value;
  if (values == nullptr) return;
  const auto put_side = [&](const Place& place, const Vec3<double>& r, const auto& wrench) {
    if (place.first_value < 0) return;
    double* row = values + place.first_value;
    for (int i = 0; i < num_rows; ++i, row += row_width) put_load(X_WC[place.body].R, r, wrench(rows[i]), row);
  };
  put_side(F, F.arm(X_WF, X_WC), [](const FrameRow<double>& row) { return row.on_a; });
  put_side(M, M.arm(X_WM, X_WC), [](const FrameRow<double>& row) { return row.on_b; });
}

JointMotion joint_motion(const Place& F, const Place& M, const Transform<double>& X_WF, const Transform<double>& X_WM,
                         Poses X_WC, Velocities V_WC) {
  const Vec3<double> r_F = F.arm(X_WF, X_WC), r_M = M.arm(X_WM, X_WC), p = X_WM.p - X_WF.p;
  const Motion<double> V_F = F.velocity(V_WC, r_F), V_M = M.velocity(V_WC, r_M);
  const Vec3<double>& w_F = V_F.angular;
  const Motion<double> V{V_M.angular - w_F, V_M.linear - V_F.linear - cross(w_F, p)};
  const Vec3<double> l_M = M.bias_acceleration(V_WC, r_M).linear, l_F = F.bias_acceleration(V_WC, r_F).linear;
  const Motion<double> A{-cross(w_F, V.angular), l_M - l_F - cross(w_F, cross(w_F, p)) - 2.0 * cross(w_F, V.linear)};
  const Mat3<double> R_FW = transpose(X_WF.R);
  return {R_FW * V, R_FW * A};
}

/// A joint's rows know their own bias: d2g/dt2 = gradient . A_FM + bias.
void JointRows::bias(Poses X_WC, Velocities V_WC, double* b) const {
  const Transform<double> X_WF = F.pose(X_WC), X_WM = M.pose(X_WC);
  const JointMotion motion = joint_motion(F, M, X_WF, X_WM, X_WC, V_WC);
  ConstraintRow<double> rows[6];
  std::visit([&](const auto& joint) { joint.constraint_rows(inverse(X_WF) * X_WM, motion.V_FM, rows); }, *model);
  for (int i = 0; i < num_rows; ++i) b[first_row + i] = -(dot(rows[i].gradient, motion.A_FM) + rows[i].bias);
}

}  // namespace polhode::maximal
