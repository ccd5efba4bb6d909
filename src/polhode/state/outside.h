#pragma once
#include <span>
#include <vector>

#include "polhode/state/state.h"

namespace polhode {

/// What acts on a mechanism and does not follow from its motion: its inputs and generalized forces on top of its own, which
/// may be other ones from step to step, and its discrete variables, which change at events only. Steppers and what they are
/// made of keep it; setting and copying allocate nothing.
class Outside {
 public:
  explicit Outside(const State& state);

  std::span<const double> inputs() const { return inputs_; }
  std::span<const double> applied_forces() const { return applied_forces_; }
  std::span<const double> discrete() const { return discrete_; }
  bool any_force() const;
  /// What forces read.
  Now now(double t, std::span<const double> z) const { return {t, inputs_, z, discrete_}; }

  void set(const State& state);
  /// Each throws std::invalid_argument, and changes nothing, where the numbers are too few, too many or not finite. Whether
  /// something is other than before; inputs within their limits.
  bool set_inputs(const Mechanism& mechanism, std::span<const double> inputs);
  bool set_applied_forces(const Mechanism& mechanism, std::span<const double> forces);
  /// Into a state.
  void give(State& state) const;

  void remember(Memory& memory) { memory(inputs_, applied_forces_, discrete_); }

 private:
  std::vector<double> inputs_, applied_forces_, discrete_;
};

}  // namespace polhode
