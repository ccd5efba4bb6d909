#pragma once
#include "polhode/projected/flat_wheels.h"
#include "polhode/projected/tree/integrator.h"
#include "polhode/stepping/error_control.h"
#include "polhode/stepping/step_controllers.h"

namespace polhode::projected {

/// Integrators that know of the past only where they are: step sizes from error estimates or fixed, attempts, rejections.
/// What is left to each of them is one attempt over h.
class OneStep : public Integrator {
 public:
  StepReport advance(double t_limit) final;
  void interpolant(double t, double* q, double* v) const final;
  void set(const State& state) final;
  void restart() final { fresh_ = true; }

  bool remember(Memory& memory) override;

 protected:
  /// error_order: the power of h with which the error estimate falls; slopes: how many dx/dt the method keeps.
  OneStep(const Mechanism& mechanism, const Options& options, int error_order, int slopes);

  /// Goes from (t0, q0, x0), where the slope is k(0), over h: leaves x1 and, by arrive() and slope_at_end(), the new state and
  /// its slope; the error, in units of the accuracy, where one is wanted. May stop early when the error is too large to go on.
  virtual Outcome attempt(double h, bool error_wanted) = 0;
  /// x at the fraction s of the last step; cubic Hermite by default: its error is of order h^4.
  virtual void interpolate_x(double s, double* x) const;
  int worst_speed() const final;
  std::string flat_wheel() const final { return wheels_.name(); }

  double* k(int i) const { return slopes_.data() + std::size_t(i) * std::size_t(num_x()); }
  double* k_end() const { return k(end_); }
  void set_end_slope(int i) { end_ = i; }
  Outcome evaluate_stage(double t, double* x, double* x_dot) const { return evaluate(t, q0_.data(), x, q_.data(), x_dot); }
  /// From x1, the state at the end of the step: prescribed and projected.
  Outcome arrive(double t);
  /// dx/dt there, in the chart of the step's start.
  Outcome slope_at_end(double t);
  /// The norm of an error estimate e = (e_theta, e_u, e_z), in units of the accuracy; projected, once the step has arrived.
  double error_norm(double* e, bool project) const;

  Vector q0_, x0_;        // the step's start; theta is zero in x0
  Vector x1_;             // its end in that chart
  Vector q_new_, v_new_;  // its end
  mutable Vector q_, x_;  // of the stage at hand
  Vector error_estimate_;
  double error_ = 0;

 private:
  Outcome begin(double t_limit);
  double first_step(double t_limit) const;
  StepReport fixed_step(double t_limit);
  StepReport controlled_step(double t_limit);
  void accept(double h, double t_end);
  /// attempt(), which fails where a wheel goes through lying flat.
  Outcome attempt_upright(double h, bool error_wanted);

  FlatWheels wheels_;
  stepping::ErrorControl control_;
  stepping::GustafssonController controller_;
  stepping::StepClock clock_;  // of fixed steps
  int error_order_, end_;
  mutable Vector slopes_;
  bool fresh_ = true;  // the slope at the start has to be computed
};

}  // namespace polhode::projected
