#pragma once
#include <algorithm>

#include "polhode/tree/rows/row_view.h"

namespace polhode::tree {

/// A row that no speed changes by more than this, relative to the sum of what is added up for it before anything cancels, is
/// redundant: its derivatives are zero. A door on two hinges has five such rows if both hinges have one axis. Axes that were
/// typed with six digits miss each other by some 1e-6, angles like 1.5708 by 4e-6.
inline constexpr double redundant_row = 2e-5;

/// For each speed on a side's path, adds to each row the power of its wrench, at the point p_W, per unit speed.
///
/// What is nothing but rounding is zero: the power of a force across a plane with a motion in it, or of a force on an axis with
/// a turn about it. Rounding is judged by what was added up, before anything cancelled: moments and forces by turns and
/// motions, the arms as long as they are, for those of a body on the axis cancel in the cross product, and the places that arms
/// are differences of. Rows of such numbers only, as redundant ones have, would otherwise be taken for equations.
template <class WrenchOfRow>
POLHODE_INLINE void add_side(const RowView& view, const Workspace& w, const RowBlock& block, const RowSide& side,
                             const Vec3<double>& p_W, double* values, bool* can_change, const WrenchOfRow& wrench) {
  constexpr double rounding2 = 1e-26, redundant2 = redundant_row * redundant_row;
  double* const block_values = values + block.first_value;
  const double body_size = view.plan.body_size;
  const double place2 = dot(p_W, p_W), least_arm2 = 1e-6 * body_size * body_size;
  double moment2[most_block_rows], force2[most_block_rows];
  for (int row = 0; row < block.num_rows; ++row) {
    const Wrench<double>& F = wrench(row);
    moment2[row] = dot(F.moment, F.moment);
    force2[row] = dot(F.force, F.force);
  }
  for (int i = side.first_path; i < side.last_path; ++i) {
    const PathSpeed& path = view.plan.path[i];
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
inline void drop_rows(const RowBlock& block, const bool* can_change, double* values) {
  for (int row = 0; row < block.num_rows; ++row)
    if (!can_change[row]) std::fill_n(values + block.first_value + row * block.width, block.width, 0.0);
}

}  // namespace polhode::tree
