#pragma once
#include "polhode/projected/tree/one_step.h"

namespace polhode::projected {

/// An explicit Runge-Kutta method in Munthe-Kaas form; Tableau is one of those of tableaux.h or tableau_dop853.h.
template <class Tableau>
class RungeKutta final : public OneStep {
 public:
  RungeKutta(const Mechanism& mechanism, const Options& options);

 private:
  Outcome attempt(double h, bool error_wanted) override;
  void interpolate_x(double s, double* x) const override;
  Outcome evaluate_stages(double h) const;
  double estimate_error(double h, bool project);
  bool evaluate_extra_stages(double h) const;

  mutable bool extra_stages_done_ = false;  // of the last step
};

}  // namespace polhode::projected
