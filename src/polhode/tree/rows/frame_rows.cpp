#include "polhode/tree/rows/frame_rows.h"

#include "polhode/tree/rows/frame_kernel.h"
#include "polhode/tree/rows/path_sums.h"

namespace polhode::tree::frame_rows {
namespace {

const RowSide* sides_of(const RowView& view, const RowBlock& block) { return &view.plan.sides[block.first_side]; }

/// The poses of a block's frames and its rows there.
template <class RowsOf>
POLHODE_INLINE void place(const RowView& view, const Workspace& w, const RowBlock& block, const RowsOf& rows_of,
                          Transform<double>* X, FrameRow<double>* rows) {
  const RowSide* const sides = sides_of(view, block);
  for (int i = 0; i < block.num_sides; ++i) X[i] = pose_of(sides[i], w, block.uses_axes);
  rows_of(view.mechanism(), block, X, rows);
}

template <class RowsOf>
POLHODE_INLINE void evaluate_block(const RowView& view, Workspace& w, const RowBlock& block, const RowOutput& out,
                                   const RowsOf& rows_of) {
  Transform<double> X[most_block_sides];
  FrameRow<double> rows[most_block_rows];
  place(view, w, block, rows_of, X, rows);
  if (out.h != nullptr)
    for (int i = 0; i < block.num_rows; ++i) out.h[block.first_row + i] = rows[i].value;
  if (out.values == nullptr) return;
  const RowSide* const sides = sides_of(view, block);
  bool can_change[most_block_rows] = {};
  add_side(view, w, block, sides[0], X[0].p, out.values, can_change,
           [&](int row) -> const Wrench<double>& { return rows[row].on_a; });
  add_side(view, w, block, sides[1], X[1].p, out.values, can_change,
           [&](int row) -> const Wrench<double>& { return rows[row].on_b; });
  drop_rows(block, can_change, out.values);
}

}  // namespace

void evaluate(const RowView& view, Workspace& w, const RowOutput& out) {
  for (const RowBlock& block : view.active.joint_blocks) evaluate_block(view, w, block, out, OfJoint{});
  for (const RowBlock& block : view.active.frame_blocks) evaluate_block(view, w, block, out, OfConstraints{});
}

void gaps(const RowView& view, const Workspace& w, double gap, NumbersOut allowed) {
  for_each_block(view.active, [&](const RowBlock& block, const auto& rows_of) {
    Transform<double> X[most_block_sides];
    FrameRow<double> rows[most_block_rows];
    place(view, w, block, rows_of, X, rows);
    for (int i = 0; i < block.num_rows; ++i)
      allowed[block.first_row + i] = gap * (norm(rows[i].on_b.moment) + norm(rows[i].on_b.force) * view.plan.body_size);
  });
}

void multiply(const RowView& view, const Workspace& w, NumbersOut out) {
  for_each_block(view.active, [&](const RowBlock& block, const auto& rows_of) {
    Transform<double> X[most_block_sides];
    FrameRow<double> rows[most_block_rows];
    place(view, w, block, rows_of, X, rows);
    const RowSide* const sides = sides_of(view, block);
    Motion<double> V[2];
    for (int i = 0; i < 2; ++i) V[i] = shifted(w.constraint.V_WM[sides[i].body], X[i].p - w.constraint.X_WM[sides[i].body].p);
    for (int i = 0; i < block.num_rows; ++i) out[block.first_row + i] = dot(rows[i].on_a, V[0]) + dot(rows[i].on_b, V[1]);
  });
}

void add_loads(const RowView& view, Workspace& w, Numbers lambda) {
  const auto load = [&](const RowSide& side, const Vec3<double>& p_W, const Wrench<double>& F) {
    w.constraint.F[side.body] += shifted_back(F, p_W - w.constraint.X_WM[side.body].p);
  };
  for_each_block(view.active, [&](const RowBlock& block, const auto& rows_of) {
    Transform<double> X[most_block_sides];
    FrameRow<double> rows[most_block_rows];
    place(view, w, block, rows_of, X, rows);
    Wrench<double> on_a{}, on_b{};
    for (int i = 0; i < block.num_rows; ++i) {
      on_a += lambda[block.first_row + i] * rows[i].on_a;
      on_b += lambda[block.first_row + i] * rows[i].on_b;
    }
    const RowSide* const sides = sides_of(view, block);
    load(sides[0], X[0].p, on_a);
    load(sides[1], X[1].p, on_b);
  });
}

}  // namespace polhode::tree::frame_rows
