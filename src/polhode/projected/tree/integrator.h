#pragma once
#include <vector>

#include "polhode/projected/tree/options.h"
#include "polhode/projected/tree/system.h"
#include "polhode/state/outside.h"
#include "polhode/stepping/piecewise_stepper.h"

namespace polhode::projected {

/// What all integrators of tree-projected share: the state at the end of the last step, its record, failures in words.
///
/// They work on x = (theta, u, z): the joints' chart coordinates around the step's start q0, where theta = 0, then speeds and
/// auxiliary states. The state (q1, u1, z1) changes only when a step is accepted, so that it is the last good one
/// after any failure, whatever was thrown.
class Integrator : public stepping::PiecewiseStepper {
 public:
  static constexpr std::string_view method_name = "tree-projected";
  static constexpr MethodFeatures features{.loop_joints = true,
                                           .constraints = true,
                                           .kinematic = true,
                                           .motions = true,
                                           .single_speeds = true,
                                           .laws = true,
                                           .fast = true,
                                           .locks = true,
                                           .switching = true,
                                           .auxiliary = true,
                                           .velocity_rows = true,
                                           .acceleration_rows = true,
                                           .own_speeds = true};

  std::string_view method() const override { return method_name; }
  ResolvedOptions resolved_options() const override;
  void set(const State& state) override;
  void set_inputs(std::span<const double> inputs) override;
  void set_applied_forces(std::span<const double> forces) override;
  void get(State& state) const override;
  void interpolate(double t, State& state) const override;
  std::span<const double> driving_forces() const override { return driving_forces_; }
  bool remember(Memory& memory) override;
  std::string explain(const StepReport& report) const override;

 protected:
  using Vector = std::vector<double>;

  Integrator(const Mechanism& mechanism, const Options& options);

  /// q and v = (u, z) at a time inside the last step, t0 < t < t1, by the method's interpolant.
  virtual void interpolant(double t, double* q, double* v) const = 0;
  virtual int worst_speed() const { return -1; }
  /// The constraint whose wheel lies flat, in words.
  virtual std::string flat_wheel() const { return {}; }

  int num_chart() const { return system_.num_chart(); }
  int num_v() const { return system_.num_u() + system_.num_z(); }
  int num_x() const { return num_chart() + num_v(); }

  enum class Outcome { done, not_finite, no_convergence, off_constraints, jump, flat_wheel };

  /// dx/dt at the chart coordinates, speeds and auxiliary states x, around q0; leaves the configuration in q, and in x the
  /// speeds that are driven as they are.
  Outcome evaluate(double t, const double* q0, double* x, double* q, double* x_dot) const;

  StepReport failed(Outcome outcome, double h) const;

  /// At the start of a step: what is to act from now on acts. True where that is other than in the last step, whose slopes then
  /// say nothing of this one.
  bool take_outside();

  Options options_;
  mutable System system_;  // mutable: interpolants may evaluate, which writes to its memory only
  Vector q1_, v1_;         // the end of the last step
  mutable Vector scratch_q_, scratch_v_;
  Vector driving_forces_;  // of the last step; empty where nothing is driven
  mutable Outcome last_failure_ = Outcome::done;

 private:
  int find_jump() final { return system_.jumping_speed(t1_, q1_.data()); }
  StepReport refuse_jump(int speed) final;

  void note_outside();

  // What acts from the next step on, and what acted in the last one, to which its interpolant belongs.
  Outside outside_, acting_;
  bool outside_changed_ = false;
  bool is_made_ = false;  // with all coordinates zero, which may miss constraints
};

}  // namespace polhode::projected
