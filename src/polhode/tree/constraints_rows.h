#pragma once
#include "polhode/mechanism/constraints/loop_joint.h"
#include "polhode/tree/constraints.h"

namespace polhode::tree {

/// Evaluates a constraint between frames, whose poses are X[0], X[1] and, for a case, X[2]; gives the number of its rows.
template <class T>
int frame_rows(const Constraint& constraint, const Transform<T>* X, FrameRow<T>* rows) {
  return std::visit(
      [&](const auto& model) {
        using Model = std::remove_cvref_t<decltype(model)>;
        if constexpr (FrameConstraint<Model>) {
          model.evaluate(X[0], X[1], rows);
          return int(Model::num_rows);
        } else if constexpr (CaseConstraint<Model>) {
          model.evaluate(X[0], X[1], X[2], rows);
          return int(Model::num_rows);
        } else {
          return 0;
        }
      },
      constraint.model);
}

POLHODE_INLINE Transform<double> Constraints::pose_of(const Side& side, const Workspace& w, bool with_axes) {
  const Transform<double>& X_WM = w.constraint.X_WM[side.body];
  return with_axes ? X_WM * side.X_MF : Transform<double>{{}, X_WM * side.X_MF.p};
}

template <class T>
POLHODE_INLINE void Constraints::rows_of(const Block& block, bool of_joint, const Transform<T>* X, FrameRow<T>* rows) const {
  if (of_joint) {
    const LoopJoint& joint = mechanism_.loop_joints()[block.source];
    joint_rows(joint.model, joint.reversed, X[0], X[1], rows);
  } else {
    const Constraint* const constraints = &mechanism_.constraints()[block.source];
    for (int i = 0; i < block.num_sources; ++i) rows += frame_rows(constraints[i], X, rows);
  }
}

}  // namespace polhode::tree
