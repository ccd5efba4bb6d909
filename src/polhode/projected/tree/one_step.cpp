#include "polhode/projected/tree/one_step.h"

#include <algorithm>
#include <cmath>

namespace polhode::projected {

OneStep::OneStep(const Mechanism& mechanism, const Options& options, int error_order, int slopes)
    : Integrator(mechanism, options),
      wheels_(mechanism),
      controller_(error_order),
      error_order_(error_order),
      end_(slopes - 1) {
  const std::size_t n = std::size_t(num_x());
  for (Vector* q : {&q0_, &q_, &q_new_}) q->resize(q1_.size());
  for (Vector* x : {&x0_, &x1_, &x_, &error_estimate_}) x->resize(n);
  v_new_.resize(v1_.size());
  slopes_.resize(n * std::size_t(slopes));
}

OneStep::Outcome OneStep::begin(double t_limit) {
  const bool pushed_anew = take_outside();
  if (fresh_ && !system_.is_free()) {
    // What was set from outside need not meet the constraints to the tolerance of this study.
    q_new_ = q1_, v_new_ = v1_;
    if (!system_.project(t1_, q_new_.data(), v_new_.data(), v_new_.data() + system_.num_u())) return Outcome::off_constraints;
    q1_.swap(q_new_), v1_.swap(v_new_);
  }
  t0_ = t1_;
  q0_ = q1_;
  std::copy(v1_.begin(), v1_.end(), x0_.begin() + num_chart());
  if (fresh_) {
    clock_.start(t1_);
    if (const Outcome outcome = evaluate_stage(t0_, x0_.data(), k(0)); outcome != Outcome::done) return outcome;
    if (!options_.fixed_step) control_.start(first_step(t_limit));
    fresh_ = false;
  } else if (pushed_anew) {
    if (const Outcome outcome = evaluate_stage(t0_, x0_.data(), k(0)); outcome != Outcome::done) return outcome;
  } else {
    // The last step's end is this one's start. Its chart is another, in which the rates of curved joints differ.
    std::copy_n(k_end(), num_x(), k(0));
    system_.charts().curved_rates(q0_.data(), x0_.data(), x0_.data() + num_chart(), k(0));
  }
  return Outcome::done;
}

void OneStep::set(const State& state) {
  Integrator::set(state);
  wheels_.set_enabled(state.enabled());
  control_.forget_pace();
}

OneStep::Outcome OneStep::attempt_upright(double h, bool error_wanted) {
  const Outcome outcome = attempt(h, error_wanted);
  if (outcome != Outcome::done || !wheels_.any()) return outcome;
  return wheels_.turn_over(q0_, q_new_) ? Outcome::flat_wheel : Outcome::done;
}

bool OneStep::remember(Memory& memory) {
  memory(control_, controller_, clock_, slopes_, fresh_, error_);
  return Integrator::remember(memory);
}

/// A step over which speeds change by about accuracy^(1/order) of their scale; error control corrects what is wrong with it.
double OneStep::first_step(double t_limit) const {
  double worst = 1e-3;
  for (int i = 0; i < num_x(); ++i) {
    const double scale = i < num_chart() ? 1.0 : std::max(1.0, std::abs(x0_[std::size_t(i)]));
    worst = std::max(worst, std::abs(k(0)[i]) / scale);
  }
  const double h = 0.1 * std::pow(options_.accuracy, 1.0 / error_order_) / worst;
  return std::min({h, options_.largest_step, t_limit - t1_});
}

/// [rad], [m]: steps that projection has to move so far are too long for error control.
constexpr double most_moved = 0.1;

OneStep::Outcome OneStep::arrive(double t) {
  system_.charts().retract(q0_.data(), x1_.data(), q_new_.data());
  std::copy(x1_.begin() + num_chart(), x1_.end(), v_new_.begin());
  if (!system_.project(t, q_new_.data(), v_new_.data(), v_new_.data() + system_.num_u())) return Outcome::off_constraints;
  // Where constraints and signals determine all that moves, no error is left for the estimate to see, and a long step could
  // close a loop in its other branch.
  if (!options_.fixed_step && system_.moved() > most_moved) return Outcome::off_constraints;
  return Outcome::done;
}

OneStep::Outcome OneStep::slope_at_end(double t) {
  const int nu = system_.num_u();
  double* const x_dot = k_end();
  ++statistics_.evaluations;
  if (!system_.derivatives(t, q_new_.data(), v_new_.data(), v_new_.data() + nu, x_dot + num_chart(), x_dot + num_chart() + nu))
    return Outcome::not_finite;
  system_.charts().rates(q_new_.data(), x1_.data(), v_new_.data(), x_dot);
  return Outcome::done;
}

double OneStep::error_norm(double* e, bool project) const {
  double* const e_u = e + num_chart();
  if (project) system_.project_error(e, e_u);
  return system_.error_norm(e, e_u, e_u + system_.num_u(), x0_.data() + num_chart(), x1_.data() + num_chart());
}

void OneStep::accept(double h, double t_end) {
  q1_.swap(q_new_);
  v1_.swap(v_new_);
  t1_ = t_end;
  std::copy_n(system_.motion_forces().begin(), driving_forces_.size(), driving_forces_.begin());
  count_step(h);
}

StepReport OneStep::advance(double t_limit) {
  if (const Outcome outcome = begin(t_limit); outcome != Outcome::done) return failed(outcome, 0);
  return options_.fixed_step ? fixed_step(t_limit) : controlled_step(t_limit);
}

StepReport OneStep::fixed_step(double t_limit) {
  const double whole = *options_.fixed_step;
  const stepping::NextStep next = stepping::StepClock::next(t_limit, t0_, whole);
  if (const Outcome outcome = attempt_upright(next.h, false); outcome != Outcome::done) return failed(outcome, next.h);
  accept(next.h, clock_.pass(next, t_limit, whole));
  return {StepReport::Status::done, t1_, next.h, 0, -1};
}

StepReport OneStep::controlled_step(double t_limit) {
  using stepping::ErrorControl, stepping::Verdict;
  Outcome outcome = Outcome::done;
  const auto judge = [&](double h, int) -> Verdict {
    outcome = attempt_upright(h, true);
    if (outcome != Outcome::done && h < 1e-12) return {};
    const double error = outcome == Outcome::done && std::isfinite(error_) ? error_ : 1e10;
    return {error <= 1 ? Verdict::Kind::accept : Verdict::Kind::reject, controller_.factor(error)};
  };
  const ErrorControl::Found found = control_.find(t0_, t_limit, options_.largest_step, statistics_.rejected, judge);
  const double h = found.step.h;
  if (found.outcome == ErrorControl::Outcome::failed) return failed(outcome, h);
  if (found.outcome == ErrorControl::Outcome::too_small) return {StepReport::Status::too_small, t1_, h, error_, worst_speed()};
  accept(h, found.t_end(t0_, t_limit));
  return {StepReport::Status::done, t1_, h, error_, -1};
}

void OneStep::interpolant(double t, double* q, double* v) const {
  interpolate_x((t - t0_) / (t1_ - t0_), x_.data());
  system_.charts().retract(q0_.data(), x_.data(), q);
  std::copy(x_.begin() + num_chart(), x_.end(), v);
}

void OneStep::interpolate_x(double s, double* x) const {
  const double h = t1_ - t0_;
  const double a = s * s * (3 - 2 * s), b0 = h * s * (1 - s) * (1 - s), b1 = h * s * s * (s - 1);
  const double *const k0 = k(0), *const k1 = k_end();
  for (int i = 0; i < num_x(); ++i) {
    const std::size_t j = std::size_t(i);
    x[i] = x0_[j] + a * (x1_[j] - x0_[j]) + b0 * k0[i] + b1 * k1[i];
  }
}

int OneStep::worst_speed() const {
  const int nc = num_chart(), nu = system_.num_u();
  const int slopes = int(slopes_.size()) / std::max(1, num_x());
  for (int i = 0; i < slopes; ++i)
    for (int j = 0; j < nu; ++j)
      if (!std::isfinite(k(i)[nc + j])) return j;
  int worst = -1;
  double largest = 0;
  for (int j = 0; j < nu; ++j)
    if (const double size = std::abs(k(0)[nc + j]); size > largest) largest = size, worst = j;
  return worst;
}

}  // namespace polhode::projected
