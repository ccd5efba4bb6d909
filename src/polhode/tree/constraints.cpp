#include "polhode/tree/constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/mechanism/constraints/loop_joint.h"
#include "polhode/tree/constraints_planner.h"
#include "polhode/tree/constraints_rows.h"
#include "polhode/tree/kernels/kernels.h"

namespace polhode::tree {
namespace {

void require_size(std::size_t given, int wanted, const char* what) {
  if (given != std::size_t(wanted))
    throw std::invalid_argument(fmt::format("{}: {} numbers given, {} needed", what, given, wanted));
}

}  // namespace

/// Where results go; a null pointer for what is not asked for.
struct Constraints::Output {
  double *h, *values;
};

Constraints::Constraints(const Mechanism& mechanism, std::span<const char> enabled) : mechanism_(mechanism) {
  if (!enabled.empty()) require_size(enabled.size(), mechanism.num_constraint_elements(), "enabled constraints");
  Planner(*this, enabled).plan();
}

int Constraints::num_rows(RowLevel level) const {
  return int(std::count_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.level == level; }));
}

std::string Constraints::row_name(int row) const {
  const Row& r = rows_[row];
  const bool alone = r.number == 0 && (row + 1 == num_rows() || rows_[row + 1].owner != r.owner);
  return alone ? owners_[r.owner] : fmt::format("{} row {}", owners_[r.owner], r.number + 1);
}

int Constraints::first_nonholonomic() const {
  const auto it = std::find_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.level != RowLevel::position; });
  return it == rows_.end() ? -1 : int(it - rows_.begin());
}

void Constraints::errors(Workspace& w, double t, Numbers q, NumbersOut h) const {
  require_size(h.size(), num_rows(), "constraint errors");
  evaluate(w, t, q, {h.data(), nullptr});
}

void Constraints::jacobian(Workspace& w, double t, Numbers q, NumbersOut values) const {
  require_size(values.size(), num_entries(), "constraint Jacobian");
  evaluate(w, t, q, {nullptr, values.data()});
}

void Constraints::errors_and_jacobian(Workspace& w, double t, Numbers q, NumbersOut h, NumbersOut values) const {
  require_size(h.size(), num_rows(), "constraint errors");
  require_size(values.size(), num_entries(), "constraint Jacobian");
  evaluate(w, t, q, {h.data(), values.data()});
}

void Constraints::evaluate(Workspace& w, double t, Numbers q, const Output& out) const {
  require_size(q.size(), mechanism_.num_q(), "coordinates");
  auto& buffers = w.constraint;
  w.kernels().read_poses(w.tree(), w.block(), out.values != nullptr ? moved_bodies_ : touched_bodies_, buffers.X_WM.data());
  if (out.values != nullptr) {
    w.kernels().read_columns(w.tree(), w.block(), moving_speeds_, buffers.H.data());
    std::fill_n(out.values, num_entries(), 0.0);  // sides whose paths meet add up
  }
  evaluate_linear_rows(t, q, out);
  for (const Block& block : joint_blocks_)
    evaluate_frames(w, block, out, [&](const Transform<double>* X, FrameRow<double>* rows) { rows_of(block, true, X, rows); });
  for (const Block& block : frame_blocks_)
    evaluate_frames(w, block, out, [&](const Transform<double>* X, FrameRow<double>* rows) { rows_of(block, false, X, rows); });
  for (const Block& block : custom_blocks_) evaluate_custom(w, block, t, q, out);
}

void Constraints::evaluate_linear_rows(double t, Numbers q, const Output& out) const {
  for (const LinearRow& row : linear_rows_) {
    if (out.h != nullptr) {
      double sum = 0;
      if (is_holonomic(row.row)) {
        sum = -right_side(row, t).value;
        for (int i = row.first_term; i < row.last_term; ++i) sum += linear_terms_[i].coefficient * q[linear_terms_[i].q];
      }
      out.h[row.row] = sum;
    }
    if (out.values != nullptr) {
      double* const values = out.values + row_starts_[row.row];
      for (int i = row.first_term; i < row.last_term; ++i) values[i - row.first_term] = linear_terms_[i].coefficient;
    }
  }
}

/// For each speed on a side's path, adds to each row the power of its wrench, at the point p_W, per unit speed.
template <class WrenchOfRow>
POLHODE_INLINE void Constraints::add_side(const Workspace& w, const Block& block, const Side& side, const Vec3<double>& p_W,
                                          double* values, const WrenchOfRow& wrench) const {
  double* const block_values = values + block.first_value;
  for (int i = side.first_path; i < side.last_path; ++i) {
    const PathSpeed& path = path_[i];
    const Motion<double> V = shifted(w.constraint.H[path.speed], p_W - w.constraint.X_WM[path.driven].p);
    const double w2 = dot(V.angular, V.angular), v2 = dot(V.linear, V.linear);
    double* value = block_values + path.place;
    for (int row = 0; row < block.num_rows; ++row, value += block.width) {
      const Wrench<double>& F = wrench(row);
      // A product that is nothing but rounding, as that of a force across a plane with a motion in it, is zero: rows of such
      // products only, as redundant ones have, would otherwise be taken for equations.
      const double product = dot(F, V), size2 = dot(F.moment, F.moment) * w2 + dot(F.force, F.force) * v2;
      if (product * product > 1e-26 * size2) *value += product;
    }
  }
}

template <class Rows>
POLHODE_INLINE void Constraints::evaluate_frames(Workspace& w, const Block& block, const Output& out,
                                                 const Rows& rows_at) const {
  const Side* const sides = &sides_[block.first_side];
  Transform<double> X[most_sides];
  for (int i = 0; i < block.num_sides; ++i) X[i] = pose_of(sides[i], w, block.uses_axes);
  FrameRow<double> rows[most_rows];
  rows_at(X, rows);
  if (out.h != nullptr)
    for (int i = 0; i < block.num_rows; ++i) out.h[block.first_row + i] = rows[i].value;
  if (out.values == nullptr) return;
  add_side(w, block, sides[0], X[0].p, out.values, [&](int row) -> const Wrench<double>& { return rows[row].on_a; });
  add_side(w, block, sides[1], X[1].p, out.values, [&](int row) -> const Wrench<double>& { return rows[row].on_b; });
}

/// The poses of the bodies that a user's constraint named.
ConstraintConfiguration Constraints::show(Workspace& w, const Block& block, double t, Numbers q) const {
  auto& X_WB = w.constraint.X_WB;
  for (int i = 0; i < block.num_sides; ++i) {
    const Side& side = sides_[block.first_side + i];
    X_WB[i] = w.constraint.X_WM[side.body] * side.X_MF;
  }
  return {mechanism_, t, q, std::span<const Transform<double>>(X_WB).first(block.num_sides)};
}

void Constraints::evaluate_custom(Workspace& w, const Block& block, double t, Numbers q, const Output& out) const {
  const CustomConstraint& model = custom(block);
  const ConstraintConfiguration at = show(w, block, t, q);
  if (out.h != nullptr) {
    model.errors(at, {out.h + block.first_row, std::size_t(block.num_rows)});
    for (int row = block.first_row; row < block.first_row + block.num_rows; ++row)
      if (!is_holonomic(row)) out.h[row] = 0;
  }
  if (out.values == nullptr) return;
  const auto on_body = std::span(w.constraint.on_body).first(block.num_sides);
  const auto on_speed = std::span(w.constraint.on_speed).first(block.num_direct);
  for (int row = 0; row < block.num_rows; ++row) {
    std::fill(on_body.begin(), on_body.end(), Wrench<double>{});
    std::fill(on_speed.begin(), on_speed.end(), 0.0);
    ConstraintGradient gradient{on_body, on_speed, at.X_WB};
    model.gradient(at, row, gradient);
    Block one = block;
    one.num_rows = 1;
    one.first_value += row * block.width;
    for (int i = 0; i < block.num_sides; ++i)
      add_side(w, one, sides_[block.first_side + i], at.X_WB[i].p, out.values,
               [&](int) -> const Wrench<double>& { return on_body[i]; });
    for (int i = 0; i < block.num_direct; ++i) out.values[one.first_value + direct_[block.first_direct + i]] += on_speed[i];
  }
}

void Constraints::rates(Workspace& w, double t, Numbers q, NumbersOut h_t) const {
  require_size(q.size(), mechanism_.num_q(), "coordinates");
  require_size(h_t.size(), num_rows(), "constraint rates");
  std::fill(h_t.begin(), h_t.end(), 0.0);
  for (const LinearRow& row : linear_rows_) {
    const Signal::Sample s = right_side(row, t);
    if (level(row.row) != RowLevel::acceleration) h_t[row.row] = -(is_holonomic(row.row) ? s.rate : s.value);
  }
  if (custom_blocks_.empty()) return;
  w.kernels().read_poses(w.tree(), w.block(), touched_bodies_, w.constraint.X_WM.data());
  for (const Block& block : custom_blocks_) {
    custom(block).rates(show(w, block, t, q), h_t.subspan(block.first_row, block.num_rows));
    for (int row = block.first_row; row < block.first_row + block.num_rows; ++row)
      if (level(row) == RowLevel::acceleration) h_t[row] = 0;
  }
}

std::vector<double> Constraints::matrix(Workspace& w, double t, Numbers q, std::optional<RowLevel> wanted) const {
  std::vector<double> values(row_starts_.back()), G;
  jacobian(w, t, q, values);
  for (int row = 0; row < num_rows(); ++row) {
    if (wanted && level(row) != *wanted) continue;
    const std::size_t start = G.size();
    G.resize(start + std::size_t(mechanism_.num_u()));
    for (int i = row_starts_[row]; i < row_starts_[row + 1]; ++i) G[start + std::size_t(columns_[i])] = values[i];
  }
  return G;
}

void Constraints::multiply(Numbers values, Numbers u, NumbersOut out) const {
  require_size(values.size(), num_entries(), "constraint Jacobian");
  require_size(u.size(), mechanism_.num_u(), "speeds");
  require_size(out.size(), num_rows(), "constraint rates");
  for (int row = 0; row < num_rows(); ++row) {
    double sum = 0;
    for (int i = row_starts_[row]; i < row_starts_[row + 1]; ++i) sum += values[i] * u[columns_[i]];
    out[row] = sum;
  }
}

void Constraints::add_transpose(Numbers values, Numbers lambda, NumbersOut out) const {
  require_size(values.size(), num_entries(), "constraint Jacobian");
  require_size(lambda.size(), num_rows(), "multipliers");
  require_size(out.size(), mechanism_.num_u(), "generalized forces");
  for (int row = 0; row < num_rows(); ++row)
    for (int i = row_starts_[row]; i < row_starts_[row + 1]; ++i) out[columns_[i]] += lambda[row] * values[i];
}

}  // namespace polhode::tree
