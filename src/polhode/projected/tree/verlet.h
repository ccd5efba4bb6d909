#pragma once
#include "polhode/projected/tree/one_step.h"

namespace polhode::projected {

/// Verlet's method as in the Simbody theory manual 10.4: coordinates by their second-order expansion, then speeds and auxiliary
/// states by the trapezoidal rule, which they are part of themselves where forces depend on them: solved by iteration.
class Verlet final : public OneStep {
 public:
  Verlet(const Mechanism& mechanism, const Options& options);

 private:
  Outcome attempt(double h, bool error_wanted) override;
  void move_chart(double h);
  Outcome iterate_speeds(double h);
  double estimate_error(double h);

  Vector half_x_, euler_v_;
};

/// Semi-explicit (symplectic) Euler: u first, then q with the new u. Order one. The error is the difference from the
/// trapezoidal rule, whose second slope the next step needs anyhow.
class SemiExplicitEuler final : public OneStep {
 public:
  SemiExplicitEuler(const Mechanism& mechanism, const Options& options);

 private:
  Outcome attempt(double h, bool error_wanted) override;
};

}  // namespace polhode::projected
