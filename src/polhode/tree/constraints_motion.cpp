// What constraints are on a mechanism that moves: rates, accelerations' bias, and products with G by sweeps.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/spatial/dual.h"
#include "polhode/tree/constraints_rows.h"
#include "polhode/tree/kernels/kernels.h"

namespace polhode::tree {
namespace {

void require_size(std::size_t given, int wanted, const char* what) {
  if (given != std::size_t(wanted))
    throw std::invalid_argument(fmt::format("{}: {} numbers given, {} needed", what, given, wanted));
}

/// Motion of a point r away from the origin of a body that moves with V and accelerates with A.
Motion<double> accelerated(const Motion<double>& A, const Motion<double>& V, const Vec3<double>& r) {
  Motion<double> shifted_A = shifted(A, r);
  shifted_A.linear += cross(V.angular, cross(V.angular, r));
  return shifted_A;
}

Vec3<Dual<double>> along(const Vec3<double>& value, const Vec3<double>& slope) {
  return {{value.x, slope.x}, {value.y, slope.y}, {value.z, slope.z}};
}
/// The frame as it moves: X + eps dX/dt.
Transform<Dual<double>> along(const Transform<double>& X, const Motion<double>& V) {
  const auto column = [&](int i) { return along(X.R.col[i], cross(V.angular, X.R.col[i])); };
  return {{{column(0), column(1), column(2)}}, along(X.p, V.linear)};
}
Motion<Dual<double>> along(const Motion<double>& V, const Motion<double>& A) {
  return {along(V.angular, A.angular), along(V.linear, A.linear)};
}

/// The same frame after it has moved with V for the time dt.
Transform<double> moved(const Transform<double>& X, const Motion<double>& V, double dt) {
  const double speed = norm(V.angular);
  const Mat3<double> turn = speed > 0 ? rotation_about((1 / speed) * V.angular, speed * dt) : Mat3<double>::identity();
  return {turn * X.R, X.p + dt * V.linear};
}

}  // namespace

/// Of a linear row's equation, with two derivatives.
Signal::Sample Constraints::right_side(const LinearRow& row, double t) const {
  return row.signal < 0 ? Signal::Sample{row.constant} : signals_[std::size_t(row.signal)].at(t);
}

// Sweeps over the paths that rows reach.

/// Poses and velocities, the velocities as kinematics() left them, of all bodies that rows touch or that carry those.
void Constraints::read_velocities(Workspace& w) const {
  auto& buffers = w.constraint;
  w.kernels().read_poses(w.tree(), w.block(), moved_bodies_, buffers.X_WM.data());
  w.kernels().read_motions(w.tree(), w.block(), moved_bodies_, buffers.V_WM.data(), buffers.A_WM.data());
}

/// Accelerations at du/dt = 0 in place of each body's own part; what is below a path counts as not accelerated, as adding the
/// acceleration of one rigid body to all that a row touches changes nothing.
void Constraints::sweep_bias_accelerations(Workspace& w) const {
  const auto& X_WM = w.constraint.X_WM;
  auto& A = w.constraint.A_WM;
  for (const int body : resting_) A[body] = {};
  for (const Carrier& c : carriers_)
    if (c.parent >= 0) A[c.body] += shifted(A[c.parent], X_WM[c.body].p - X_WM[c.parent].p);
}

/// Velocities that speeds u give, in place of those of the mechanism.
void Constraints::sweep_velocities(Workspace& w, Numbers u) const {
  auto& buffers = w.constraint;
  w.kernels().read_poses(w.tree(), w.block(), moved_bodies_, buffers.X_WM.data());
  w.kernels().read_columns(w.tree(), w.block(), moving_speeds_, buffers.H.data());
  for (const int body : resting_) buffers.V_WM[body] = {};
  for (const Carrier& c : carriers_) {
    Motion<double> V{};
    if (c.parent >= 0) V = shifted(buffers.V_WM[c.parent], buffers.X_WM[c.body].p - buffers.X_WM[c.parent].p);
    for (int k = c.first_u; k < c.first_u + c.nu; ++k) V += u[k] * buffers.H[k];
    buffers.V_WM[c.body] = V;
  }
}

// Products.

/// The poses' own velocities, for a user's constraint.
void Constraints::show_motion(Workspace& w, const Block& block) const {
  for (int i = 0; i < block.num_sides; ++i) {
    const Side& side = sides_[block.first_side + i];
    const Vec3<double> r = w.constraint.X_WM[side.body].R * side.X_MF.p;
    w.constraint.V_WB[i] = shifted(w.constraint.V_WM[side.body], r);
    w.constraint.A_WB[i] = accelerated(w.constraint.A_WM[side.body], w.constraint.V_WM[side.body], r);
  }
}

/// gradient . (V, u) of one row of a user's constraint.
double Constraints::custom_product(Workspace& w, const Block& block, const ConstraintConfiguration& at, int row,
                                   std::span<const Motion<double>> V_WB, Numbers u) const {
  const auto on_body = std::span(w.constraint.on_body).first(block.num_sides);
  const auto on_speed = std::span(w.constraint.on_speed).first(block.num_direct);
  std::fill(on_body.begin(), on_body.end(), Wrench<double>{});
  std::fill(on_speed.begin(), on_speed.end(), 0.0);
  ConstraintGradient gradient{on_body, on_speed, at.X_WB};
  custom(block).gradient(at, row, gradient);
  double sum = 0;
  for (int i = 0; i < block.num_sides; ++i) sum += dot(on_body[i], V_WB[i]);
  const auto speeds = columns(block.first_row);
  for (int i = 0; i < block.num_direct; ++i) sum += on_speed[i] * u[speeds[direct_[block.first_direct + i]]];
  return sum;
}

/// out = G u with V_WM = J u.
void Constraints::multiply_moving(Workspace& w, double t, Numbers q, Numbers u, NumbersOut out) const {
  for (const LinearRow& row : linear_rows_) {
    double sum = 0;
    for (int i = row.first_term; i < row.last_term; ++i) sum += linear_terms_[i].coefficient * u[linear_terms_[i].u];
    out[row.row] = sum;
  }
  const auto of_block = [&](const Block& block, bool of_joint) {
    const Side* const sides = &sides_[block.first_side];
    Transform<double> X[most_sides];
    Motion<double> V[2];
    for (int i = 0; i < block.num_sides; ++i) X[i] = pose_of(sides[i], w, block.uses_axes);
    for (int i = 0; i < 2; ++i) V[i] = shifted(w.constraint.V_WM[sides[i].body], X[i].p - w.constraint.X_WM[sides[i].body].p);
    FrameRow<double> rows[most_rows];
    rows_of(block, of_joint, X, rows);
    for (int i = 0; i < block.num_rows; ++i) out[block.first_row + i] = dot(rows[i].on_a, V[0]) + dot(rows[i].on_b, V[1]);
  };
  for (const Block& block : joint_blocks_) of_block(block, true);
  for (const Block& block : frame_blocks_) of_block(block, false);
  for (const Block& block : custom_blocks_) {
    const ConstraintConfiguration at = show(w, block, t, q);
    show_motion(w, block);
    for (int i = 0; i < block.num_rows; ++i) out[block.first_row + i] = custom_product(w, block, at, i, w.constraint.V_WB, u);
  }
}

void Constraints::apply(Workspace& w, double t, Numbers q, Numbers u, NumbersOut Gu) const {
  require_size(q.size(), mechanism_.num_q(), "coordinates");
  require_size(u.size(), mechanism_.num_u(), "speeds");
  require_size(Gu.size(), num_rows(), "constraint rates");
  sweep_velocities(w, u);
  multiply_moving(w, t, q, u, Gu);
}

void Constraints::velocity_errors(Workspace& w, double t, Numbers q, Numbers u, NumbersOut e) const {
  require_size(q.size(), mechanism_.num_q(), "coordinates");
  require_size(u.size(), mechanism_.num_u(), "speeds");
  require_size(e.size(), num_rows(), "constraint velocity errors");
  read_velocities(w);
  multiply_moving(w, t, q, u, e);
  for (const LinearRow& row : linear_rows_) {
    const Signal::Sample s = right_side(row, t);
    e[row.row] -= is_holonomic(row.row) ? s.rate : s.value;
  }
  for (const Block& block : custom_blocks_) {
    const auto rate = std::span(w.constraint.row_numbers).first(block.num_rows);
    custom(block).rates(show(w, block, t, q), rate);
    for (int i = 0; i < block.num_rows; ++i) e[block.first_row + i] += rate[i];
  }
  for (int row = 0; row < num_rows(); ++row)
    if (level(row) == RowLevel::acceleration) e[row] = 0;
}

/// Leaves what the rows put on bodies in the buffers, at the origins of M, and adds what they put on speeds directly.
void Constraints::load_bodies(Workspace& w, double t, Numbers q, Numbers lambda, NumbersOut tau) const {
  require_size(q.size(), mechanism_.num_q(), "coordinates");
  require_size(lambda.size(), num_rows(), "multipliers");
  require_size(tau.size(), mechanism_.num_u(), "generalized forces");
  auto& buffers = w.constraint;
  w.kernels().read_poses(w.tree(), w.block(), moved_bodies_, buffers.X_WM.data());
  for (const int body : moved_bodies_) buffers.F[body] = {};

  const auto load = [&](const Side& side, const Vec3<double>& p_W, const Wrench<double>& F) {
    buffers.F[side.body] += shifted_back(F, p_W - buffers.X_WM[side.body].p);
  };
  const auto of_block = [&](const Block& block, bool of_joint) {
    const Side* const sides = &sides_[block.first_side];
    Transform<double> X[most_sides];
    for (int i = 0; i < block.num_sides; ++i) X[i] = pose_of(sides[i], w, block.uses_axes);
    FrameRow<double> rows[most_rows];
    rows_of(block, of_joint, X, rows);
    Wrench<double> on_a{}, on_b{};
    for (int i = 0; i < block.num_rows; ++i) {
      on_a += lambda[block.first_row + i] * rows[i].on_a;
      on_b += lambda[block.first_row + i] * rows[i].on_b;
    }
    load(sides[0], X[0].p, on_a);
    load(sides[1], X[1].p, on_b);
  };
  for (const Block& block : joint_blocks_) of_block(block, true);
  for (const Block& block : frame_blocks_) of_block(block, false);
  for (const Block& block : custom_blocks_) {
    const ConstraintConfiguration at = show(w, block, t, q);
    const auto on_body = std::span(buffers.on_body).first(block.num_sides);
    const auto on_speed = std::span(buffers.on_speed).first(block.num_direct);
    const auto speeds = columns(block.first_row);
    for (int row = 0; row < block.num_rows; ++row) {
      std::fill(on_body.begin(), on_body.end(), Wrench<double>{});
      std::fill(on_speed.begin(), on_speed.end(), 0.0);
      ConstraintGradient gradient{on_body, on_speed, at.X_WB};
      custom(block).gradient(at, row, gradient);
      const double factor = lambda[block.first_row + row];
      for (int i = 0; i < block.num_sides; ++i) load(sides_[block.first_side + i], at.X_WB[i].p, factor * on_body[i]);
      for (int i = 0; i < block.num_direct; ++i) tau[speeds[direct_[block.first_direct + i]]] += factor * on_speed[i];
    }
  }
  for (const LinearRow& row : linear_rows_)
    for (int i = row.first_term; i < row.last_term; ++i)
      tau[linear_terms_[i].u] += lambda[row.row] * linear_terms_[i].coefficient;
}

void Constraints::add_wrenches(Workspace& w, double t, Numbers q, Numbers lambda, std::span<Wrench<double>> on_bodies,
                               NumbersOut on_speeds) const {
  require_size(on_bodies.size(), mechanism_.num_bodies(), "wrenches by body");
  load_bodies(w, t, q, lambda, on_speeds);
  for (const int body : touched_bodies_) {
    const Vec3<double> p_BM_W = -(w.constraint.X_WM[body].R * mechanism_.joints()[body].X_MB.p);
    on_bodies[body] += shifted_back(w.constraint.F[body], p_BM_W);
  }
}

void Constraints::apply_transpose(Workspace& w, double t, Numbers q, Numbers lambda, NumbersOut tau) const {
  std::fill(tau.begin(), tau.end(), 0.0);
  load_bodies(w, t, q, lambda, tau);
  auto& buffers = w.constraint;
  w.kernels().read_columns(w.tree(), w.block(), moving_speeds_, buffers.H.data());
  for (std::size_t i = carriers_.size(); i-- > 0;) {
    const Carrier& c = carriers_[i];
    const Wrench<double>& F = buffers.F[c.body];
    for (int k = c.first_u; k < c.first_u + c.nu; ++k) tau[k] += dot(F, buffers.H[k]);
    if (c.parent >= 0) buffers.F[c.parent] += shifted_back(F, buffers.X_WM[c.body].p - buffers.X_WM[c.parent].p);
  }
}

// The accelerations' bias.

void Constraints::acceleration_bias(Workspace& w, double t, Numbers q, Numbers u, NumbersOut b) const {
  require_size(q.size(), mechanism_.num_q(), "coordinates");
  require_size(u.size(), mechanism_.num_u(), "speeds");
  require_size(b.size(), num_rows(), "constraint biases");
  read_velocities(w);
  sweep_bias_accelerations(w);
  for (const LinearRow& row : linear_rows_) {
    const Signal::Sample s = right_side(row, t);
    b[row.row] = is_holonomic(row.row) ? s.acceleration : level(row.row) == RowLevel::velocity ? s.rate : s.value;
  }
  for (const Block& block : joint_blocks_) joint_bias(w, block, b);
  for (const Block& block : frame_blocks_) frame_bias(w, block, b);
  if (custom_blocks_.empty()) return;
  coordinate_rates(mechanism_, q, u, w.constraint.q_dot);
  for (const Block& block : custom_blocks_) custom_bias(w, block, t, q, u, b);
}

/// A joint's rows know their own bias: d2g/dt2 = gradient . A_FM + bias, with
///   w_FM = w_M - w_F,            dw_FM/dt = a_M - a_F - w_F x w_FM
///   v_FM = v_M - v_F - w_F x p,  dv_FM/dt = l_M - l_F - a_F x p - w_F x (w_F x p) - 2 w_F x v_FM
/// (a, l: angular and linear accelerations in Ground; derivatives of V_FM as F sees them; all turned into F's axes).
void Constraints::joint_bias(Workspace& w, const Block& block, NumbersOut b) const {
  const LoopJoint& joint = mechanism_.loop_joints()[block.source];
  Transform<double> X[2];
  Motion<double> V[2], A[2];
  for (int i = 0; i < 2; ++i) {
    const Side& side = sides_[block.first_side + i];
    X[i] = pose_of(side, w, true);
    const Vec3<double> r = X[i].p - w.constraint.X_WM[side.body].p;
    const Motion<double>& V_WM = w.constraint.V_WM[side.body];
    V[i] = shifted(V_WM, r);
    A[i] = accelerated(w.constraint.A_WM[side.body], V_WM, r);
  }
  const Mat3<double> R_FW = transpose(X[0].R);
  const Vec3<double> p = X[1].p - X[0].p, &w_F = V[0].angular;
  const Motion<double> V_FM{V[1].angular - w_F, V[1].linear - V[0].linear - cross(w_F, p)};
  const Motion<double> A_FM{
      A[1].angular - A[0].angular - cross(w_F, V_FM.angular),
      A[1].linear - A[0].linear - cross(A[0].angular, p) - cross(w_F, cross(w_F, p)) - 2.0 * cross(w_F, V_FM.linear)};
  ConstraintRow<double> rows[most_rows];
  const Transform<double> X_FM = inverse(X[0]) * X[1];
  std::visit([&](const auto& model) { joint_constraint_rows(model, joint.reversed, X_FM, R_FW * V_FM, rows); }, joint.model);
  const Motion<double> A_F = R_FW * A_FM;
  for (int i = 0; i < block.num_rows; ++i) b[block.first_row + i] = -(dot(rows[i].gradient, A_F) + rows[i].bias);
}

/// The row's rate, as a dual number along the motion with du/dt = 0: its slope is dG/dt u.
void Constraints::frame_bias(Workspace& w, const Block& block, NumbersOut b) const {
  Transform<Dual<double>> X[most_sides];
  Motion<Dual<double>> V[most_sides];
  for (int i = 0; i < block.num_sides; ++i) {
    const Side& side = sides_[block.first_side + i];
    const Transform<double> X_WF = pose_of(side, w, true);
    const Vec3<double> r = X_WF.p - w.constraint.X_WM[side.body].p;
    const Motion<double>& V_WM = w.constraint.V_WM[side.body];
    const Motion<double> V_WF = shifted(V_WM, r);
    X[i] = along(X_WF, V_WF);
    V[i] = along(V_WF, accelerated(w.constraint.A_WM[side.body], V_WM, r));
  }
  FrameRow<Dual<double>> rows[most_rows];
  rows_of(block, false, X, rows);
  for (int i = 0; i < block.num_rows; ++i) {
    const Dual<double> rate = dot(rows[i].on_a, V[0]) + dot(rows[i].on_b, V[1]);
    b[block.first_row + i] = -rate.slope;
  }
}

void Constraints::custom_bias(Workspace& w, const Block& block, double t, Numbers q, Numbers u, NumbersOut b) const {
  const ConstraintConfiguration at = show(w, block, t, q);
  show_motion(w, block);
  const auto& buffers = w.constraint;
  const std::size_t n = std::size_t(block.num_sides);
  const ConstraintMotion motion{u, buffers.q_dot, std::span(buffers.V_WB).first(n), std::span(buffers.A_WB).first(n)};
  const NumbersOut out = b.subspan(block.first_row, block.num_rows);
  if (!custom(block).acceleration_bias(at, motion, out)) differences_of_custom(w, block, t, q, u, out);
}

/// d/dt of gradient . (V, u) + rate at du/dt = 0 from its values at -2, -1, 1, 2 times dt, along a motion that has the right
/// velocities now; how it bends is nothing to a first derivative. With dt = 5e-4 over the fastest turning (and of time itself)
/// truncation dt^4/30 and rounding eps/dt are both about 1e-12.
void Constraints::differences_of_custom(Workspace& w, const Block& block, double t, Numbers q, Numbers u, NumbersOut b) const {
  auto& buffers = w.constraint;
  const CustomConstraint& model = custom(block);
  double fastest = 1;
  for (int i = 0; i < block.num_sides; ++i) fastest = std::max(fastest, norm(buffers.V_WB[i].angular));
  const double dt = 5e-4 / fastest;
  constexpr double weights[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, places[] = {-2, -1, 1, 2};
  const auto rate = std::span(buffers.row_numbers).first(block.num_rows);
  const auto X_WB = std::span(buffers.moved_X_WB).first(block.num_sides);
  std::fill(b.begin(), b.end(), 0.0);
  for (int k = 0; k < 4; ++k) {
    const double step = places[k] * dt;
    for (std::size_t i = 0; i < q.size(); ++i) buffers.moved_q[i] = q[i] + step * buffers.q_dot[i];
    for (int i = 0; i < block.num_sides; ++i) {
      X_WB[i] = moved(buffers.X_WB[i], buffers.V_WB[i], step);
      buffers.moved_V_WB[i] = buffers.V_WB[i] + step * buffers.A_WB[i];
    }
    const ConstraintConfiguration at{mechanism_, t + step, buffers.moved_q, X_WB};
    model.rates(at, rate);
    for (int i = 0; i < block.num_rows; ++i)
      b[i] -= weights[k] / dt * (custom_product(w, block, at, i, buffers.moved_V_WB, u) + rate[i]);
  }
  // At acceleration level nothing is differentiated.
  const ConstraintConfiguration now = show(w, block, t, q);
  model.rates(now, rate);
  for (int i = 0; i < block.num_rows; ++i)
    if (level(block.first_row + i) == RowLevel::acceleration) b[i] = -rate[i];
}

}  // namespace polhode::tree
