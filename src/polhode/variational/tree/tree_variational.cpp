#include "polhode/variational/tree/tree_variational.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "polhode/mechanism/conservation.h"
#include "polhode/stepping/texts.h"
#include "polhode/variational/chart_interpolation.h"
#include "polhode/variational/composition.h"
#include "polhode/variational/tree/acceptance.h"
#include "polhode/variational/tree/method.h"

namespace polhode::variational {

namespace {

Mechanism checked(const Mechanism& mechanism, const TreeVariationalOptions& options) {
  require_none(unsupported_by_tree_variational(mechanism));
  require_no_objection(objection(options));
  return mechanism;
}

}  // namespace

TreeVariational::TreeVariational(const Mechanism& mechanism, const TreeVariationalOptions& options)
    : HalvingStepper(options.step, options.max_halvings),
      mechanism_(checked(mechanism, options)),
      options_(options),
      midpoint_(mechanism, options.alpha, {.tolerance = options.tolerance, .step = options.step}),
      momentum_map_(mechanism),
      outside_(State(mechanism)),
      conservative_(keeps_energy(mechanism)) {
  if (options.choose_steps())
    density_.emplace(State(mechanism), StepDensity::wanted(options.accuracy, options.largest_step, options.order));
  const std::size_t n = std::size_t(mechanism.num_u()), nq = std::size_t(mechanism.num_q());
  for (auto* q : {&q0_, &q1_, &q_next_, &scratch_q_}) q->resize(nq);
  for (auto* u : {&p0_, &p1_, &p_next_, &theta_, &scratch_u_, &scratch_u0_, &scratch_theta_}) u->resize(n);
  for (auto* by_row : {&lambda_, &forces_of_constraints_}) by_row->resize(std::size_t(midpoint_.num_rows()));
  for (Past& past : past_) past.rate.resize(n);
  saved_q_.assign(options.max_halvings, Numbers(nq));
  saved_p_.assign(options.max_halvings, Numbers(n));
  put(State(mechanism));
}

ResolvedOptions TreeVariational::resolved_options() const {
  if (!density_) return tree_variational_options().resolved(options_);
  auto in_force = options_;
  in_force.accuracy = density_->in_force().accuracy;
  in_force.largest_step = density_->in_force().largest_step;
  return tree_variational_options().resolved(in_force, {"dt"});
}

void TreeVariational::set_enabled(std::span<const char> enabled) {
  if (!midpoint_.set_enabled(enabled)) return;
  momentum_map_.set_enabled(enabled);
  for (auto* by_row : {&lambda_, &forces_of_constraints_}) by_row->assign(std::size_t(midpoint_.num_rows()), 0.0);
}

void TreeVariational::set(const State& state) {
  require_same(mechanism_, state);
  require_supported(state, features, method_name);
  set_enabled(state.enabled());
  midpoint_.require_met(state);
  put(state);
}

void TreeVariational::put(const State& state) {
  t1_ = state.time();
  midpoint_.set_driven(state);
  momentum_map_.hold(midpoint_.paths().driven());
  std::copy(state.q().begin(), state.q().end(), q1_.begin());
  std::copy(state.u().begin(), state.u().end(), past_[0].rate.begin());
  momentum_map_.momenta(q1_, state.u(), p1_);
  past_[0].t_mid = t1_;
  outside_.set(state);
  if (density_) density_->set(state);
  begin();
}

void TreeVariational::set(double t, double h, std::span<const double> before, std::span<const double> now) {
  if (before.size() != q1_.size() || now.size() != q1_.size())
    throw std::invalid_argument(fmt::format("configurations of {} and {} coordinates were given; the mechanism has {}",
                                            before.size(), now.size(), q1_.size()));
  if (!(h > 0)) throw std::invalid_argument(fmt::format("the time {} s between two configurations must be positive", h));
  t1_ = t;
  std::copy(now.begin(), now.end(), q1_.begin());
  std::fill(p1_.begin(), p1_.end(), 0.0);
  State from(mechanism_);
  from.set_time(t);
  from.set_q(now);
  midpoint_.set_driven(from);
  momentum_map_.hold(midpoint_.paths().driven());
  midpoint_.start(t - h, before, p1_, outside_);
  midpoint_.increment_to(now, theta_);
  midpoint_.momentum_of_increment(h, theta_, p1_);
  for (std::size_t u = 0; u < theta_.size(); ++u) past_[0].rate[u] = theta_[u] / h;
  past_[0].t_mid = t - 0.5 * h;
  if (density_) density_->restart();
  begin();
}

/// From (t1, q1, p1) and one known rate.
void TreeVariational::begin() {
  midpoint_.allow_gaps(q1_);
  start_clock(t1_);
  t0_ = t1_;
  q0_ = q1_;
  p0_ = p1_;
  known_ = points_ = 1;
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  watches_energy_ = false;
  // With steps that vary it may err as they let it.
  energy_is_kept_ = !outside_.any_force() && conservative_ && midpoint_.paths().at_rest() && !density_;
  if (!energy_is_kept_) return;
  energy_start_ = energy(t1_, q1_, p1_);
  energy_scale_ = energy_scale(momentum_map_.kinetic_energy());
}

void TreeVariational::set_inputs(std::span<const double> inputs) {
  if (outside_.set_inputs(mechanism_, inputs) && density_) density_->change(outside_);
}

/// Once pushed, the mechanism has another energy than at the start.
void TreeVariational::set_applied_forces(std::span<const double> forces) {
  if (outside_.set_applied_forces(mechanism_, forces) && density_) density_->change(outside_);
  if (outside_.any_force()) energy_is_kept_ = watches_energy_ = false;
}

void TreeVariational::get(State& state) const {
  require_same(mechanism_, state);
  speeds(t1_, q1_, p1_, scratch_u_, midpoint_.rows_at(t1_, q1_));
  state.set_time(t1_);
  state.set_q(q1_);
  state.set_u(scratch_u_);
  outside_.give(state);
}

/// What the rates of the last `points` steps extrapolate to at the middle of the next one (Lagrange), times h.
void TreeVariational::extrapolate(int points, double t_mid, double h, Numbers& theta) const {
  std::fill(theta.begin(), theta.end(), 0.0);
  for (int i = 0; i < points; ++i) {
    double weight = h;
    for (int j = 0; j < points; ++j)
      if (j != i) weight *= (t_mid - past_[j].t_mid) / (past_[i].t_mid - past_[j].t_mid);
    for (std::size_t u = 0; u < theta.size(); ++u) theta[u] += weight * past_[i].rate[u];
  }
}

/// How many points to extrapolate from next time: those that would have come nearest to what the step turned out to be.
void TreeVariational::learn(double t_mid, double h) {
  double least = std::numeric_limits<double>::infinity();
  for (int points = known_; points >= 1; --points) {
    extrapolate(points, t_mid, h, scratch_theta_);
    double error = 0;
    for (std::size_t u = 0; u < theta_.size(); ++u) error = std::max(error, std::abs(scratch_theta_[u] - theta_[u]));
    if (error < least) {
      least = error;
      points_ = points;
    }
  }
  std::rotate(past_.begin(), past_.end() - 1, past_.end());
  past_[0].t_mid = t_mid;
  for (std::size_t u = 0; u < theta_.size(); ++u) past_[0].rate[u] = theta_[u] / h;
  if (known_ < history && points_ == known_) ++points_;
  known_ = std::min(known_ + 1, history);
}

/// Whether the step just solved, from q1 to q_next, can be trusted (acceptance.h).
///
/// Steps of one size keep energy in the long run, with errors that come and go. A change of size in the middle of a violent
/// motion would make a passing error a lasting one. So once motion has become violent, and steps may have to be halved, energy
/// is watched where it is kept: its error at the end of a step must stay small.
bool TreeVariational::is_resolved(double t, double h) {
  double change = 0;
  for (const Link& link : midpoint_.tree().links())
    if (link.kind != Link::Kind::slider)
      for (int u = link.first_u; u < link.first_u + link.nu; ++u)
        change = std::max(change, std::abs(theta_[u] - h * past_[0].rate[u]));
  if (change > acceptance::violent_change) watch_energy(t);
  if (change > acceptance::most_change) return false;
  if (change < acceptance::harmless_change || !watches_energy_) return true;
  return std::abs(energy(t + h, q_next_, p_next_) - energy_start_) <= energy_allowed_;
}

/// From the state at t on, at which the next step starts.
void TreeVariational::watch_energy(double t) {
  if (watches_energy_ || !energy_is_kept_) return;
  const double small = midpoint_.num_rows() == 0 ? acceptance::energy_error : acceptance::energy_error_with_constraints;
  const double error = std::abs(energy(t, q1_, p1_) - energy_start_);
  watches_energy_ = true;
  energy_allowed_ = std::max(small * energy_scale_, acceptance::energy_error_growth * error);
}

double TreeVariational::energy(double t, const Numbers& q, const Numbers& p) {
  speeds(t, q, p, scratch_u_);
  return momentum_map_.energy(t, q, scratch_u_);
}

/// By how much the energy can vary: what it takes to lift everything by the distances between joints, or the kinetic energy.
double TreeVariational::energy_scale(double kinetic) const {
  const DiscreteTree& tree = midpoint_.tree();
  double weight = 0;
  for (const Link& link : tree.links())
    weight += tree.gravity() * link.mass_outboard * std::hypot(link.p_PF[0], link.p_PF[1], link.p_PF[2]);
  return std::max(weight, kinetic);
}

bool TreeVariational::solve(double h) {
  const NewtonReport report = midpoint_.solve(h, theta_, lambda_, q_next_, p_next_);
  statistics_.newton_iterations += report.iterations;
  ++statistics_.evaluations;
  if (report.ok()) {
    constraint_error_ = report.constraint_error;
  } else {
    failure_ = report;
    failed_step_ = std::abs(h);
  }
  return report.ok();
}

bool TreeVariational::substep(double t, double h, bool smallest) {
  const double t_mid = t + 0.5 * h;
  midpoint_.start(t, q1_, p1_, outside_);
  extrapolate(points_, t_mid, h, theta_);
  const bool solved = solve(h);
  if (!solved) watch_energy(t);
  if (!solved || !(smallest || is_resolved(t, h))) {
    std::fill(lambda_.begin(), lambda_.end(), 0.0);
    points_ = 1;
    return false;
  }
  learn(t_mid, h);
  q1_.swap(q_next_);
  p1_.swap(p_next_);
  for (std::size_t i = 0; i < lambda_.size(); ++i) forces_of_constraints_[i] = lambda_[i] / h;
  return true;
}

bool TreeVariational::attempt(double t, double h, int halvings) {
  double at = t;
  for (const double fraction : composition(options_.order)) {
    if (!substep(at, fraction * h, halvings == max_halvings())) return false;
    at += fraction * h;
  }
  return true;
}

void TreeVariational::save(int halvings) {
  Numbers &q = halvings == 0 ? q0_ : saved_q_[halvings - 1], &p = halvings == 0 ? p0_ : saved_p_[halvings - 1];
  q = q1_;
  p = p1_;
}

void TreeVariational::go_back(int halvings) {
  q1_ = halvings == 0 ? q0_ : saved_q_[halvings - 1];
  p1_ = halvings == 0 ? p0_ : saved_p_[halvings - 1];
}

void TreeVariational::arrive(double t) {
  t0_ = t1_;
  t1_ = t;
  midpoint_.paths().advance(t);
  if (density_) density_->took(t1_ - t0_);
}

std::optional<double> TreeVariational::choose_step() {
  if (!density_) return std::nullopt;
  momentum_map_.speeds(t1_, q1_, p1_, midpoint_.paths(), scratch_u_, midpoint_.rows_at(t1_, q1_));
  return density_->propose(t1_, q1_, scratch_u_);
}

std::vector<Counter> TreeVariational::counters() const {
  if (!density_) return {};
  return {StepDensity::resets_counter(density_->resets())};
}

StepReport TreeVariational::failed(double h) const {
  const auto status =
      failure_.status == NewtonReport::Status::not_finite ? StepReport::Status::not_finite : StepReport::Status::no_convergence;
  return {status, t1_, h, failure_.correction, failure_.worst_speed};
}

bool TreeVariational::remember(Memory& memory) {
  remember_steps(memory);
  memory(outside_, t0_, t1_, energy_is_kept_, watches_energy_, energy_start_, energy_scale_, energy_allowed_, q0_, p0_, q1_,
         p1_, lambda_, forces_of_constraints_, constraint_error_, known_, points_);
  for (Past& past : past_) memory(past);
  midpoint_.paths().remember(memory);
  if (density_) density_->remember(memory, outside_);
  return true;
}

/// Cubic in the joints' charts from the start of the step, with the speeds at both ends; an error of order four.
void TreeVariational::interpolate(double t, State& state) const {
  require_same(mechanism_, state);
  stepping::require_not_before(t0_, t1_, t);
  const double h = t1_ - t0_;
  if (t >= t1_ || h <= 0) return get(state);
  speeds(t0_, q0_, p0_, scratch_u0_);
  speeds(t1_, q1_, p1_, scratch_u_);
  interpolate_charts(mechanism_, (t - t0_) / h, h, {q0_, scratch_u0_}, {q1_, scratch_u_}, scratch_q_, scratch_theta_);
  midpoint_.paths().put_coordinates(t, scratch_q_);
  midpoint_.paths().put_speeds(t, scratch_theta_);
  state.set_time(t);
  state.set_q(scratch_q_);
  state.set_u(scratch_theta_);
  outside_.give(state);
}

std::string TreeVariational::explain(const StepReport& report) const {
  if (report.status == StepReport::Status::limit_passed) return stepping::explain_limit_passed(report.t);
  if (report.ok()) return "done";
  const auto speed_name = [&](int u) { return fmt::format("speed \"{}\"", mechanism_.speed_names()[u]); };
  if (report.status == StepReport::Status::not_finite)
    return fmt::format(
        "t = {:.9g} s: the equations of a step of {:.3g} s gave numbers that are not finite{}. Check masses, forces and "
        "signals "
        "there",
        report.t, failed_step_, failure_.worst_speed >= 0 ? ", first in " + speed_name(failure_.worst_speed) : std::string());
  std::string where = failure_.worst_speed >= 0 ? fmt::format("the equation of {} would still move it by {:.2g}",
                                                              speed_name(failure_.worst_speed), failure_.correction)
                                                : std::string("no equation is at fault alone");
  if (failure_.worst_row >= 0 && failure_.constraint_error > options_.tolerance)
    where +=
        fmt::format("; {} is off by {:.2g}", midpoint_.constraints().row_name(failure_.worst_row), failure_.constraint_error);
  return stepping::explain_no_convergence(
      report.t, failed_step_, where,
      midpoint_.num_rows() > 0 ? stepping::is_it_singular : "Does a force jump there, or is a joint at a singular place?");
}

}  // namespace polhode::variational
