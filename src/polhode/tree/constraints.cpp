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
///
/// What is nothing but rounding is zero: the power of a force across a plane with a motion in it, or of a force on an axis with
/// a turn about it. Rounding is judged by what was added up, before anything cancelled: moments and forces by turns and
/// motions, the arms as long as they are, for those of a body on the axis cancel in the cross product, and the places that arms
/// are differences of. Rows of such numbers only, as redundant ones have, would otherwise be taken for equations.
template <class WrenchOfRow>
POLHODE_INLINE void Constraints::add_side(const Workspace& w, const Block& block, const Side& side, const Vec3<double>& p_W,
                                          double* values, bool* can_change, const WrenchOfRow& wrench) const {
  constexpr double rounding2 = 1e-26, redundant2 = redundant * redundant;
  double* const block_values = values + block.first_value;
  const double place2 = dot(p_W, p_W), least_arm2 = 1e-6 * body_size_ * body_size_;
  double moment2[most_rows], force2[most_rows];
  for (int row = 0; row < block.num_rows; ++row) {
    const Wrench<double>& F = wrench(row);
    moment2[row] = dot(F.moment, F.moment), force2[row] = dot(F.force, F.force);
  }
  for (int i = side.first_path; i < side.last_path; ++i) {
    const PathSpeed& path = path_[i];
    const Motion<double>& H = w.constraint.H[path.speed];
    const Vec3<double> arm = p_W - w.constraint.X_WM[path.driven].p;
    const Motion<double> V = shifted(H, arm);
    const double turn2 = dot(H.angular, H.angular), arm2 = dot(arm, arm);
    const double move2 = dot(H.linear, H.linear) + turn2 * std::max(arm2, least_arm2), place_move2 = turn2 * (arm2 + place2);
    double* value = block_values + path.place;
    for (int row = 0; row < block.num_rows; ++row, value += block.width) {
      const double sum = *value + dot(wrench(row), V), size2 = moment2[row] * turn2 + force2[row] * move2;
      *value = sum * sum > rounding2 * (size2 + force2[row] * place_move2) ? sum : 0;
      can_change[row] = can_change[row] || (path.last && *value * *value > redundant2 * size2);
    }
  }
}

/// Rows that nothing can change have no derivatives.
void Constraints::drop_rows(const Block& block, const bool* can_change, double* values) {
  for (int row = 0; row < block.num_rows; ++row)
    if (!can_change[row]) std::fill_n(values + block.first_value + row * block.width, block.width, 0.0);
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
  bool can_change[most_rows] = {};
  add_side(w, block, sides[0], X[0].p, out.values, can_change,
           [&](int row) -> const Wrench<double>& { return rows[row].on_a; });
  add_side(w, block, sides[1], X[1].p, out.values, can_change,
           [&](int row) -> const Wrench<double>& { return rows[row].on_b; });
  drop_rows(block, can_change, out.values);
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
    bool can_change = false;
    for (int i = 0; i < block.num_sides; ++i)
      add_side(w, one, sides_[block.first_side + i], at.X_WB[i].p, out.values, &can_change,
               [&](int) -> const Wrench<double>& { return on_body[i]; });
    for (int i = 0; i < block.num_direct; ++i) {
      out.values[one.first_value + direct_[block.first_direct + i]] += on_speed[i];
      can_change = can_change || on_speed[i] != 0;
    }
    drop_rows(one, &can_change, out.values);
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

void Constraints::gaps(Workspace& w, NumbersOut allowed) const {
  require_size(allowed.size(), num_rows(), "gaps");
  std::fill(allowed.begin(), allowed.end(), 0.0);
  w.kernels().read_poses(w.tree(), w.block(), touched_bodies_, w.constraint.X_WM.data());
  const auto of_block = [&](const Block& block, bool of_joint) {
    Transform<double> X[most_sides];
    FrameRow<double> rows[most_rows];
    for (int i = 0; i < block.num_sides; ++i) X[i] = pose_of(sides_[block.first_side + i], w, block.uses_axes);
    rows_of(block, of_joint, X, rows);
    for (int i = 0; i < block.num_rows; ++i)
      allowed[block.first_row + i] = gap * (norm(rows[i].on_b.moment) + norm(rows[i].on_b.force) * body_size_);
  };
  for (const Block& block : joint_blocks_) of_block(block, true);
  for (const Block& block : frame_blocks_) of_block(block, false);
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
