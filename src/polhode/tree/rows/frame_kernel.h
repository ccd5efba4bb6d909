#pragma once
#include "polhode/mechanism/constraints/loop_joint.h"
#include "polhode/tree/rows/row_view.h"

namespace polhode::tree::frame_rows {

/// Evaluates a constraint between frames, whose poses are X[0], X[1] and, for a case, X[2]; gives the number of its rows.
template <class T>
int rows_of_constraint(const Constraint& constraint, const Transform<T>* X, FrameRow<T>* rows) {
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

/// The rows of a block of joints.
struct OfJoint {
  template <class T>
  POLHODE_INLINE void operator()(const Mechanism& m, const RowBlock& block, const Transform<T>* X, FrameRow<T>* rows) const {
    const LoopJoint& joint = m.loop_joints()[block.source];
    joint_rows(joint.model, joint.reversed, X[0], X[1], rows);
  }
};
/// The rows of a block of constraints between the same frames.
struct OfConstraints {
  template <class T>
  POLHODE_INLINE void operator()(const Mechanism& m, const RowBlock& block, const Transform<T>* X, FrameRow<T>* rows) const {
    const Constraint* const constraints = &m.constraints()[block.source];
    for (int i = 0; i < block.num_sources; ++i) rows += rows_of_constraint(constraints[i], X, rows);
  }
};

/// Calls work(block, rows_of) for all blocks, joints first.
template <class Work>
POLHODE_INLINE void for_each_block(const ActiveRows& active, const Work& work) {
  for (const RowBlock& block : active.joint_blocks) work(block, OfJoint{});
  for (const RowBlock& block : active.frame_blocks) work(block, OfConstraints{});
}

}  // namespace polhode::tree::frame_rows
