#pragma once
#include <optional>
#include <span>
#include <vector>

#include "polhode/variational/maximal/error_floor.h"

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

/// Near singular places, where Newton's matrix all but loses its rank, its corrections run away to solutions that are none of
/// the mechanism's motion. Carefully, the constraints are given a compliance, which is taken back from one correction to the
/// next: so the bodies are moved no further than it takes.
enum class Care { ordinary, careful };

/// Newton's iteration on the equations of one step in maximal coordinates (Bruedigam & Manchester, section 4). Its matrix is
/// factored by the sparse LDU on the mechanism's graph.
class MaximalStep {
 public:
  /// enabled: as for set_active(); nothing means all. step: the size for which springs are told to be soft or stiff [s].
  /// lockable: as for maximal::Constraints.
  MaximalStep(const Mechanism& mechanism, std::span<const char> enabled, TurnRule rule, double tolerance, double step,
              std::span<const char> lockable = {});

  const maximal::Constraints& constraints() const { return equations_.constraints(); }
  maximal::Constraints& constraints() { return equations_.constraints(); }
  const linear::BlockLdu& factors() const { return matrix_.factors(); }

  /// By constraint element, as State::enabled(): the others have no impulses. Before start(). Does not allocate.
  void set_active(std::span<const char> enabled);
  /// The same for what the state drives or locks.
  void set_driven(const State& state);
  /// What acts from outside, before start().
  void set(const Outside& outside) { equations_.forces().forces().set(outside); }
  /// The same between two steps: the next one starts with these forces.
  void change(const Outside& outside) { equations_.change(outside); }

  /// Poses are read, and velocities where forces depend on them. near: coordinates from which angles are counted on.
  void start(double t, const maximal::Bodies& here, std::span<const double> near) { equations_.start(t, here, near); }
  /// From the velocities in `next`, which are a guess, and lambda, which is one too, solves for both and fills `next`.
  /// `momenta` (row_width numbers by body) are those here on entry; on success those that the bodies have at the end of the
  /// step, in their axes there. Impulses and turns make them, so that total momentum is kept to rounding. share: s, the part of
  /// the forces' impulse over h that comes at the start.
  MaximalReport solve(double h, double share, std::span<double> momenta, maximal::Bodies& next, std::span<double> lambda,
                      Care care = Care::ordinary);
  /// The far end of the last solve becomes "here".
  void accept(double t, const maximal::Bodies& next, std::span<const double> near) { equations_.accept(t, next, near); }
  /// Adds the rest of the forces' impulse, with the velocities of the step that led here.
  void kick(double h, double share, std::span<double> momenta) { equations_.kick({h, share}, momenta); }

  double kinetic_energy(const maximal::Bodies& velocities) const;  ///< [J]
  /// The power of the forces that the last solve() or kick() took, with velocities as given [W].
  double power(const maximal::Bodies& velocities) const { return equations_.forces().power(velocities); }
  /// The loads of the last solve() or kick(), row_width numbers by body.
  std::span<const double> loads() const { return equations_.forces().loads(); }

  /// For rows that no speed changes but for the digits that they were written with, so many: if they depend on others by the
  /// matrix here too, factors take more for nothing from now on.
  void judge_redundant_rows(int rows_without_motion);
  /// For rows that no speed changes, so many. Rounding through bodies that are a million times lighter than their neighbours
  /// may make them look independent here; then factors take more for nothing from now on, as much as it takes.
  void find_redundant_rows(int rows_without_motion);
  /// What factors take for nothing: linear::rank_tolerance to begin with.
  void set_rank_tolerance(double tolerance);
  double rank_tolerance() const { return rank_tolerance_; }

  /// The velocities here that keep the constraints and have the given momenta otherwise: M V = momentum + G^T mu.
  bool velocities(std::span<const double> momentum, maximal::Bodies& here);

  /// Errors of the iterates of the last solve, constraints' and motion's together: for those who study convergence.
  std::span<const double> history() const { return history_; }
  /// Where to put the sizes of the corrections of all later solves: of displacements [m], [rad] and impulses times h together.
  /// Nowhere by default.
  void watch_corrections(std::vector<double>* sizes) { sizes_of_corrections_ = sizes; }

 private:
  struct Unknowns {
    StepSize size;
    std::span<const double> momenta;
    maximal::Bodies& next;
    std::span<double> lambda;
    Care care;
  };
  struct Progress {
    double error, last = 0;
    double compliance;
    bool factored = false, in_full = false;  // the second: the last correction was taken as it was
  };
  enum class Verdict { go_on, good_enough, no_convergence, not_finite };
  double evaluate(const Unknowns& unknowns, MaximalReport& report);
  bool is_met(const MaximalReport& report, double error) const;
  Verdict improve(const Unknowns& unknowns, Progress& progress, MaximalReport& report);
  enum class Factors { new_ones, old_ones };
  bool find_correction(const Unknowns& unknowns, double compliance, Factors factors);
  void correct(double fraction, const Unknowns& unknowns) const;
  Verdict stop(const Unknowns& unknowns, double error);
  MaximalReport failed(MaximalReport report, Verdict verdict) const;
  /// By the matrix here; nothing where it cannot be factored.
  std::optional<int> count_redundant_rows(double tolerance);

  StepEquations equations_;
  maximal::SaddleMatrix matrix_;
  ErrorFloor floor_;
  double rank_tolerance_ = linear::rank_tolerance;
  std::vector<double> correction_;  // as a vector of the matrix
  std::vector<double> history_;
  std::vector<double>* sizes_of_corrections_ = nullptr;
};

}  // namespace polhode::variational
