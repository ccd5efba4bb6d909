#pragma once
#include <span>
#include <vector>

#include "polhode/variational/maximal/step_equations.h"

namespace polhode::variational {

/// What errors of a step's equations no correction makes smaller: the tolerance, the rounding of places, that of impulses which
/// cancel, and gaps between rows that should depend on each other but miss that by the digits that they were written with (as
/// tree::Constraints has it).
class ErrorFloor {
 public:
  ErrorFloor(const StepEquations& equations, double tolerance);

  double tolerance() const { return tolerance_; }
  /// Places of so far from the origin can be told apart by this [m].
  void set_reach(double reach);
  double rounding() const { return rounding_; }
  double enough() const;

  /// Before a correction.
  void remember_errors(const StepEquations& equations);
  /// Are all errors of constraints as small as gaps may be?
  bool are_gaps(const StepEquations& equations) const;
  /// Has the correction, which was taken in full, left nothing but gaps, as they were?
  bool only_gaps_are_left(const StepEquations& equations, double motion_error) const;
  /// What rounding leaves of the equations of motion, as a displacement over the step: of impulses that cancel, as those on a
  /// light body between heavy ones do.
  double of_impulses(const StepEquations& equations, double h, std::span<const double> momenta, std::span<const double> lambda);

 private:
  double tolerance_, rounding_ = 0;
  double body_size_;  // of the largest body
  std::vector<double> last_errors_, impulse_sizes_;
};

}  // namespace polhode::variational
