// The accelerations' bias of users' rows.
#include <algorithm>

#include "polhode/spatial/rotation.h"
#include "polhode/tree/rows/users_kernel.h"
#include "polhode/tree/rows/users_rows.h"

namespace polhode::tree::users_rows {
namespace {

/// The same frame after it has moved with V for the time dt.
Transform<double> moved(const Transform<double>& X, const Motion<double>& V, double dt) {
  const double speed = norm(V.angular);
  const Mat3<double> turn = speed > 0 ? rotation_about((1 / speed) * V.angular, speed * dt) : Mat3<double>::identity();
  return {turn * X.R, X.p + dt * V.linear};
}

/// d/dt of gradient . (V, u) + rate at du/dt = 0 from its values at -2, -1, 1, 2 times dt, along a motion that has the right
/// velocities now; how it bends is nothing to a first derivative. With dt = 5e-4 over the fastest turning (and of time itself)
/// truncation dt^4/30 and rounding eps/dt are both about 1e-12.
void differences(const RowView& view, Workspace& w, const RowBlock& block, double t, Numbers q, Numbers u, NumbersOut b) {
  auto& buffers = w.constraint;
  const CustomConstraint& model = model_of(view, block);
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
    const ConstraintConfiguration at{view.mechanism(), t + step, buffers.moved_q, X_WB};
    model.rates(at, rate);
    for (int i = 0; i < block.num_rows; ++i)
      b[i] -= weights[k] / dt * (product(view, w, block, at, i, buffers.moved_V_WB, u) + rate[i]);
  }
  // At acceleration level nothing is differentiated.
  const ConstraintConfiguration now = show(view, w, block, t, q);
  model.rates(now, rate);
  for (int i = 0; i < block.num_rows; ++i)
    if (view.level(block.first_row + i) == RowLevel::acceleration) b[i] = -rate[i];
}

void bias_of_block(const RowView& view, Workspace& w, const RowBlock& block, double t, Numbers q, Numbers u, NumbersOut b) {
  const ConstraintConfiguration at = show(view, w, block, t, q);
  show_motion(view, w, block);
  const auto& buffers = w.constraint;
  const std::size_t n = std::size_t(block.num_sides);
  const ConstraintMotion motion{u, buffers.q_dot, std::span(buffers.V_WB).first(n), std::span(buffers.A_WB).first(n)};
  const NumbersOut out = b.subspan(block.first_row, block.num_rows);
  if (!model_of(view, block).acceleration_bias(at, motion, out)) differences(view, w, block, t, q, u, out);
}

}  // namespace

void acceleration_bias(const RowView& view, Workspace& w, double t, Numbers q, Numbers u, NumbersOut b) {
  if (view.active.users_blocks.empty()) return;
  coordinate_rates(view.mechanism(), q, u, w.constraint.q_dot);
  for (const RowBlock& block : view.active.users_blocks) bias_of_block(view, w, block, t, q, u, b);
}

}  // namespace polhode::tree::users_rows
