#pragma once
#include <span>
#include <vector>

#include "polhode/linear/semidefinite_solver.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/scaling.h"

namespace polhode::tree {

/// Brings coordinates and speeds that are a little off back onto the constraints by the smallest change, in a weighted norm
/// (Simbody theory manual 10.1): that of unit changes, where the scaling has some; otherwise about that of kinetic energy, so
/// that it is light parts that give way and momentum along the constraints stays. Driven speeds, and the coordinates along
/// them, are not touched. It allocates nothing after it is made.
class Projection {
 public:
  /// `drives` by speed, as State::drives() has them: what is known at a level is not changed there. `inertias` by speed: what
  /// resists it, roughly; none: 1 each. The constraints must outlive this.
  Projection(const Constraints& constraints, std::span<const Drive> drives, const Scaling& scaling = {}, Numbers inertias = {});
  /// Anew, after drives, inertias or the constraints' mask have changed.
  void set(std::span<const Drive> drives, Numbers inertias = {});

  /// How far rows that depend on each other may stay from being met, as at this configuration: positions(w, q) before it.
  /// Without a call they must be met as exactly as all others.
  void allow_gaps(Workspace& w) { constraints_.gaps(w, gaps_); }

  struct Outcome {
    bool converged = true;
    double error = 0;     ///< what is left and could still be done away with, in unit errors, in the scaling's norm
    int worst_row = -1;   ///< the row that is most in error
    int corrections = 0;  ///< 0 when it was good enough as it came
  };
  /// Newton's iteration on h(t, q) = 0 (10.5). Leaves positions(w, q) and the Jacobian of q behind.
  Outcome positions(Workspace& w, double t, NumbersOut q, double tolerance);
  /// The same for the velocity level (10.7), at q as the call before left it; leaves kinematics(w, q, u) behind.
  Outcome velocities(Workspace& w, double t, Numbers q, NumbersOut u, double tolerance);

  /// Takes out of an error estimate, given along the speeds, what lies across the constraints (10.12), (10.14): projection has
  /// done away with it. At the q of the last call of positions().
  void remove_normal_q(NumbersOut e) { remove_normal(position_, e); }
  void remove_normal_u(NumbersOut e) { remove_normal(velocity_factors(), e); }

 private:
  /// The rows that must hold at a level, with the factors of G W^-2 G^T of those rows, weighted by their unit errors.
  struct Level {
    std::vector<int> rows;
    std::vector<double> unit;  // of each of these rows
    std::vector<char> fixed;   // by speed
    linear::SemidefiniteSolver solver{0};
    bool factored = false;
    std::vector<double> matrix, y;
  };
  void reserve(Level& level) const;
  /// The rows of positions, or those of velocities too.
  void plan(Level& level, RowLevel up_to);
  double unit_error(int row, RowLevel up_to) const;
  void factor(Level& level);
  /// change = -W^-2 G^T (G W^-2 G^T)^+ errors, along the speeds.
  void correct(Level& level);
  static bool may_be_short(const Level& level) { return !level.factored || level.solver.rank() < int(level.rows.size()); }
  void remove_normal(Level& level, NumbersOut e);
  Outcome judge(const Level& level, Numbers errors) const;
  /// Where rows depend on each other: the part of the errors that the change at hand takes away, unless what it leaves is more
  /// than the gaps times `factor`.
  void leave_gaps(const Level& factors, const Level& level, double factor, double tolerance, Outcome& out);
  void move(NumbersOut q);
  /// Without rows of the velocity level, both levels have the same matrix.
  Level& velocity_factors() { return share_ ? position_ : velocity_; }

  const Constraints& constraints_;
  Scaling scaling_;
  std::vector<double> weight_;  // by speed: unit change squared, W^-2
  Level position_, velocity_;
  bool share_ = false;
  std::vector<double> errors_, values_, change_, row_, q_;
  std::vector<double> gaps_, taken_;  // by row
};

}  // namespace polhode::tree
