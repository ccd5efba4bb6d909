#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polhode/tree/dynamics.h"

namespace polhode::tree {

/// The constraint equations of a mechanism in tree coordinates: first those of the joints that close loops, then those of the
/// declared constraints, elements that are not enabled left out. Every method reads its rows here; what a row is, is written
/// once in mechanism/constraints/. By the level of a row:
///
///   position      h(t, q) = 0,           dh/dt = G u + h_t
///   velocity      v(t, q, u) = G u + v_t = 0
///   acceleration  G du/dt = b
///
///   errors()             h; zero for the other levels
///   jacobian()           G, sparse: row i has the speeds columns(i), its numbers start at values[row_start(i)]; zero where no
///                        speed changes the row by more than `redundant` of what its wrenches could do
///   rates()              h_t and v_t: of what depends on time explicitly or has a constant term; zero at acceleration level
///   velocity_errors()    dh/dt and v; zero at acceleration level
///   acceleration_bias()  b with G du/dt = b at all levels: b = -(dG/dt u + d(h_t)/dt) for the first two (Simbody theory manual
///   ch. 6)
///
/// The pattern is fixed: it has every speed on the tree path between the two bodies, up to but not including their outmost
/// common ancestor where nothing outside of that path can matter. Evaluation needs positions(w, q) or kinematics(w, q, u)
/// before it, reads only the bodies that it touches, and does not allocate. A Constraints is immutable: threads may share it.
class Constraints {
 public:
  /// A row that no speed changes by more than this, relative to the sum of what is added up for it before anything cancels, is
  /// redundant: its derivatives are zero. A door on two hinges has five such rows if both hinges have one axis. Axes that were
  /// typed with six digits miss each other by some 1e-6, angles like 1.5708 by 4e-6.
  static constexpr double redundant = 2e-5;
  /// The gap that may be left in rows that cannot be met together: this angle, or this part of the largest body.
  static constexpr double gap = 3e-5;

  /// enabled: by element, as State::enabled(); nothing means all of them.
  explicit Constraints(const Mechanism& mechanism, std::span<const char> enabled = {});

  const Mechanism& mechanism() const { return mechanism_; }
  int num_rows() const { return int(rows_.size()); }
  int num_rows(RowLevel level) const;
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
  /// By row: the error that may be left where rows depend on each other and numbers with six digits do not let them be met
  /// together. Zero for rows on coordinates and for users' own.
  void gaps(Workspace& w, NumbersOut allowed) const;
  /// These two need kinematics(w, q, u) with the same q and u.
  void velocity_errors(Workspace& w, double t, Numbers q, Numbers u, NumbersOut e) const;
  void acceleration_bias(Workspace& w, double t, Numbers q, Numbers u, NumbersOut b) const;

  /// Gu = G u, and tau = G^T lambda, by sweeps over the paths that the rows reach, without a matrix: O(n + m).
  void apply(Workspace& w, double t, Numbers q, Numbers u, NumbersOut Gu) const;
  void apply_transpose(Workspace& w, double t, Numbers q, Numbers lambda, NumbersOut tau) const;
  /// The loads of the rows times lambda: wrenches at the bodies' origins in Ground axes, and forces on speeds for rows that act
  /// on coordinates. G^T lambda is what these do together.
  void add_wrenches(Workspace& w, double t, Numbers q, Numbers lambda, std::span<Wrench<double>> on_bodies,
                    NumbersOut on_speeds) const;
  /// G written out, row after row, or only its rows of one level: P, V and A of the Simbody theory manual. For looking at; it
  /// allocates.
  std::vector<double> matrix(Workspace& w, double t, Numbers q, std::optional<RowLevel> level = {}) const;

  /// out = G u, and out += G^T lambda, from the Jacobian's values.
  void multiply(Numbers values, Numbers u, NumbersOut out) const;
  void add_transpose(Numbers values, Numbers lambda, NumbersOut out) const;

  /// Of the largest body: how far its joints and its mass are apart [m].
  double body_size() const { return body_size_; }
  /// Who the row belongs to, `wire "hip" "knee"` or `joint "pin4"`, and which of its owner's rows it is, from 0.
  const std::string& owner(int row) const { return owners_[rows_[row].owner]; }
  int row_of_owner(int row) const { return rows_[row].number; }
  /// The owner, with ` row 2` (from 1) where it has more than one.
  std::string row_name(int row) const;
  RowLevel level(int row) const { return rows_[row].level; }
  bool is_holonomic(int row) const { return rows_[row].level == RowLevel::position; }
  /// Which element of the mechanism the row belongs to: loop joints first, then constraints.
  int element(int row) const { return rows_[row].element; }

 private:
  struct Row {
    int element, owner, number;
    RowLevel level;
  };
  /// A speed that moves a body, its hinge column being that of body `driven`; its place within the rows of a block, and whether
  /// no other side of the block adds to that place after this one.
  struct PathSpeed {
    int speed, driven, place;
    bool last;
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
  /// Rows that are linear in coordinates or speeds: their derivatives are known once and for all.
  struct LinearRow {
    int row, first_term, last_term;
    double constant;
    int signal;  ///< of signals_, or -1: constant
  };
  struct LinearTerm {
    int q, u;
    double coefficient;
  };
  /// A body on the path of some side: what the sweeps of apply() and apply_transpose() go over, in tree order. Rows cannot tell
  /// how what is below its path moves, so that counts as resting.
  struct Carrier {
    int body, parent;  ///< parent: -1 when it is none of the carriers
    int first_u, nu;
  };
  struct Output;
  class Planner;

  void evaluate(Workspace& w, double t, Numbers q, const Output& out) const;
  void evaluate_linear_rows(double t, Numbers q, const Output& out) const;
  static constexpr int most_rows = 6, most_sides = 3;  ///< of a block between frames
  template <class WrenchOfRow>
  void add_side(const Workspace& w, const Block& block, const Side& side, const Vec3<double>& p_W, double* values,
                bool* can_change, const WrenchOfRow& wrench) const;
  static void drop_rows(const Block& block, const bool* can_change, double* values);
  static Transform<double> pose_of(const Side& side, const Workspace& w, bool with_axes);
  template <class Rows>
  void evaluate_frames(Workspace& w, const Block& block, const Output& out, const Rows& rows_at) const;
  void evaluate_custom(Workspace& w, const Block& block, double t, Numbers q, const Output& out) const;
  ConstraintConfiguration show(Workspace& w, const Block& block, double t, Numbers q) const;
  const CustomConstraint& custom(const Block& block) const {
    return *std::get<std::shared_ptr<const CustomConstraint>>(mechanism_.constraints()[block.source].model);
  }

  // constraints_motion.cpp
  Signal::Sample right_side(const LinearRow& row, double t) const;
  void read_velocities(Workspace& w) const;
  void sweep_velocities(Workspace& w, Numbers u) const;
  void sweep_bias_accelerations(Workspace& w) const;
  void load_bodies(Workspace& w, double t, Numbers q, Numbers lambda, NumbersOut tau) const;
  template <class T>
  void rows_of(const Block& block, bool of_joint, const Transform<T>* X, FrameRow<T>* rows) const;
  void multiply_moving(Workspace& w, double t, Numbers q, Numbers u, NumbersOut out) const;
  void show_motion(Workspace& w, const Block& block) const;
  double custom_product(Workspace& w, const Block& block, const ConstraintConfiguration& at, int row,
                        std::span<const Motion<double>> V_WB, Numbers u) const;
  void joint_bias(Workspace& w, const Block& block, NumbersOut b) const;
  void frame_bias(Workspace& w, const Block& block, NumbersOut b) const;
  void custom_bias(Workspace& w, const Block& block, double t, Numbers q, Numbers u, NumbersOut b) const;
  void differences_of_custom(Workspace& w, const Block& block, double t, Numbers q, Numbers u, NumbersOut b) const;

  Mechanism mechanism_;
  std::vector<std::string> owners_;
  std::vector<Row> rows_;
  std::vector<int> row_starts_, columns_;
  double body_size_ = 0;  ///< of the largest body [m]
  std::vector<Block> joint_blocks_, frame_blocks_, custom_blocks_;
  std::vector<Side> sides_;
  std::vector<PathSpeed> path_;
  std::vector<int> direct_;  ///< places of the speeds that users' constraints named
  std::vector<LinearRow> linear_rows_;
  std::vector<LinearTerm> linear_terms_;
  std::vector<Signal> signals_;
  std::vector<Carrier> carriers_;
  std::vector<int> resting_;                                        ///< bodies that rows act on and that are no carriers
  std::vector<int> touched_bodies_, moved_bodies_, moving_speeds_;  ///< what errors() reads, and what jacobian() reads
};

}  // namespace polhode::tree
