#pragma once
#include <vector>

#include "polhode/state/stepper.h"
#include "polhode/tree/workspace.h"

namespace polhode::study {

/// Sums up the work of every force along a run: the integral of its power over time by Simpson's rule, whose points are the
/// ends of steps, reports and events, and the middles between them on the motion that the method interpolates. So its own error
/// is of fourth order in the step, beside that of the motion.
///
/// The numbers are those of gravity, of elements (tree::element_powers), and by speed of what drives it (motion forces). What
/// impulses do at events is no work of a force.
class WorkMeter {
 public:
  /// Keeps a reference to the stepper.
  WorkMeter(const Mechanism& mechanism, const Stepper& stepper);

  /// From this state on, at the start of a run or after an event: the sums go on.
  void go_on_from(State& state);
  /// Up to this state of the stepper's last step.
  void advance(State& state);
  /// The work up to a state of the last step, kept with it; the sums stay where they are.
  void tell(State& state);

  double time() const { return time_; }  ///< up to which the sums are [s]
  void remember(Memory& memory);

 private:
  void powers_of(State& state, std::vector<double>& powers);
  /// Of the powers from where the sums are to the state; into until_.
  void integrate_to(State& state);

  const Stepper& stepper_;
  tree::Workspace workspace_;
  State between_;
  double time_ = 0;
  std::vector<double> sums_, from_, middle_, to_, until_;
};

}  // namespace polhode::study
