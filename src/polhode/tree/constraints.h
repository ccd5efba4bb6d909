#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polhode/tree/dynamics.h"
#include "polhode/tree/rows/row_view.h"

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
///                        speed changes the row by more than rounding could (redundant_row in rows/path_sums.h)
///   rates()              h_t and v_t: of what depends on time explicitly or has a constant term; zero at acceleration level
///   velocity_errors()    dh/dt and v; zero at acceleration level
///   acceleration_bias()  b with G du/dt = b at all levels: b = -(dG/dt u + d(h_t)/dt) for the first two (Simbody theory manual
///   ch. 6)
///
/// The pattern has every speed on the tree path between the two bodies, up to but not including their outmost common ancestor
/// where nothing outside of that path can matter. It is planned once, for all elements of the mechanism. A mask says which of
/// them are active; rows of the others are not there: not numbered, not evaluated, not read for. Changing the mask plans
/// nothing and allocates nothing, so that memory sized by max_rows() and max_entries() serves for every mask.
///
/// Evaluation needs positions(w, q) or kinematics(w, q, u) before it, reads only the bodies that it touches, and does not
/// allocate. Threads may share a Constraints whose mask they leave alone.
class Constraints {
 public:
  /// The gap that may be left in rows that cannot be met together: this angle, or this part of the largest body.
  static constexpr double gap = 3e-5;

  /// enabled: by element, as State::enabled(); nothing means all of them.
  explicit Constraints(const Mechanism& mechanism, std::span<const char> enabled = {});
  /// Makes the elements that are enabled active, and no others; false where they were so before.
  bool set_active(std::span<const char> enabled);

  const Mechanism& mechanism() const { return plan_->mechanism; }
  int num_rows() const { return int(active_.rows.size()); }
  int num_rows(RowLevel level) const;
  int num_entries() const { return int(active_.columns.size()); }
  /// Of all Jacobians, only that of users' own rows may depend on time.
  bool has_users_rows() const { return !active_.users_blocks.empty(); }
  /// With all elements active.
  int max_rows() const { return plan_->num_rows(); }
  int max_entries() const { return plan_->num_entries; }

  /// The pattern as compressed rows: num_rows + 1 starts, and the speeds of all rows, sorted within each.
  std::span<const int> row_starts() const { return active_.starts; }
  std::span<const int> columns() const { return active_.columns; }
  std::span<const int> columns(int row) const {
    return columns().subspan(active_.starts[row], active_.starts[row + 1] - active_.starts[row]);
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
  double body_size() const { return plan_->body_size; }
  /// Who the row belongs to, `wire "hip" "knee"` or `joint "pin4"`, and which of its owner's rows it is, from 0.
  const std::string& owner(int row) const { return plan_->owners[element(row)]; }
  int row_of_owner(int row) const { return active_.rows[row].number; }
  /// The owner, with ` row 2` (from 1) where it has more than one.
  std::string row_name(int row) const;
  RowLevel level(int row) const { return active_.rows[row].level; }
  bool is_holonomic(int row) const { return level(row) == RowLevel::position; }
  /// h >= 0, not h = 0.
  bool is_one_sided(int row) const { return active_.rows[row].sense == RowSense::at_least; }
  /// Which element of the mechanism the row belongs to: loop joints first, then constraints.
  int element(int row) const { return active_.rows[row].element; }

 private:
  RowView view() const { return {*plan_, active_}; }
  void evaluate(Workspace& w, double t, Numbers q, const RowOutput& out) const;
  void multiply_moving(Workspace& w, double t, Numbers q, Numbers u, NumbersOut out) const;
  void load_bodies(Workspace& w, double t, Numbers q, Numbers lambda, NumbersOut tau) const;

  std::shared_ptr<const RowPlan> plan_;
  ActiveRows active_;
  std::vector<char> enabled_;  // by element
};

}  // namespace polhode::tree
