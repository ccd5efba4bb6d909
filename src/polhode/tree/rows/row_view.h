#pragma once
#include "polhode/tree/dynamics.h"
#include "polhode/tree/rows/active_rows.h"

namespace polhode::tree {

/// What evaluates rows reads.
struct RowView {
  const RowPlan& plan;
  const ActiveRows& active;

  RowLevel level(int row) const { return active.rows[std::size_t(row)].level; }
  bool is_holonomic(int row) const { return level(row) == RowLevel::position; }
  const Mechanism& mechanism() const { return plan.mechanism; }
};

/// Where errors and the Jacobian's values go; a null pointer for what is not asked for.
struct RowOutput {
  double *h, *values;
};

/// The frame of a side in Ground, or only its origin.
POLHODE_INLINE Transform<double> pose_of(const RowSide& side, const Workspace& w, bool with_axes) {
  const Transform<double>& X_WM = w.constraint.X_WM[side.body];
  return with_axes ? X_WM * side.X_MF : Transform<double>{{}, X_WM * side.X_MF.p};
}

}  // namespace polhode::tree
