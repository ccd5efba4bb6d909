#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/state/method.h"
#include "polhode/state/state.h"

/// The contract that every method of stepping through time meets.
namespace polhode {

/// What came of one step. A failed one leaves the stepper at its last good state. Steps never throw, except what a user's own
/// force element throws, and that leaves the stepper at its last good state too.
struct StepReport {
  /// How a step ended.
  enum class Status { done, not_finite, too_small, limit_passed, no_convergence };
  /// How it ended.
  Status status = Status::done;
  double t = 0;      ///< time reached; that of the last good state after a failure [s]
  double h = 0;      ///< size of the step [s]; of the one that failed, after a failure
  double error = 0;  ///< estimated error in units of the accuracy asked for; 0 without error control
  int speed = -1;    ///< the speed most to blame for a failure, or -1

  /// Whether the step was taken.
  bool ok() const { return status == Status::done; }
};

/// Counters over the life of a stepper.
struct StepStatistics {
  /// Steps accepted and rejected by error control, and evaluations of the equations.
  long steps = 0, rejected = 0, evaluations = 0;
  double smallest_step = 0, largest_step = 0;  ///< of accepted steps [s]
  long newton_iterations = 0;                  ///< over all steps, failed attempts included; 0 for methods that solve nothing
  long halved = 0;                             ///< steps that were taken as smaller ones because Newton did not converge
};

/// What else a method counts over the life of a stepper.
struct Counter {
  std::string_view name;     ///< in words, "constraint differentials"
  long value = 0;            ///< so far
  std::string_view meaning;  ///< one line
};

/// One method that steps a mechanism through time. make_stepper() in study/simulate.h makes one by its name.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Its name.
  virtual std::string_view method() const = 0;
  /// Every option as it is in force, for the record of a result.
  virtual ResolvedOptions resolved_options() const = 0;

  /// States must be of the stepper's own mechanism; others are refused by std::invalid_argument. The method starts anew.
  virtual void set(const State& state) = 0;
  /// What acts from outside from the next step on: the inputs, and the generalized forces by speed that State has too. The
  /// method goes on where it is, with all that it has learned from its past (momenta, first guesses, step sizes, what it
  /// watches), and nothing is allocated. Numbers that are too few, too many or not finite are refused by std::invalid_argument;
  /// the stepper is then what it was. The same numbers as before change nothing, to the last bit.
  virtual void set_inputs(std::span<const double> inputs) = 0;
  virtual void set_applied_forces(std::span<const double> forces) = 0;
  /// What set() or the last step left, and what acts from now on. Neither allocates.
  virtual void get(State& state) const = 0;
  /// [s]
  virtual double time() const = 0;
  /// One step, which ends at or before t_limit.
  virtual StepReport step(double t_limit) = 0;
  /// The state at a time inside the last step, to the method's order. A time before the step is refused.
  virtual void interpolate(double t, State& state) const = 0;

  /// What steps have left in the stepper since it was set(), to be kept or given back: it then goes on as if it had never
  /// stopped, to the last bit. It must have been set() as it was before. False where a method's past cannot be kept: it then
  /// goes on from its last state, to its accuracy only.
  virtual bool remember(Memory& memory) = 0;

  /// Of the last step, by speed: the forces [N], [N m] that it took to move speeds as their signals and locks say. Empty
  /// where a method has none.
  virtual std::span<const double> driving_forces() const { return {}; }

  /// Over the life of the stepper.
  virtual const StepStatistics& statistics() const = 0;
  virtual std::vector<Counter> counters() const { return {}; }
  /// After the last step, where the method keeps bodies together by equations between its own unknowns: the largest error of
  /// these equations [m], [rad]. 0 where a method has none of them.
  virtual double constraint_error() const { return 0; }
  /// A failure in words: when, which joint, what to try.
  virtual std::string explain(const StepReport& report) const = 0;
};

/// Throws std::invalid_argument unless the state is of this very mechanism.
void require_same(const Mechanism& mechanism, const State& state);

}  // namespace polhode
