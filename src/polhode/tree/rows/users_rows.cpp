#include "polhode/tree/rows/users_rows.h"

#include <algorithm>

#include "polhode/tree/rows/path_sums.h"
#include "polhode/tree/rows/users_kernel.h"

namespace polhode::tree::users_rows {
namespace {

void evaluate_block(const RowView& view, Workspace& w, const RowBlock& block, double t, Numbers q, const RowOutput& out) {
  const CustomConstraint& model = model_of(view, block);
  const ConstraintConfiguration at = show(view, w, block, t, q);
  if (out.h != nullptr) {
    model.errors(at, {out.h + block.first_row, std::size_t(block.num_rows)});
    for (int row = block.first_row; row < block.first_row + block.num_rows; ++row)
      if (!view.is_holonomic(row)) out.h[row] = 0;
  }
  if (out.values == nullptr) return;
  for (int row = 0; row < block.num_rows; ++row) {
    const ConstraintGradient gradient = gradient_of(view, w, block, at, row);
    RowBlock one = block;
    one.num_rows = 1;
    one.first_value += row * block.width;
    bool can_change = false;
    for (int i = 0; i < block.num_sides; ++i)
      add_side(view, w, one, view.plan.sides[block.first_side + i], at.X_WB[i].p, out.values, &can_change,
               [&](int) -> const Wrench<double>& { return gradient.on_body[i]; });
    for (int i = 0; i < block.num_direct; ++i) {
      out.values[one.first_value + view.plan.direct[block.first_direct + i]] += gradient.on_speed[i];
      can_change = can_change || gradient.on_speed[i] != 0;
    }
    drop_rows(one, &can_change, out.values);
  }
}

}  // namespace

void evaluate(const RowView& view, Workspace& w, double t, Numbers q, const RowOutput& out) {
  for (const RowBlock& block : view.active.users_blocks) evaluate_block(view, w, block, t, q, out);
}

void rates(const RowView& view, Workspace& w, double t, Numbers q, NumbersOut h_t) {
  for (const RowBlock& block : view.active.users_blocks) {
    model_of(view, block).rates(show(view, w, block, t, q), h_t.subspan(block.first_row, block.num_rows));
    for (int row = block.first_row; row < block.first_row + block.num_rows; ++row)
      if (view.level(row) == RowLevel::acceleration) h_t[row] = 0;
  }
}

void multiply(const RowView& view, Workspace& w, double t, Numbers q, Numbers u, NumbersOut out) {
  for (const RowBlock& block : view.active.users_blocks) {
    const ConstraintConfiguration at = show(view, w, block, t, q);
    show_motion(view, w, block);
    for (int i = 0; i < block.num_rows; ++i) out[block.first_row + i] = product(view, w, block, at, i, w.constraint.V_WB, u);
  }
}

void add_rates(const RowView& view, Workspace& w, double t, Numbers q, NumbersOut e) {
  for (const RowBlock& block : view.active.users_blocks) {
    const auto rate = std::span(w.constraint.row_numbers).first(block.num_rows);
    model_of(view, block).rates(show(view, w, block, t, q), rate);
    for (int i = 0; i < block.num_rows; ++i) e[block.first_row + i] += rate[i];
  }
}

void add_loads(const RowView& view, Workspace& w, double t, Numbers q, Numbers lambda, NumbersOut tau) {
  for (const RowBlock& block : view.active.users_blocks) {
    const ConstraintConfiguration at = show(view, w, block, t, q);
    for (int row = 0; row < block.num_rows; ++row) {
      const ConstraintGradient gradient = gradient_of(view, w, block, at, row);
      const double factor = lambda[block.first_row + row];
      for (int i = 0; i < block.num_sides; ++i) {
        const int body = view.plan.sides[block.first_side + i].body;
        const Vec3<double> r = at.X_WB[i].p - w.constraint.X_WM[body].p;
        w.constraint.F[body] += shifted_back(factor * gradient.on_body[i], r);
      }
      for (int i = 0; i < block.num_direct; ++i) tau[direct_speed(view, block, i)] += factor * gradient.on_speed[i];
    }
  }
}

}  // namespace polhode::tree::users_rows
