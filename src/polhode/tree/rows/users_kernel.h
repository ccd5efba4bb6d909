#pragma once
#include <algorithm>
#include <memory>

#include "polhode/tree/rows/accelerated.h"
#include "polhode/tree/rows/row_view.h"

/// What a user's constraint is shown, and what it answers.
namespace polhode::tree::users_rows {

inline const CustomConstraint& model_of(const RowView& view, const RowBlock& block) {
  return *std::get<std::shared_ptr<const CustomConstraint>>(view.mechanism().constraints()[block.source].model);
}

/// The speed that the constraint named as its i-th.
inline int direct_speed(const RowView& view, const RowBlock& block, int i) {
  return view.plan.columns[block.first_column + view.plan.direct[block.first_direct + i]];
}

/// The poses of the bodies that it named.
inline ConstraintConfiguration show(const RowView& view, Workspace& w, const RowBlock& block, double t, Numbers q) {
  auto& X_WB = w.constraint.X_WB;
  for (int i = 0; i < block.num_sides; ++i) {
    const RowSide& side = view.plan.sides[block.first_side + i];
    X_WB[i] = w.constraint.X_WM[side.body] * side.X_MF;
  }
  return {view.mechanism(), t, q, std::span<const Transform<double>>(X_WB).first(block.num_sides)};
}

/// Those poses' own velocities.
inline void show_motion(const RowView& view, Workspace& w, const RowBlock& block) {
  for (int i = 0; i < block.num_sides; ++i) {
    const RowSide& side = view.plan.sides[block.first_side + i];
    const Vec3<double> r = w.constraint.X_WM[side.body].R * side.X_MF.p;
    w.constraint.V_WB[i] = shifted(w.constraint.V_WM[side.body], r);
    w.constraint.A_WB[i] = accelerated(w.constraint.A_WM[side.body], w.constraint.V_WM[side.body], r);
  }
}

/// The derivative of one row, in the workspace's buffers.
inline ConstraintGradient gradient_of(const RowView& view, Workspace& w, const RowBlock& block,
                                      const ConstraintConfiguration& at, int row) {
  const auto on_body = std::span(w.constraint.on_body).first(block.num_sides);
  const auto on_speed = std::span(w.constraint.on_speed).first(block.num_direct);
  std::fill(on_body.begin(), on_body.end(), Wrench<double>{});
  std::fill(on_speed.begin(), on_speed.end(), 0.0);
  ConstraintGradient gradient{on_body, on_speed, at.X_WB};
  model_of(view, block).gradient(at, row, gradient);
  return gradient;
}

/// gradient . (V, u) of one row.
inline double product(const RowView& view, Workspace& w, const RowBlock& block, const ConstraintConfiguration& at, int row,
                      std::span<const Motion<double>> V_WB, Numbers u) {
  const ConstraintGradient gradient = gradient_of(view, w, block, at, row);
  double sum = 0;
  for (int i = 0; i < block.num_sides; ++i) sum += dot(gradient.on_body[i], V_WB[i]);
  for (int i = 0; i < block.num_direct; ++i) sum += gradient.on_speed[i] * u[direct_speed(view, block, i)];
  return sum;
}

}  // namespace polhode::tree::users_rows
