#include "polhode/maximal/joint_rows.h"

#include <cmath>

#include "polhode/maximal/joint_kernel.h"
#include "polhode/mechanism/constraints/loop_joint.h"

namespace polhode::maximal {

namespace {

/// Calls work.operator()<pattern>() with the pattern of the kind, which is not the general one.
template <class Work>
POLHODE_INLINE void with_pattern(JointRows::Kind kind, const Work& work) {
  using Kind = JointRows::Kind;
  switch (kind) {
    case Kind::weld: return work.template operator()<weld_rows>();
    case Kind::revolute: return work.template operator()<revolute_rows>();
    case Kind::prismatic: return work.template operator()<prismatic_rows>();
    case Kind::cylindrical: return work.template operator()<cylindrical_rows>();
    case Kind::universal: return work.template operator()<universal_rows>();
    case Kind::planar: return work.template operator()<planar_rows>();
    case Kind::ball: return work.template operator()<ball_rows>();
    case Kind::translation: return work.template operator()<translation_rows>();
    case Kind::general: break;
  }
}

}  // namespace

JointRows::Kind JointRows::kind_of(const JointModel& model) {
  if (std::holds_alternative<Weld>(model)) return Kind::weld;
  if (std::holds_alternative<Revolute>(model)) return Kind::revolute;
  if (std::holds_alternative<Prismatic>(model)) return Kind::prismatic;
  if (std::holds_alternative<Cylindrical>(model)) return Kind::cylindrical;
  if (std::holds_alternative<Universal>(model)) return Kind::universal;
  if (std::holds_alternative<Planar>(model)) return Kind::planar;
  if (std::holds_alternative<Ball>(model) || std::holds_alternative<Gimbal>(model)) return Kind::ball;
  if (std::holds_alternative<Translation>(model)) return Kind::translation;
  return Kind::general;
}

void JointRows::evaluate(Poses X_WC, double* h, double* values) const {
  if (kind == Kind::general) return evaluate_in_general(X_WC, h, values);
  const JointFrames frames{X_WC[F.body], F.X_CF, X_WC[M.body], M.X_CF};
  const auto block = [&](const Place& place) { return place.first_value < 0 ? nullptr : values + place.first_value; };
  with_pattern(kind, [&]<RowPattern pattern>() {
    if (values == nullptr) return kernel::joint_values<pattern>(frames, h + first_row);
    kernel::joint_rows<pattern>(frames, h + first_row, block(F), block(M));
  });
}

void JointRows::evaluate_in_general(Poses X_WC, double* h, double* values) const {
  const Transform<double> X_WF = F.pose(X_WC), X_WM = M.pose(X_WC);
  FrameRow<double> rows[6];
  joint_rows(*model, false, X_WF, X_WM, rows);
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

void JointRows::bias(Poses X_WC, Velocities V_WC, double* b) const {
  if (kind == Kind::general) return bias_in_general(X_WC, V_WC, b);
  const JointFrames frames{X_WC[F.body], F.X_CF, X_WC[M.body], M.X_CF};
  with_pattern(kind,
               [&]<RowPattern pattern>() { kernel::joint_biases<pattern>(frames, V_WC[F.body], V_WC[M.body], b + first_row); });
}

/// A joint's rows know their own bias: d2g/dt2 = gradient . A_FM + bias.
void JointRows::bias_in_general(Poses X_WC, Velocities V_WC, double* b) const {
  const Transform<double> X_WF = F.pose(X_WC), X_WM = M.pose(X_WC);
  const JointMotion motion = joint_motion(F, M, X_WF, X_WM, X_WC, V_WC);
  ConstraintRow<double> rows[6];
  std::visit([&](const auto& joint) { joint.constraint_rows(inverse(X_WF) * X_WM, motion.V_FM, rows); }, *model);
  for (int i = 0; i < num_rows; ++i) b[first_row + i] = -(dot(rows[i].gradient, motion.A_FM) + rows[i].bias);
}

/// A common turn of F and M leaves a joint as it is when it keeps all axes parallel, or when it is about the axis that they
/// share; a ball joint does not ask for M's axes at all.
void JointRows::turn_frames(std::span<const Vec3<double>> normals) {
  const Vec3<double> n_F = transpose_times(F.X_CF.R, normals[std::size_t(F.body)]);
  Mat3<double> turn = Mat3<double>::identity();
  if (kind == Kind::weld || kind == Kind::translation || kind == Kind::ball) {
    turn = rotation_with_z(n_F);
  } else if (kind == Kind::prismatic || kind == Kind::cylindrical) {
    const double across = std::hypot(n_F.x, n_F.y);
    if (across > 0.5) turn = {{{{n_F.x / across, n_F.y / across, 0}, {-n_F.y / across, n_F.x / across, 0}, {0, 0, 1}}}};
  }
  for (Place* place : {&F, &M}) place->X_CF.R = place->X_CF.R * turn;
}

}  // namespace polhode::maximal
