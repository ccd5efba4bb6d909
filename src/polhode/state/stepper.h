#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// What a method can do; what a mechanism needs beyond that is refused when the stepper is built.
struct MethodFeatures {
  /// Joints that close loops, and constraints between bodies, frames and coordinates.
  bool loop_joints = false;
  bool constraints = false;
  bool kinematic = false;  ///< coordinates that follow a signal
  bool motions = false;    ///< speeds and accelerations that do
  bool fast = false;       ///< coordinates that are always in equilibrium
  bool locks = false;      ///< joints that the State locks, and signals that it does not follow
  bool switching = false;  ///< constraints that the State disables
  bool auxiliary = false;  ///< force elements with auxiliary states or discrete variables of their own
};

/// One method that steps a mechanism through time. make_stepper() in study/simulate.h makes one by its name.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Its name.
  virtual std::string_view method() const = 0;
  /// "name value" of every option as it is in force, for the record of a result.
  virtual std::vector<std::pair<std::string, std::string>> resolved_options() const = 0;

  /// States must be of the stepper's own mechanism; others are refused by std::invalid_argument.
  virtual void set(const State& state) = 0;
  /// What set() or the last step left.
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

  /// Of the last step, by speed: the forces [N], [N m] that it took to move kinematic coordinates as their signals say. Empty
  /// where a method has none.
  virtual std::span<const double> driving_forces() const { return {}; }

  /// Over the life of the stepper.
  virtual const StepStatistics& statistics() const = 0;
  /// A failure in words: when, which joint, what to try.
  virtual std::string explain(const StepReport& report) const = 0;
};

/// Throws std::invalid_argument unless the state is of this very mechanism.
void require_same(const Mechanism& mechanism, const State& state);

/// Throws ModelError that names everything in the mechanism that the method cannot do.
void require_supported(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method);

/// The same for what a State asks for beyond its mechanism: locks, and constraints that are off.
void require_supported(const State& state, const MethodFeatures& features, std::string_view method);

}  // namespace polhode
