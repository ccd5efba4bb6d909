#pragma once
#include <span>
#include <vector>

#include "polhode/tree/rows/row_plan.h"

namespace polhode::tree {

/// Rows of one element, or of several in a row between the same two frames: poses and velocities are computed once for all of
/// them. Their numbers are a dense num_rows x width block.
struct RowBlock {
  int source, num_sources;  ///< which of loop_joints() or constraints()
  int first_row, num_rows, first_value, width, first_column, first_side, num_sides, first_direct, num_direct;
  bool uses_axes;  ///< reads rotations of frames, not only origins
};
struct LinearRow {
  int row, first_term, last_term;
  double constant;
  int signal;  ///< of the plan's signals, or -1: constant
};
/// A body on the path of some side: what sweeps over rows go over, in tree order. Rows cannot tell how what is below its path
/// moves, so that counts as resting.
struct Carrier {
  int body, parent;  ///< parent: -1 when it is none of the carriers
  int first_u, nu;
};

/// Which rows of a plan are active, how these are numbered, and what has to be read to evaluate them.
///
/// Whoever works with rows sees active ones only, numbered from 0: a row that is switched off costs nothing. Switching writes
/// the numbers below anew into memory that was reserved for all rows; it allocates nothing (of a copy, which reserves nothing,
/// the first time it may).
struct ActiveRows {
  /// None is active to begin with.
  explicit ActiveRows(const RowPlan& plan);
  /// enabled: by element, as State::enabled(); nothing means all of them.
  void activate(const RowPlan& plan, std::span<const char> enabled);

  struct Row {
    int element, number;  ///< whose it is, and which of that element's rows
    RowLevel level;
    RowSense sense;
  };
  std::vector<Row> rows;
  std::vector<int> starts, columns;  ///< the Jacobian's pattern as compressed rows
  std::vector<RowBlock> joint_blocks, frame_blocks, users_blocks;
  std::vector<LinearRow> linear_rows;
  std::vector<Carrier> carriers;
  std::vector<int> resting;                                      ///< bodies that rows act on and that are no carriers
  std::vector<int> touched_bodies, moved_bodies, moving_speeds;  ///< what errors read, and what the Jacobian reads

 private:
  void add(const RowPlan& plan, int element);
  void add_block(const RowPlan& plan, const ElementRows& rows, std::vector<RowBlock>& blocks);
  void mark_sides(const RowPlan& plan, const ElementRows& rows);
  void list_what_is_read(const Mechanism& mechanism);

  std::vector<char> is_touched_, is_on_path_;  // by body
};

}  // namespace polhode::tree
