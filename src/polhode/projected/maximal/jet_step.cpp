#include "polhode/projected/maximal/jet_step.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "polhode/projected/maximal/acceptance.h"

namespace polhode::projected {
namespace {

using Tableau = JetStep::Tableau;

/// Weights of the solution of order 4, which uses the slope at the end of the step too.
constexpr std::array<double, Tableau::stages + 1> b_hat = [] {
  std::array<double, Tableau::stages + 1> weights{};
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = (j < Tableau::stages ? Tableau::b[j] : 0) - Tableau::e[j];
  return weights;
}();

/// out = x0 + h sum_j weights[j] k_j over count slopes of n numbers each.
void combine(const std::vector<double>& x0, double h, const double* weights, int count, const double* slopes,
             std::vector<double>& out) {
  const int n = int(x0.size());
  std::copy_n(x0.data(), n, out.data());
  for (int j = 0; j < count; ++j) {
    if (weights[j] == 0) continue;
    const double w = h * weights[j];
    const double* const k = slopes + std::size_t(j) * std::size_t(n);
    for (int i = 0; i < n; ++i) out[std::size_t(i)] += w * k[i];
  }
}

JetStepOutcome off(JetOutcome outcome) {
  return outcome == JetOutcome::not_finite ? JetStepOutcome::not_finite : JetStepOutcome::off_constraints;
}

/// Of joints that turn any number of times.
bool begins_with_an_angle(const JointModel& model) {
  return std::holds_alternative<Revolute>(model) || std::holds_alternative<Screw>(model) ||
         std::holds_alternative<Cylindrical>(model) || std::holds_alternative<Planar>(model);
}

}  // namespace

JetStep::JetStep(const Mechanism& mechanism, const MaximalProjectedOptions& options)
    : options_(options),
      map_(mechanism),
      wheels_(mechanism),
      q_(mechanism.initial_q()),
      u_(mechanism.initial_u()),
      bodies_(std::size_t(mechanism.num_bodies())) {}

void JetStep::restart(JetParts& parts, const State& state, const maximal::Bodies& bodies) {
  const std::size_t size = std::size_t(parts.nx());
  for (Vector* x : {&x0_, &x1_, &x_, &x_new_, &x_hat_}) x->assign(size, 0.0);
  slopes_.assign(size * (Tableau::stages + 1), 0.0);
  parts.system.read_bodies(bodies, x1_.data(), x1_.data() + parts.n());
  std::copy(state.z().begin(), state.z().end(), x1_.begin() + 2 * parts.n());
  std::copy(bodies.begin(), bodies.end(), bodies_.begin());
  wheels_.set_enabled(state.enabled());
}

void JetStep::go_on() {
  x0_ = x1_;
  std::copy_n(k(Tableau::stages), x0_.size(), k(0));
}

JetStep::Outcome JetStep::slope_at_start(JetParts& parts, double t, JetCounters& counters) {
  return slope(parts, t, x0_.data(), k(0), counters);
}

JetStep::Outcome JetStep::slope(JetParts& parts, double t, const double* x, double* x_dot, JetCounters& counters) {
  const int n = parts.n();
  const double *const y = x, *const y1 = x + n;
  parts.system.place(t, y, y1);
  parts.system.set_z(x + 2 * n);
  if (!parts.system.distribution(y, y1, x_dot + n, counters))
    return parts.system.failed_body() > 0 ? Outcome::no_inertia : Outcome::not_finite;
  std::copy_n(y1, n, x_dot);
  double *const z_dot = x_dot + 2 * n, &power = x_dot[parts.nx() - 1];
  parts.system.z_rates(z_dot);
  power = parts.invariants.needs_work() ? parts.system.external_power() : 0;
  return std::all_of(z_dot, &power + 1, [](double a) { return std::isfinite(a); }) ? Outcome::done : Outcome::not_finite;
}

/// Thirty times the error allowed; in fixed steps nobody says what is allowed.
double JetStep::most_change() const {
  return options_.fixed_step ? acceptance::fixed_step_change : acceptance::times_accuracy * options_.accuracy;
}

/// Stages need not be nearer to the constraints than what their slopes are good for: an error there comes in times h.
double JetStep::stage_tolerance() const {
  return options_.fixed_step ? options_.tolerance : std::max(options_.tolerance, acceptance::of_stages * options_.accuracy);
}

void JetStep::predict(const From& from, double time, Vector& q) const {
  std::copy(from.q.begin(), from.q.end(), q.begin());
  for (const maximal::JointCoordinates& of_joint : map_.joints()) {
    const Joint& joint = of_joint.joint();
    if (joint.nq != joint.nu) continue;
    double* const of = q.data() + joint.first_q;
    for (int i = 0; i < joint.nq; ++i) {
      const std::size_t k = std::size_t(joint.first_u + i);
      of[i] += time * (from.u[k] + 0.5 * time * from.u_dot[k]);
    }
    const double* const last = from.q.data() + joint.first_q;
    if (of_joint.has_singular_place() && !(of_joint.is_regular(last) && of_joint.is_regular(of)))
      std::copy_n(last, joint.nq, of);
  }
}

JetStep::Outcome JetStep::attempt(JetParts& parts, const From& from, double h, const JetAttempt& wanted,
                                  JetCounters& counters) {
  for (int i = 1; i < Tableau::stages; ++i) {
    combine(x0_, h, Tableau::a[i], i, k(0), x_);
    const double t = std::min(from.t + Tableau::c[i] * h, from.t_most);
    predict(from, Tableau::c[i] * h, q_);
    parts.system.set_near(q_);
    if (const JetOutcome on =
            parts.projection.onto_constraints(t, x_.data(), x_.data() + parts.n(), stage_tolerance(), counters);
        on != JetOutcome::done)
      return off(on);
    if (const Outcome outcome = slope(parts, t, x_.data(), k(i), counters); outcome != Outcome::done) return outcome;
  }
  predict(from, h, q_);
  parts.system.set_near(q_);
  const Outcome outcome = arrive(parts, from, h, wanted.solutions, Invariants::restored, counters);
  if (outcome == Outcome::done && wheels_.any()) {
    parts.system.coordinates().to_bodies(x_new_.data(), x_new_.data() + parts.n(), bodies_);
    if (wheels_.turn_over(from.bodies, bodies_)) return Outcome::flat_wheel;
  }
  // Near rest, restoring invariants is ill-conditioned or impossible. What the step is like without them tells such a place
  // from a step that is too long.
  const bool suspect = wanted.doubts == JetAttempt::Doubts::about_invariants && !(error_ <= 1) && parts.invariants.any();
  if (outcome != Outcome::done || wanted.solutions == Solutions::one || (restored_ && !suspect)) return outcome;
  return arrive(parts, from, h, Solutions::both, Invariants::let_be, counters);
}

/// Angles are counted on from where they were predicted to be. Where that is off by more than a quarter of a turn of what the
/// speeds at both ends of the step say, a full turn may have been lost, and with it what rows and forces on angles mean.
bool JetStep::turns_are_counted(JetParts& parts, const From& from, double h) {
  parts.system.coordinates().to_bodies(x_new_.data(), x_new_.data() + parts.n(), bodies_);
  predict(from, h, q_);
  map_.to_tree(bodies_, q_, u_);
  for (const maximal::JointCoordinates& of_joint : map_.joints()) {
    const Joint& joint = of_joint.joint();
    if (!begins_with_an_angle(joint.model)) continue;
    const std::size_t k = std::size_t(joint.first_u), at = std::size_t(joint.first_q);
    if (std::abs(q_[at] - from.q[at] - 0.5 * h * (from.u[k] + u_[k])) > 0.5 * pi) return false;
  }
  return true;
}

/// The solutions of order 5 and, where it is wanted, of order 4, on Mtheta and Mhc, and on Minv if they can be.
JetStep::Outcome JetStep::arrive(JetParts& parts, const From& from, double h, Solutions solutions, Invariants invariants,
                                 JetCounters& counters) {
  const double t = std::min(from.t + h, from.t_most);
  const auto project = [&](Vector& x, JetProjection::Point point) {
    double *const y = x.data(), *const y1 = y + parts.n();
    if (invariants == Invariants::let_be) return parts.projection.onto_constraints(t, y, y1, counters);
    return parts.projection.onto_all(t, y, y1, x.back(), most_change(), counters, point);
  };
  combine(x0_, h, Tableau::b, Tableau::stages, k(0), x_new_);
  if (const JetOutcome on = project(x_new_, JetProjection::Point::elsewhere); on != JetOutcome::done) return off(on);
  restored_ = (invariants == Invariants::restored && parts.projection.restored()) || !parts.invariants.any();
  if (const Outcome outcome = slope(parts, t, x_new_.data(), k(Tableau::stages), counters); outcome != Outcome::done)
    return outcome;
  if (solutions == Solutions::one) return Outcome::done;
  combine(x0_, h, b_hat.data(), Tableau::stages + 1, k(0), x_hat_);
  if (const JetOutcome on = project(x_hat_, JetProjection::Point::near_last); on != JetOutcome::done) return off(on);
  restored_ = restored_ && (!parts.invariants.any() || parts.projection.restored());
  error_ = error_norm(parts, x_new_.data(), x_hat_.data());
  return Outcome::done;
}

/// Hairer, Norsett and Wanner's norm (Solving ODEs I, II.4), which Tuomela, Arponen & Normi use: 1 is the limit.
double JetStep::error_norm(const JetParts& parts, const double* a, const double* b) const {
  const int n = parts.nx() - 1;  // all but W_ext
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double allowed = options_.accuracy * (1 + std::max(std::abs(x0_[std::size_t(i)]), std::abs(a[i])));
    sum += (a[i] - b[i]) * (a[i] - b[i]) / (allowed * allowed);
  }
  const double error = std::sqrt(sum / std::max(1, n));
  if (!parts.invariants.needs_work() || parts.system.constraints().driven().empty()) return error;
  // Where all that moves follows signals, bodies are where they should be after a step of any length: then it is the work that
  // tells how long it may be.
  const std::size_t work = std::size_t(n);
  return std::max(error, std::abs(a[work] - b[work]) / (options_.accuracy * (1 + std::abs(a[work]))));
}

const JetStep::Vector& JetStep::interpolate(JetParts& parts, const Times& step, double t, std::span<const double> near) {
  const double h = step.end - step.begin;
  const auto weights = Tableau::interpolant((t - step.begin) / h);
  combine(x0_, h, weights.data(), Tableau::interpolant_slopes, k(0), x_);
  parts.system.set_near(near);
  // Between two points that are on the manifolds nothing can go wrong that matters.
  JetCounters not_counted;
  parts.projection.onto_all(t, x_.data(), x_.data() + parts.n(), x_.back(), most_change(), not_counted);
  return x_;
}

}  // namespace polhode::projected
