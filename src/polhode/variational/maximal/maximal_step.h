#pragma once
#include <span>
#include <vector>

#include "polhode/maximal/constraints.h"
#include "polhode/maximal/forces.h"
#include "polhode/maximal/saddle_matrix.h"
#include "polhode/maximal/struts.h"
#include "polhode/variational/maximal/discrete_body.h"

namespace polhode::variational {

/// How Newton's iteration on one step went.
struct MaximalReport {
  enum class Status { done, no_convergence, not_finite, energy_jumps };
  Status status = Status::done;
  int iterations = 0;
  int worst_element = -1;       ///< of the constraints: whose error is the largest; only after failure
  int worst_body = -1;          ///< whose equation of motion is
  double constraint_error = 0;  ///< [m], [rad]
  double motion_error = 0;      ///< of the equations of motion, as a displacement [m], [rad]
  double energy_jump = 0;       ///< kinetic energy that no work accounts for [J]

  bool ok() const { return status == Status::done; }
};

/// The equations of one step in maximal coordinates, and Newton's iteration on them (Bruedigam & Manchester, sections 3 and 4).
///
/// At one end, "here", are the bodies' poses x_k; unknown are the velocities (w, v) of the step and the constraints' impulses:
///   momentum at the start of the step (w, v) = p_k + s h F(x_k, (w, v)) + G(x_k)^T lambda,     h(x_k+1) = 0
/// with (26), (27), (32), (33) of Bruedigam & Manchester, or with the exponential turn instead of its chord (discrete_body.h);
/// rows that hold velocities hold those of the step, at its middle. The unknowns of Newton's iteration are the bodies'
/// displacements at the far end over h, so that its matrix is [D G(x_k)^T; G(x_k+1) 0]; it is factored by the sparse LDU on the
/// mechanism's graph.
///
/// Forces are taken at the node, with the velocities of the step, which is symmetric and cheap, and good for springs that are
/// soft within a step. Where one is not, all forces are taken at the middle of the step instead, and Newton's matrix has the
/// springs' stiffness: there is no limit to that. Half of the impulse goes to either end, in Ground's axes, so momentum is
/// kept.
///
/// Bodies that lack inertia in some direction (particles, lines, massless frames) make D singular. Adding c G(x_k)^T times the
/// rows G(x_k+1) d = -h/h of the elements that touch them to their equations changes no solution and makes D regular.
class MaximalStep {
 public:
  /// enabled: as for set_active(); nothing means all. step: the size for which springs are told to be soft or stiff [s].
  MaximalStep(const Mechanism& mechanism, std::span<const char> enabled, TurnRule rule, double tolerance, double step);

  const maximal::Constraints& constraints() const { return constraints_; }
  maximal::Constraints& constraints() { return constraints_; }  ///< evaluating them writes to their memory
  const linear::BlockLdu& factors() const { return matrix_.factors(); }

  /// By constraint element, as State::enabled(): the others have no impulses. Before start(). Does not allocate.
  void set_active(std::span<const char> enabled);

  /// Generalized forces on top of the mechanism's own; before start().
  void set_applied(std::span<const double> tau) { forces_.set_applied(tau); }

  /// Poses are read, and velocities where forces depend on them. near: coordinates from which angles are counted on.
  void start(double t, const maximal::Bodies& here, std::span<const double> near);
  /// From the velocities in `next`, which are a guess, and lambda, which is one too, solves for both and fills `next`.
  /// `momenta` (row_width numbers by body) are those here on entry; on success those that the bodies have at the end of the
  /// step, in their axes there. Impulses and turns make them, so that total momentum is kept to rounding. share: s, the part of
  /// the forces' impulse over h that comes at the start.
  ///
  /// careful: near singular places, where Newton's matrix all but loses its rank, its corrections run away to solutions that
  /// are none of the mechanism's motion. The constraints are then given a compliance, which is taken back from one correction
  /// to the next: so the bodies are moved no further than it takes.
  MaximalReport solve(double h, double share, std::span<double> momenta, maximal::Bodies& next, std::span<double> lambda,
                      bool careful = false);
  /// The far end of the last solve becomes "here".
  void accept(double t, const maximal::Bodies& next, std::span<const double> near);
  /// Adds the rest of the forces' impulse, with the velocities of the step that led here.
  void kick(double h, double share, std::span<double> momenta);

  double kinetic_energy(const maximal::Bodies& velocities) const;  ///< [J]
  /// The power of the forces that the last solve() or kick() took, with velocities as given [W].
  double power(const maximal::Bodies& velocities) const;

  /// For rows that no speed changes but for the digits that they were written with, so many: if they depend on others by the
  /// matrix here too, factors take more for nothing from now on.
  void judge_redundant_rows(int rows_without_motion);
  void take_more_for_nothing(bool more);
  bool takes_more_for_nothing() const { return takes_more_for_nothing_; }

  /// The velocities here that keep the constraints and have the given momenta otherwise: M V = momentum + G^T mu.
  bool velocities(std::span<const double> momentum, maximal::Bodies& here);

  /// Errors of the iterates of the last solve, constraints' and motion's together: for those who study convergence.
  std::span<const double> history() const { return history_; }
  /// Where to put the sizes of the corrections of all later solves: of displacements [m], [rad] and impulses times h together.
  /// Nowhere by default.
  void watch_corrections(std::vector<double>* sizes) { sizes_of_corrections_ = sizes; }

 private:
  struct Inertia {
    Mat3<double> J;
    double mass;
    double per_rotation, per_shift;  ///< displacement that a unit of momentum stands for, times 1/h
  };
  double evaluate(double h, double share, std::span<const double> momenta, maximal::Bodies& next,
                  std::span<const double> lambda, MaximalReport& report);
  void evaluate_loads(const maximal::Bodies& velocities);
  void evaluate_loads_at_middle(double h, const maximal::Bodies& next);
  bool has_stiff_springs(double step);
  void evaluate_velocity_rows(double h, const maximal::Bodies& next);
  void fill_matrix(double h, double share, const maximal::Bodies& next, double compliance);
  void add_struts(double h, double share, const maximal::Bodies& next);
  void turn_correction();
  void correct(double fraction, maximal::Bodies& next, std::span<double> lambda) const;
  void add_impulses(double h, double share, std::span<const double> momenta, std::span<const double> lambda);
  void fill_velocity_matrix();
  void right_hand_side(double h);
  void put_constraint_part(double scale);
  double motion_error_of(int body) const;
  void find_worst(MaximalReport& report) const;
  double rounding_of_impulses(double h, std::span<const double> momenta, std::span<const double> lambda) const;
  bool are_gaps() const;
  bool only_gaps_are_left(const MaximalReport& report) const;
  static std::vector<Inertia> inertias_of(const Mechanism& mechanism, double weight);
  maximal::SaddleBodies saddle_bodies() const;

  Mechanism mechanism_;
  maximal::Constraints constraints_;
  maximal::Forces forces_;
  maximal::Struts struts_;
  double weight_;                  // of the rows that are added to equations without inertia
  std::vector<Inertia> inertias_;  // by body
  maximal::SaddleMatrix matrix_;
  TurnRule rule_;
  double tolerance_, rounding_ = 0;  // the second is what places of this size can be told apart by
  bool has_velocity_rows_ = false, takes_more_for_nothing_ = false;
  struct StrutBlock {
    int strut, side_a, side_b, body_a, body_b;  // sides are 0 or 1
    double* block;
  };
  std::vector<StrutBlock> strut_blocks_;
  bool forces_at_middle_ = false;

  double t_ = 0;
  maximal::Bodies here_, middle_, moving_;
  std::vector<double> loads_, loads_at_middle_, strut_rows_;
  std::vector<maximal::Struts::Stiffness> stiffness_;
  std::vector<Turn> half_turns_;
  std::vector<double> near_;
  double body_size_ = 0;  // of the largest body
  mutable std::vector<double> impulse_sizes_;
  std::vector<double> values_here_, values_next_, values_middle_, errors_, last_errors_, middle_errors_, rates_, products_;
  std::vector<Turn> turns_;         // by body: over the step, of the last evaluation
  std::vector<double> impulses_;    // by body: momenta here after all impulses, of the last evaluation
  std::vector<double> residual_;    // by body
  std::vector<double> correction_;  // by node of the matrix: bodies, then constraints
  std::vector<double> history_;
  std::vector<double>* sizes_of_corrections_ = nullptr;
};

}  // namespace polhode::variational
