#include "polhode/projected/tree/integrator.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "polhode/projected/flat_wheels.h"
#include "polhode/stepping/texts.h"

namespace polhode::projected {

Integrator::Integrator(const Mechanism& mechanism, const Options& options)
    : PiecewiseStepper(mechanism),
      options_(options),
      system_(mechanism, options),
      outside_(State(mechanism)),
      acting_(outside_) {
  validate(options);
  require_supported(mechanism, features, method_name);
  q1_.resize(std::size_t(system_.num_q()));
  v1_.resize(std::size_t(num_v()));
  scratch_q_ = q1_, scratch_v_ = v1_;
  driving_forces_.reserve(std::size_t(system_.num_u()));
}

ResolvedOptions Integrator::resolved_options() const {
  std::vector<std::string> not_in_force;
  if (options_.fixed_step) not_in_force = {"accuracy", "largest step"};
  if (system_.num_rows() == 0) not_in_force.push_back("constraint tolerance");
  Options in_force = options_;
  in_force.tolerance = options_.constraint_tolerance();
  return tree_projected_options().resolved(in_force, not_in_force);
}

void Integrator::set(const State& state) {
  require_same(system_.mechanism(), state);
  require_supported(state, features, method_name);
  system_.set(state);
  outside_.set(state);
  acting_ = outside_;
  outside_changed_ = false;
  if (is_made_) system_.require_met(state);
  is_made_ = true;
  driving_forces_.assign(system_.motion_forces().begin(), system_.motion_forces().end());
  start_pieces(state.time());
  q1_.assign(state.q().begin(), state.q().end());
  std::copy(state.u().begin(), state.u().end(), v1_.begin());
  std::copy(state.z().begin(), state.z().end(), v1_.begin() + system_.num_u());
  // Fast coordinates are where the forces on them balance from the start on. If they cannot be, the first step says why.
  if (system_.has_fast()) system_.prescribe(t1_, q1_.data(), v1_.data(), v1_.data() + system_.num_u());
  restart();
}

void Integrator::set_inputs(std::span<const double> inputs) {
  if (outside_.set_inputs(system_.mechanism(), inputs)) note_outside();
}
void Integrator::set_applied_forces(std::span<const double> forces) {
  if (outside_.set_applied_forces(system_.mechanism(), forces)) note_outside();
}

void Integrator::note_outside() {
  outside_changed_ = true;
  if (!system_.has_fast()) return;
  // They go at once to where the forces balance from now on. If they cannot, the next step says why.
  system_.set(outside_);
  system_.prescribe(t1_, q1_.data(), v1_.data(), v1_.data() + system_.num_u());
  system_.set(acting_);
}

bool Integrator::take_outside() {
  if (!outside_changed_) return false;
  acting_ = outside_;
  system_.set(acting_);
  outside_changed_ = false;
  return true;
}

void Integrator::get(State& state) const {
  require_same(system_.mechanism(), state);
  const std::span<const double> v(v1_);
  state.set_time(t1_);
  state.set_q(q1_);
  state.set_u(v.first(std::size_t(system_.num_u())));
  if (system_.num_z() > 0) state.set_z(v.subspan(std::size_t(system_.num_u())));
  outside_.give(state);
}

void Integrator::interpolate(double t, State& state) const {
  require_same(system_.mechanism(), state);
  stepping::require_not_before(t0_, t1_, t);
  if (t >= t1_) return get(state);
  interpolant(t, scratch_q_.data(), scratch_v_.data());
  // Interpolation knows nothing of constraints. Between two states that meet them so nearly nothing can go wrong that matters.
  system_.project(t, scratch_q_.data(), scratch_v_.data(), scratch_v_.data() + system_.num_u());
  const std::span<const double> v(scratch_v_);
  state.set_time(t);
  state.set_q(scratch_q_);
  state.set_u(v.first(std::size_t(system_.num_u())));
  if (system_.num_z() > 0) state.set_z(v.subspan(std::size_t(system_.num_u())));
  outside_.give(state);
}

StepReport Integrator::refuse_jump(int speed) {
  last_failure_ = Outcome::jump;
  return {StepReport::Status::no_convergence, t1_, 0, 0, speed};
}

bool Integrator::remember(Memory& memory) {
  remember_pieces(memory);
  memory(q1_, v1_, driving_forces_, outside_, acting_, outside_changed_);
  if (memory.restores()) system_.set(acting_);
  return true;
}

Integrator::Outcome Integrator::evaluate(double t, const double* q0, double* x, double* q, double* x_dot) const {
  const int nc = num_chart(), nu = system_.num_u();
  double *const u = x + nc, *const z = u + nu;
  system_.charts().retract(q0, x, q);
  if (!system_.prescribe(t, q, u, z)) return Outcome::off_constraints;
  ++statistics_.evaluations;
  if (!system_.derivatives(t, q, u, z, x_dot + nc, x_dot + nc + nu)) return Outcome::not_finite;
  system_.charts().rates(q, x, u, x_dot);
  return Outcome::done;
}

StepReport Integrator::failed(Outcome outcome, double h) const {
  last_failure_ = outcome;
  const auto status = outcome == Outcome::not_finite ? StepReport::Status::not_finite : StepReport::Status::no_convergence;
  return {status, t1_, h, 0, outcome == Outcome::off_constraints ? -1 : worst_speed()};
}

std::string Integrator::explain(const StepReport& report) const {
  const std::string who =
      report.speed >= 0 ? fmt::format("; largest in speed \"{}\"", system_.mechanism().speed_names()[std::size_t(report.speed)])
                        : std::string();
  switch (report.status) {
    case StepReport::Status::not_finite: return stepping::explain_not_finite(report.t, who, options_.fixed_step);
    case StepReport::Status::too_small:
      return stepping::explain_too_small(report, options_.accuracy, who,
                                         "a joint at a singular place, such as a gimbal at 90 degrees");
    case StepReport::Status::limit_passed: return stepping::explain_limit_passed(report.t);
    case StepReport::Status::no_convergence:
      if (last_failure_ == Outcome::jump)
        return stepping::explain_jump(report.t,
                                      fmt::format("speed \"{}\"", system_.mechanism().speed_names()[std::size_t(report.speed)]),
                                      "it", method_name);
      if (last_failure_ == Outcome::flat_wheel) return explain_flat_wheel(report.t, flat_wheel(), options_.fixed_step);
      if (last_failure_ == Outcome::off_constraints)
        return system_.explain(report.t) + stepping::or_shorter(options_.fixed_step);
      return fmt::format("t = {:.9g} s: the iteration of integrator {} did not converge in a step of {:.3g} s{}{}", report.t,
                         options_.integrator, report.h, who, stepping::or_shorter(options_.fixed_step));
    case StepReport::Status::done: break;
  }
  return "done";
}

}  // namespace polhode::projected
