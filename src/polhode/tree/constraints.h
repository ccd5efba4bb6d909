#pragma once
#include <span>
#include <string>
#include <vector>

#include "polhode/tree/dynamics.h"

namespace polhode::tree {

/// All constraint equations h(t, q) = 0 of a mechanism in tree coordinates: first those of the joints that close loops, then
/// the declared constraints. Every method reads its rows here; what a row is, is written once in mechanism/constraints/.
///
///   errors()    h
///   jacobian()  G with dh/dt = G u + h_t, sparse: row i has the speeds columns(i), its numbers start at values[row_start(i)]
///   rates()     h_t, zero but for users' constraints that depend on time explicitly
///
/// The pattern is fixed: it has every speed on the tree path between the two bodies, up to but not including their outmost
/// common ancestor where nothing outside of that path can matter. Evaluation needs positions(w, q) or kinematics(w, q, u)
/// before it, reads only the bodies that it touches, and does not allocate. A Constraints is immutable: threads may share it.
class Constraints {
 public:
  explicit Constraints(const Mechanism& mechanism);

  const Mechanism& mechanism() const { return mechanism_; }
  int num_rows() const { return int(rows_.size()); }
  int num_entries() const { return int(columns_.size()); }

  /// The pattern as compressed rows: num_rows + 1 starts, and the speeds of all rows, sorted within each.
  std::span<const int> row_starts() const { return row_starts_; }
  std::span<const int> columns() const { return columns_; }
  std::span<const int> columns(int row) const {
    return std::span<const int>(columns_).subspan(row_starts_[row], row_starts_[row + 1] - row_starts_[row]);
  }

  void errors(Workspace& w, double t, Numbers q, NumbersOut h) const;
  void jacobian(Workspace& w, double t, Numbers q, NumbersOut values) const;
  /// Both at once, which costs less than one after the other.
  void errors_and_jacobian(Workspace& w, double t, Numbers q, NumbersOut h, NumbersOut values) const;
  void rates(Workspace& w, double t, Numbers q, NumbersOut h_t) const;

  /// out = G u, and out += G^T lambda, from the Jacobian's values.
  void multiply(Numbers values, Numbers u, NumbersOut out) const;
  void add_transpose(Numbers values, Numbers lambda, NumbersOut out) const;

  /// Who the row belongs to, `wire "hip" "knee"` or `joint "pin4"`, and which of its owner's rows it is, from 0.
  const std::string& owner(int row) const { return owners_[rows_[row].owner]; }
  int row_of_owner(int row) const { return rows_[row].number; }
  /// The owner, with ` row 2` (from 1) where it has more than one.
  std::string row_name(int row) const;
  /// False for rows that hold velocities only: their error is zero by definition, only G means something.
  bool is_holonomic(int row) const { return rows_[row].holonomic; }
  /// The first row that holds velocities only, or -1.
  int first_nonholonomic() const;

 private:
  struct Row {
    int owner, number;
    bool holonomic;
  };
  /// A speed that moves a body, its hinge column being that of body `driven`; its place within the rows of a block.
  struct PathSpeed {
    int speed, driven, place;
  };
  /// A body that rows act on, at the frame X_MF (in the kernels' frame of the body).
  struct Side {
    int body;
    Transform<double> X_MF;
    int first_path, last_path;
  };
  /// Rows of one owner, or of several in a row between the same two frames. They share their pattern, so their numbers are a
  /// dense num_rows x width block.
  struct Block {
    int source, num_sources;  ///< which of loop_joints() or constraints()
    int first_row, num_rows, first_value, width, first_side, num_sides, first_direct, num_direct;
    bool uses_axes;  ///< reads rotations of frames, not only origins
  };
  /// Rows that are linear in coordinates: their derivatives are known once and for all.
  struct LinearRow {
    int row, first_term, last_term;
    double constant;
  };
  struct LinearTerm {
    int q;
    double coefficient;
  };
  struct Output;
  class Planner;

  void evaluate(Workspace& w, double t, Numbers q, const Output& out) const;
  void evaluate_linear_rows(Numbers q, const Output& out) const;
  static constexpr int most_rows = 6;  ///< of a block between two frames
  template <class WrenchOfRow>
  void add_side(const Workspace& w, const Block& block, const Side& side, const Vec3<double>& p_W, double* values,
                const WrenchOfRow& wrench) const;
  static Transform<double> pose_of(const Side& side, const Workspace& w, bool with_axes);
  template <class Rows>
  void evaluate_frames(Workspace& w, const Block& block, const Output& out, const Rows& rows_at) const;
  void evaluate_custom(Workspace& w, const Block& block, double t, Numbers q, const Output& out) const;
  ConstraintConfiguration show(Workspace& w, const Block& block, double t, Numbers q) const;

  Mechanism mechanism_;
  std::vector<std::string> owners_;
  std::vector<Row> rows_;
  std::vector<int> row_starts_, columns_;
  std::vector<Block> joint_blocks_, frame_blocks_, custom_blocks_;
  std::vector<Side> sides_;
  std::vector<PathSpeed> path_;
  std::vector<int> direct_;  ///< places of the speeds that users' constraints named
  std::vector<LinearRow> linear_rows_;
  std::vector<LinearTerm> linear_terms_;
  std::vector<int> touched_bodies_, moved_bodies_, moving_speeds_;  ///< what errors() reads, and what jacobian() reads
};

}  // namespace polhode::tree
