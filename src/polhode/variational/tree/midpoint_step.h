#pragma once
#include <span>
#include <vector>

#include "polhode/linear/rank_revealing.h"
#include "polhode/state/driven_paths.h"
#include "polhode/state/outside.h"
#include "polhode/tree/applied_forces.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/require_met.h"
#include "polhode/variational/tree/general_step.h"
#include "polhode/variational/tree/step_data.h"
#include "polhode/variational/tree/stiff_forces.h"
#include "polhode/variational/tree/sweep_memory.h"

namespace polhode::variational {

struct NewtonOptions {
  double tolerance = 1e-12;  ///< error left in coordinates and in constraints [rad], [m]
  int max_iterations = 15;
  double step = 0.01;  ///< the usual one [s]: decides which forces are stiff
};

/// What came of solving one step's equations.
struct NewtonReport {
  enum class Status { converged, no_convergence, not_finite };
  Status status = Status::converged;
  int iterations = 0;           ///< corrections tried
  double correction = 0;        ///< the largest change that coordinates still need [rad], [m]
  double constraint_error = 0;  ///< largest that the next correction would do something about [m], [rad]
  int worst_speed = -1;         ///< which needs it
  int worst_row = -1;           ///< the constraint row most in error, when there are constraints

  bool ok() const { return status == Status::converged; }
};

/// One step of the generalized midpoint rule: the map (q, p) -> (q, p) of Johnson & Murphey (15)-(22) and (44)-(46), solved by
/// Newton with the exact derivative.
///
/// Unknowns are the increments theta of the joints' own charts and the multipliers lambda:
///   p + h (1 - alpha) (L_q + tau) - L_v - G(q)^T lambda = 0,     g(q (+) theta) = 0,
/// with L_q, L_v and the generalized forces tau at the midpoint. Then p' = p - G(q)^T lambda + h (L_q + tau). Rows that hold
/// velocities hold those of the midpoint instead of g: h (G(q_m) v_m + h_t) = 0.
class MidpointStep {
 public:
  using Numbers = std::span<const double>;
  using NumbersOut = std::span<double>;

  /// With all constraints.
  MidpointStep(const Mechanism& mechanism, double alpha, const NewtonOptions& options);
  /// Which of the constraints hold, as State::enabled(); false where they did before. Allocates nothing.
  bool set_enabled(std::span<const char> enabled);
  /// What is driven or locked, and from where: its increments are given, and its equations are not solved. Allocates nothing.
  void set_driven(const State& state);
  DrivenPaths& paths() { return paths_; }
  const DrivenPaths& paths() const { return paths_; }

  const DiscreteTree& tree() const { return tree_; }
  const tree::Constraints& constraints() const { return constraints_; }
  int num_rows() const { return constraints_.num_rows(); }
  double alpha() const { return alpha_; }

  /// Throws std::invalid_argument where a state misses the constraints.
  void require_met(const State& state) {
    end_rows_known_ = false;
    tree::require_met(constraints_, workspace_, state, errors_, end_rows_);
  }
  /// How far rows that depend on each other may stay from being met, as at this configuration. Without a call they must be met
  /// as exactly as all others.
  void allow_gaps(Numbers q);
  /// Where the next step starts, and what acts throughout it.
  void start(double t, Numbers q, Numbers p, const Outside& outside);
  /// With other generalized forces than before; inputs and discrete variables stay, which are the initial ones to begin with.
  void start(double t, Numbers q, Numbers p, Numbers applied);
  /// G at a configuration, as the values of constraints(), where it is at hand: at the end of the last step. Otherwise nothing.
  Numbers rows_at(double t, Numbers q) const;
  /// Solves for a step of h. theta and lambda go in as guesses and come out as the solution; q1 and p1 are what they give.
  /// After a failure none of the outputs mean anything.
  NewtonReport solve(double h, NumbersOut theta, NumbersOut lambda, NumbersOut q1, NumbersOut p1);

  /// q0 (+) fraction theta.
  void move(double fraction, Numbers theta, NumbersOut q1) const;
  /// The increment from q0 to q1; exact for all joints that the tree has.
  void increment_to(Numbers q1, NumbersOut theta) const;
  /// The momentum at the end of a given increment: starts a motion from two configurations.
  void momentum_of_increment(double h, Numbers theta, NumbersOut p1);
  /// By speed, of the last solved step: the force [N], [N m] that it took to move what is driven or locked.
  Numbers driving_forces() const { return driving_; }

 private:
  void size_for(int rows, int entries);
  void find_start_rows();
  StepData data(double h) const;
  /// Everything at the midpoint and the constraints at the end, for increments theta: residual_ and errors_.
  void evaluate(double h, Numbers theta, Numbers lambda);
  void move_general_joints(double h, Numbers theta);
  void midpoint_as_user_sees_it(double h, Numbers theta);
  void add_forces(double h, Numbers theta);
  void residuals(double h, Numbers theta, Numbers lambda);
  /// The Newton matrix at the iterate, and corrections by it from the residuals at hand.
  void factor(double h, Numbers theta);
  void factor_coupled(double h, Numbers theta);
  void evaluate_rows(double h, Numbers theta);
  void midpoint_displacements(double h, Numbers theta, NumbersOut out);
  void put_constraint_columns(double h, Numbers theta);
  void find_differenced_entries();
  void difference_rows(double h, Numbers theta);
  void displacements_of_rows(double h, Numbers theta, NumbersOut out);
  void put_stiff_columns(double h, Numbers theta);
  /// What row i of the small system says of increments: a constraint at the end of the step, or a stiff force.
  double row_times(int i, const double* delta) const;
  void correction(double h, NumbersOut delta, NumbersOut delta_lambda);
  void map_rows(Numbers theta, Numbers values, bool at_end, NumbersOut out) const;
  void prescribe(double h, NumbersOut theta) const;
  void finish_driven(double h, Numbers theta, NumbersOut q1, NumbersOut p1);
  void polish(double h, NumbersOut theta, NumbersOut lambda, NewtonReport& report);
  void finish(double h, Numbers theta, NumbersOut q1, NumbersOut p1);
  void measure(NewtonReport& report, Numbers correction) const;
  double error_of_row(int row, Numbers correction) const;
  bool is_close(const NewtonReport& now, double expected) const;

  Mechanism mechanism_;
  double alpha_;
  NewtonOptions options_;
  DiscreteTree tree_;
  tree::Constraints constraints_;
  const NewtonKernels* kernels_;
  SweepMemory memory_;
  tree::Workspace workspace_;
  bool has_forces_;
  double gap_allowed_ = 0;  // in a constraint
  StiffForces stiff_;
  int coupled_;  // rows of constraints, then of stiff forces

  Now now(double h) const { return outside_.now(t_ + alpha_ * h, mechanism_.initial_z()); }

  double t_ = 0;
  double resolution_ = 0;      // of the coordinates that the step starts from
  std::vector<double> q_, p_;  // where the step starts
  Outside outside_;
  std::vector<double> start_rows_;  // G there

  // At the iterate, by speed unless said otherwise.
  std::vector<double> q_mid_, rate_, momentum_, force_, tau_, stiffness_, p_hat_, residual_, delta_, next_delta_, start_theta_;
  std::vector<double> user_q_, user_u_;  // midpoint or end, as the mechanism's own coordinates and speeds
  std::vector<GeneralMotion> general_;
  std::vector<GeneralStep> general_steps_;
  DrivenPaths paths_;
  std::vector<double> driving_;

  // Constraints: by row, by entry of the Jacobian, and dense columns.
  std::vector<double> gaps_, errors_, delta_lambda_, next_delta_lambda_, start_lambda_;
  std::vector<double> end_rows_, mapped_start_, mapped_end_;
  bool has_velocity_rows_ = false, differences_positions_ = false;
  /// A number of a row on increments that is found by differences.
  struct Differenced {
    int speed, row, entry;
  };
  std::vector<Differenced> differenced_;                  // by speed
  std::vector<double> velocity_errors_, ahead_, behind_;  // by row
  std::vector<double> near_theta_;                        // by speed
  // What end_rows_ is G of, while it is.
  bool end_rows_known_ = false;
  double end_t_ = 0;
  std::vector<double> end_q_;

  // The small system of constraints and stiff forces.
  std::vector<double> columns_, solved_columns_, stiff_left_, schur_, coupled_unknowns_;
  linear::RankRevealingSolver schur_solver_;
};

}  // namespace polhode::variational
