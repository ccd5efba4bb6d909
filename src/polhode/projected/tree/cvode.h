#pragma once
#include <exception>
#include <memory>

#include "polhode/projected/tree/integrator.h"
#include "polhode/projected/tree/past_shift.h"

namespace polhode::projected {

/// SUNDIALS' CVODE: backward differentiation formulas of order 1 to 5 with Newton's method, for stiff systems. It chooses
/// steps and order itself, by the same measure of error as the other integrators.
///
/// It integrates y = (q, u, z) with dq/dt = N(q) u, not charts: a multistep method lives on its past, which would have to be
/// carried from chart to chart, or dropped at order one each time. N(q) u keeps the length of quaternions, formulas that are
/// linear in the past keep their order on it, and what rounding and truncation leave is taken out at the end of
/// each step by CVODE's projection, from the solution and from the error estimate, with the constraint errors.
///
/// When inputs or applied forces change, rates jump, and a past of other forces would fail the error test until there is
/// nothing left of the step. So a function of time that has the jump is taken out of what is integrated (past_shift.h), and
/// order and step size stay.
class Cvode final : public Integrator {
 public:
  Cvode(const Mechanism& mechanism, const Options& options);
  ~Cvode() override;
  /// Its past is SUNDIALS' own, which does not hand it out: it starts anew at order one.
  bool remember(polhode::Memory& memory) override;

 private:
  struct Memory;     // SUNDIALS' own objects
  struct Callbacks;  // what it calls

  StepReport advance(double t_limit) override;
  void interpolant(double t, double* q, double* v) const override;
  void restart() override { fresh_ = true; }

  void begin();
  void take_jump();
  bool rates(double t, const double* Y, double* Y_dot);
  bool rates_at(double t, const double* y, double* y_dot);
  void weights(const double* Y, double* w) const;
  bool project(double t, const double* Y, double* correction, double* error);
  StepReport failure(int flag);
  int size() const { return system_.num_q() + num_v(); }

  std::unique_ptr<Memory> memory_;
  bool fresh_ = true, has_jumped_ = false;  // since the last step
  std::exception_ptr thrown_;               // by a user's element, while SUNDIALS was calling
  PastShift shift_;
  mutable Vector y_;
  Vector q_, v_, along_, unit_weights_, jump_;
  long failed_tests_ = 0, tiny_steps_ = 0;  // of CVODE's own count, since it was started
};

}  // namespace polhode::projected
