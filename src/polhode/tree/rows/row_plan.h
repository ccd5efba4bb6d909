#pragma once
#include <memory>
#include <string>
#include <vector>

#include "polhode/mechanism/mechanism.h"

namespace polhode::tree {

/// Of rows between frames that are evaluated together.
inline constexpr int most_block_rows = 6, most_block_sides = 3;

/// A speed that moves a body, its hinge column being that of body `driven`; its place within the rows of an element, and
/// whether no other side of the element adds to that place after this one.
struct PathSpeed {
  int speed, driven, place;
  bool last;
};
/// A body that rows act on, at the frame X_MF (in the kernels' frame of the body). The speeds between it and the ancestor move
/// it.
struct RowSide {
  int body, ancestor;
  Transform<double> X_MF;
  int first_path, last_path;
};
struct LinearTerm {
  int q, u;
  double coefficient;
  int function;  ///< of functions, or -1: the coordinate itself
};

/// The rows of one element: a joint that closes a loop, or a constraint. They share their pattern, so their numbers are a dense
/// num_rows x width block.
struct ElementRows {
  enum class Kind : char { joint, frames, linear, users };
  Kind kind = Kind::joint;
  RowSense sense = RowSense::equal;
  int source = 0;  ///< which of loop_joints() or constraints()
  int first_level = 0, num_rows = 0, first_column = 0, width = 0, first_side = 0, num_sides = 0, first_direct = 0,
      num_direct = 0;
  bool uses_axes = true;      ///< reads rotations of frames, not only origins
  bool shares_sides = false;  ///< with the element before it, which is between the same frames
  // Of a linear row, whose derivatives are known once and for all.
  int first_term = 0, last_term = 0;
  double constant = 0;
  int signal = -1;  ///< of signals, or -1: constant
};

/// How the rows of a mechanism are laid out, those of elements that a State disables included: which speeds each depends on,
/// through which bodies, and who owns it. Made once and never changed; which elements are active is for ActiveRows.
struct RowPlan {
  explicit RowPlan(const Mechanism& m) : mechanism(m) {}

  Mechanism mechanism;
  std::vector<ElementRows> elements;  ///< loop joints first, then constraints
  std::vector<std::string> owners;    ///< by element
  std::vector<RowLevel> levels;       ///< of all rows, element after element
  std::vector<int> columns;           ///< by element: the speeds of each of its rows, sorted
  std::vector<RowSide> sides;
  std::vector<PathSpeed> path;
  std::vector<int> direct;  ///< places of the speeds that users' constraints named
  std::vector<LinearTerm> linear_terms;
  std::vector<Signal> signals;
  std::vector<Curve> functions;
  int num_entries = 0;   ///< of the Jacobian with all elements active
  double body_size = 0;  ///< of the largest body [m]

  int num_rows() const { return int(levels.size()); }
};

std::shared_ptr<const RowPlan> plan_rows(const Mechanism& mechanism);

}  // namespace polhode::tree
