#pragma once
#include <span>
#include <vector>

#include "polhode/linear/semidefinite_solver.h"
#include "polhode/state/outside.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/driven_motion.h"
#include "polhode/tree/row_groups.h"

namespace polhode::tree {

/// Accelerations of a mechanism under all forces, with driven speeds and enabled constraints (Simbody theory manual 8.2
/// to 8.5, 8.7):
///
///   M du/dt + G^T lambda = f + motion forces,   G du/dt = b,   du_p/dt as driven
///
/// First the motion without constraints, mixed forward and inverse dynamics in O(n) (8.36); then the multipliers that make up
/// for what it does to the constraints, (G_f M_ff^-1 G_f^T) lambda = G du0/dt - b (8.37), in the least-squares sense and the
/// smallest where rows depend on each other; then the accelerations less M^-1 G^T lambda (8.38).
///
/// It keeps of a State which constraints are enabled, which joints are locked, and what acts from outside, which can also be
/// set alone. Neither setting another state nor evaluation allocates.
class ConstrainedDynamics {
 public:
  explicit ConstrainedDynamics(const State& state);
  /// For another state of the mechanism. True where other constraints are enabled than before.
  bool set(const State& state);

  const Mechanism& mechanism() const { return constraints_.mechanism(); }
  const Constraints& constraints() const { return constraints_; }
  const DrivenMotion& motion() const { return motion_; }

  void set(const Outside& outside) { outside_ = outside; }

  /// du/dt and dz/dt. False when a number is not finite.
  bool evaluate(Workspace& w, double t, Numbers q, Numbers u, Numbers z, NumbersOut u_dot, NumbersOut z_dot);

  // Of the last evaluation.
  std::span<const double> multipliers() const { return lambda_; }
  /// By speed: what it takes to move driven speeds as they are [N], [N m]; 0 for the others.
  std::span<const double> motion_forces() const { return motion_forces_; }
  /// The Jacobian's values, as Constraints lays them out.
  std::span<const double> jacobian() const { return G_; }
  /// Rows that are independent of each other, of those that free speeds can do something about.
  int rank() const { return constraints_.num_rows() == 0 ? 0 : solver_.rank(); }

 private:
  void free_accelerations(Workspace& w, double t, Numbers q, Numbers u, Numbers z, NumbersOut u_dot);
  void add_constraints(Workspace& w, double t, Numbers q, Numbers u, NumbersOut u_dot);
  void size_for(int rows, int entries, int groups);
  void form_schur_complement(Workspace& w);
  void subtract_constraint_accelerations(NumbersOut u_dot) const;

  Constraints constraints_;
  DrivenMotion motion_;
  Outside outside_;
  linear::SemidefiniteSolver solver_;
  std::vector<double> tau_, G_, bias_, lambda_, motion_forces_;
  RowGroups groups_;
  std::vector<double> columns_;  // G^T of a group's rows, eight numbers for each speed
  std::vector<double> X_;        // M^-1 G^T likewise, one group after another
  std::vector<double> W_;        // G M^-1 G^T, lower triangle
};

}  // namespace polhode::tree
