#include "polhode/projected/runge_kutta.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "polhode/tree/applied_forces.h"

namespace polhode::projected {
namespace {

/// out = h sum_i weights[i] k[i].
template <class Stages>
void combine(const double* weights, int stages, double h, const Stages& k, std::vector<double>& out) {
  for (std::size_t j = 0; j < out.size(); ++j) {
    double sum = 0;
    for (int i = 0; i < stages; ++i) sum += weights[i] * k[i][j];
    out[j] = h * sum;
  }
}

void retract(const Mechanism& mechanism, const std::vector<double>& q0, const std::vector<double>& theta,
             std::vector<double>& q1) {
  for (const Joint& joint : mechanism.joints())
    std::visit(
        [&](const auto& model) {
          model.retract(q0.data() + joint.first_q, theta.data() + joint.first_chart, q1.data() + joint.first_q);
        },
        joint.model);
}

bool all_finite(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value - value;  // NaN as soon as one value is not finite
  return sum == 0;
}

void validate(const RungeKuttaOptions& o) {
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (o.fixed_step && !positive(*o.fixed_step))
    throw std::invalid_argument(fmt::format("step {} s must be a positive number", *o.fixed_step));
  if (!positive(o.accuracy) || o.accuracy > 1)
    throw std::invalid_argument(fmt::format("accuracy {} must be between 0 and 1, e.g. 1e-6", o.accuracy));
  if (!positive(o.largest_step))
    throw std::invalid_argument(fmt::format("largest step {} s must be a positive number", o.largest_step));
}

}  // namespace

RungeKutta::RungeKutta(const Mechanism& mechanism, const RungeKuttaOptions& options)
    : mechanism_(mechanism), options_(options), workspace_(mechanism) {
  validate(options);
  require_supported(mechanism, features, method_name);
  const std::size_t nq = std::size_t(mechanism.num_q()), nu = std::size_t(mechanism.num_u()),
                    nc = std::size_t(mechanism.num_chart());
  for (auto* v : {&q0_, &q1_, &q_, &scratch_q_}) v->resize(nq);
  for (auto* v : {&u0_, &u1_, &u_, &scratch_u_, &applied_}) v->resize(nu);
  for (auto* v : {&theta_, &scratch_theta_}) v->resize(nc);
  for (auto& k : k_theta_) k.resize(nc);
  for (auto& k : k_u_) k.resize(nu);
  set(State(mechanism));
}

std::vector<std::pair<std::string, std::string>> RungeKutta::resolved_options() const {
  if (options_.fixed_step) return {{"integrator", "Dormand-Prince 5"}, {"dt", fmt::format("{}", *options_.fixed_step)}};
  return {{"integrator", "Dormand-Prince 5(4)"},
          {"accuracy", fmt::format("{}", options_.accuracy)},
          {"largest step", fmt::format("{}", options_.largest_step)}};
}

void RungeKutta::set(const State& state) {
  require_same(mechanism_, state);
  require_supported(state, features, method_name);
  t0_ = t1_ = start_ = state.time();
  whole_steps_ = 0;
  q1_.assign(state.q().begin(), state.q().end());
  u1_.assign(state.u().begin(), state.u().end());
  q0_ = q1_, u0_ = u1_;
  applied_.assign(state.applied_forces().begin(), state.applied_forces().end());
  fresh_ = true;
}

void RungeKutta::get(State& state) const {
  require_same(mechanism_, state);
  state.set_time(t1_);
  state.set_q(q1_);
  state.set_u(u1_);
}

void RungeKutta::evaluate(int stage, double t) {
  tree::accelerations_under_all_forces(workspace_, t, q_, u_, applied_, k_u_[stage]);
  for (const Joint& joint : mechanism_.joints())
    std::visit(
        [&](const auto& model) {
          model.rate_of_chart(q_.data() + joint.first_q, theta_.data() + joint.first_chart, u_.data() + joint.first_u,
                              k_theta_[stage].data() + joint.first_chart);
        },
        joint.model);
  ++statistics_.evaluations;
}

bool RungeKutta::attempt(double h) {
  for (int i = 1; i < Tableau::stages; ++i) {
    combine(Tableau::a[i], i, h, k_theta_, theta_);
    combine(Tableau::a[i], i, h, k_u_, u_);
    for (std::size_t j = 0; j < u_.size(); ++j) u_[j] += u0_[j];
    retract(mechanism_, q0_, theta_, q_);
    evaluate(i, t0_ + Tableau::c[i] * h);
    if (!all_finite(k_u_[i]) || !all_finite(k_theta_[i])) return false;
  }
  // The last stage was evaluated at the solution itself.
  q1_.swap(q_);
  u1_.swap(u_);
  return true;
}

double RungeKutta::error_of_attempt(double h) const {
  combine(Tableau::e, Tableau::stages, h, k_theta_, scratch_theta_);
  combine(Tableau::e, Tableau::stages, h, k_u_, scratch_u_);
  double sum = 0;
  for (const double e : scratch_theta_) sum += square(e);
  for (std::size_t j = 0; j < scratch_u_.size(); ++j)
    sum += square(scratch_u_[j] / std::max({1.0, std::abs(u0_[j]), std::abs(u1_[j])}));
  const std::size_t count = std::max<std::size_t>(1, scratch_theta_.size() + scratch_u_.size());
  return std::sqrt(sum / double(count)) / options_.accuracy;
}

/// A step over which speeds change by about accuracy^(1/5) of their scale; error control corrects what is wrong with it.
double RungeKutta::first_step(double t_limit) const {
  double worst = 0;
  for (std::size_t j = 0; j < u1_.size(); ++j) worst = std::max(worst, std::abs(k_u_[0][j]) / std::max(1.0, std::abs(u1_[j])));
  for (const double rate : k_theta_[0]) worst = std::max(worst, std::abs(rate));
  const double h = 0.1 * std::pow(options_.accuracy, 1.0 / Tableau::order) / std::max(worst, 1e-3);
  return std::min({h, options_.largest_step, t_limit - t1_});
}

void RungeKutta::accept(double h, double t_end) {
  t1_ = t_end;
  ++statistics_.steps;
  statistics_.smallest_step = statistics_.steps == 1 ? h : std::min(statistics_.smallest_step, h);
  statistics_.largest_step = std::max(statistics_.largest_step, h);
}

StepReport RungeKutta::step(double t_limit) {
  if (!(t_limit >= t1_)) return {StepReport::Status::limit_passed, t1_, 0, 0, -1};
  try {
    return advance(t_limit);
  } catch (...) {
    // A user's force element threw, in the middle of a stage: the start of the step is still there.
    q0_.swap(q1_);
    u0_.swap(u1_);
    fresh_ = true;
    throw;
  }
}

StepReport RungeKutta::advance(double t_limit) {
  // Start from where the last step ended; its last stage is this step's first, unless the start was set from outside.
  t0_ = t1_;
  q0_.swap(q1_);
  u0_.swap(u1_);
  const auto stay = [&](StepReport::Status status, double h) {
    q0_.swap(q1_);
    u0_.swap(u1_);
    fresh_ = true;
    return StepReport{status, t1_, h, 0, worst_speed()};
  };
  if (fresh_) {
    std::fill(theta_.begin(), theta_.end(), 0.0);
    q_ = q0_, u_ = u0_;
    evaluate(0, t0_);
    if (!all_finite(k_u_[0]) || !all_finite(k_theta_[0])) return stay(StepReport::Status::not_finite, 0);
    u1_ = u0_;
    next_step_ = options_.fixed_step ? *options_.fixed_step : first_step(t_limit);
    fresh_ = false;
  } else {
    k_u_[0].swap(k_u_[Tableau::stages - 1]);
    // The chart starts anew at q0, where its rate is that of theta = 0.
    std::fill(theta_.begin(), theta_.end(), 0.0);
    for (const Joint& joint : mechanism_.joints())
      std::visit(
          [&](const auto& model) {
            model.rate_of_chart(q0_.data() + joint.first_q, theta_.data() + joint.first_chart, u0_.data() + joint.first_u,
                                k_theta_[0].data() + joint.first_chart);
          },
          joint.model);
  }

  if (options_.fixed_step) {
    // A last step that would stop short of the limit by rounding only is stretched to it, one that overshoots is cut.
    const double whole = *options_.fixed_step, left = t_limit - t0_;
    const bool last = left < (1 + 1e-9) * whole;
    const double h = last ? left : whole;
    if (!attempt(h)) return stay(StepReport::Status::not_finite, h);
    // Times are multiples of the step, not sums of it: a million sums would drift.
    accept(h, last ? t_limit : start_ + double(++whole_steps_) * whole);
    if (last) start_ = t_limit, whole_steps_ = 0;
    return {StepReport::Status::done, t1_, h, 0, -1};
  }

  double h = std::min(next_step_, options_.largest_step);
  for (;;) {
    const double left = t_limit - t0_;
    const bool last = h >= left * (1 - 1e-9);
    const double taken = last ? left : h;
    if (taken <= 16 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(t0_)) && !last)
      return stay(StepReport::Status::too_small, taken);
    const bool finite = attempt(taken);
    const double error = finite ? error_of_attempt(taken) : 1e10;
    if (!finite && taken < 1e-12) return stay(StepReport::Status::not_finite, taken);
    const double factor = controller_.factor(std::isfinite(error) ? error : 1e10);
    if (error <= 1) {
      // A step cut short by the limit says nothing about a longer one.
      next_step_ = last ? std::max(next_step_, taken * factor) : taken * factor;
      accept(taken, last ? t_limit : t0_ + taken);
      return {StepReport::Status::done, t1_, taken, error, -1};
    }
    h = taken * factor;
    ++statistics_.rejected;
  }
}

void RungeKutta::interpolate(double t, State& state) const {
  require_same(mechanism_, state);
  if (!(t >= t0_))
    throw std::out_of_range(fmt::format("time {} s was asked for, but the last step went from {} to {} s", t, t0_, t1_));
  const double h = t1_ - t0_;
  if (t >= t1_ || h <= 0) return get(state);
  // Stage 1 of the interpolant is the step's first; k_[0] still holds it until the next step begins.
  const auto b = Tableau::interpolant((t - t0_) / h);
  combine(b.data(), Tableau::stages, h, k_theta_, scratch_theta_);
  combine(b.data(), Tableau::stages, h, k_u_, scratch_u_);
  for (std::size_t j = 0; j < scratch_u_.size(); ++j) scratch_u_[j] += u0_[j];
  retract(mechanism_, q0_, scratch_theta_, scratch_q_);
  state.set_time(t);
  state.set_q(scratch_q_);
  state.set_u(scratch_u_);
}

int RungeKutta::worst_speed() const {
  for (const auto& k : k_u_)
    for (std::size_t j = 0; j < k.size(); ++j)
      if (!std::isfinite(k[j])) return int(j);
  int worst = -1;
  double largest = 0;
  for (std::size_t j = 0; j < k_u_[0].size(); ++j)
    if (const double size = std::abs(k_u_[0][j]); size > largest) largest = size, worst = int(j);
  return worst;
}

std::string RungeKutta::explain(const StepReport& report) const {
  const std::string who =
      report.speed >= 0 ? fmt::format("; largest in speed \"{}\"", mechanism_.speed_names()[report.speed]) : std::string();
  if (report.status == StepReport::Status::not_finite)
    return fmt::format("t = {:.9g} s: accelerations are no longer finite numbers{}. Check the masses and forces there{}",
                       report.t, who,
                       options_.fixed_step ? fmt::format(", or try --dt {:.3g}", *options_.fixed_step / 4) : std::string());
  if (report.status == StepReport::Status::too_small)
    return fmt::format(
        "t = {:.9g} s: accuracy {:g} needs steps below {:.3g} s{}. Does a force jump there, or is a joint at a singular place, "
        "such "
        "as a gimbal at 90 degrees? If not, give --accuracy a larger number",
        report.t, options_.accuracy, report.h, who);
  if (report.status == StepReport::Status::limit_passed)
    return fmt::format("t = {:.9g} s: a step was asked for that ends earlier, or at no number", report.t);
  return "done";
}

}  // namespace polhode::projected
