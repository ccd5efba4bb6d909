#pragma once
#include <span>
#include <vector>

#include "polhode/state/state.h"

namespace polhode {

/// What acts on a mechanism from outside, from step to step: its inputs, and generalized forces on top of its own. Steppers and
/// what they are made of keep it; setting and copying allocate nothing.
class Outside {
 public:
  explicit Outside(const State& state);

  std::span<const double> inputs() const { return inputs_; }
  std::span<const double> applied_forces() const { return applied_forces_; }
  bool any_force() const;

  void set(const State& state);
  /// Each throws std::invalid_argument, and changes nothing, where the numbers are too few, too many or not finite. Whether
  /// something is other than before; inputs within their limits.
  bool set_inputs(const Mechanism& mechanism, std::span<const double> inputs);
  bool set_applied_forces(const Mechanism& mechanism, std::span<const double> forces);
  /// Into a state.
  void give(State& state) const;

  void remember(Memory& memory) { memory(inputs_, applied_forces_); }

 private:
  std::vector<double> inputs_, applied_forces_;
};

}  // namespace polhode
