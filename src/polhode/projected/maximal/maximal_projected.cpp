#include "polhode/projected/maximal/maximal_projected.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "polhode/mechanism/conservation.h"
#include "polhode/projected/tableaux.h"
#include "polhode/stepping/texts.h"

namespace polhode::projected {
namespace {

using Tableau = DormandPrince54;

/// Weights of the solution of order 4, which uses the slope at the end of the step too.
constexpr std::array<double, Tableau::stages + 1> b_hat = [] {
  std::array<double, Tableau::stages + 1> weights{};
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = (j < Tableau::stages ? Tableau::b[j] : 0) - Tableau::e[j];
  return weights;
}();

/// out = x0 + h sum_j weights[j] k_j over count slopes of n numbers each.
void combine(const double* x0, double h, const double* weights, int count, const double* slopes, int n, double* out) {
  std::copy_n(x0, n, out);
  for (int j = 0; j < count; ++j) {
    if (weights[j] == 0) continue;
    const double w = h * weights[j];
    const double* const k = slopes + std::size_t(j) * std::size_t(n);
    for (int i = 0; i < n; ++i) out[i] += w * k[i];
  }
}

/// The orthogonal projection is that of Tuomela, Arponen & Normi and imposes the energy alone, as theirs does.
std::vector<tree::KeptMomentum> kept_momenta(const Mechanism& mechanism, const MaximalProjectedOptions& options) {
  if (!options.energy || !options.momenta || options.projection != JetProjection::Kind::quasi) return {};
  return tree::kept_momenta(mechanism);
}

}  // namespace

MaximalProjected::Parts::Parts(const State& state, const JetCoordinates& coordinates, std::span<const char> kept_rows,
                               const MaximalProjectedOptions& options)
    : system(state.mechanism(), state.enabled(), coordinates, kept_rows),
      invariants(state.mechanism(), options.energy, keeps_energy(state.mechanism()), options.invariants,
                 kept_momenta(state.mechanism(), options)),
      projection(system, invariants, options.projection, options.tolerance) {}

void MaximalProjected::Parts::restart(const State& state, const Outside& outside) {
  system.set_near(state.q());
  system.set_discrete(state.discrete());
  system.forces().set(outside);
  system.allow_redundant_rows(RedundantRows::none);
  invariants.restart(outside.any_force());
}

MaximalProjected::MaximalProjected(const Mechanism& mechanism, const MaximalProjectedOptions& options)
    : PiecewiseStepper(mechanism),
      mechanism_(mechanism),
      options_(options),
      map_(mechanism),
      outside_(State(mechanism)),
      wheels_(mechanism) {
  require_no_objection(objection(options));
  require_supported(mechanism, features, method_name);
  set(State(mechanism));
  met_.emplace(mechanism);
}

/// Allocates only where parts_serve() does not hold.
void MaximalProjected::set(const State& state) {
  require_same(mechanism_, state);
  require_supported(state, features, method_name);
  if (met_) {  // not where it is made, with all coordinates zero
    met_->require(state);
    dead_ = met_->rows_without_motion(state);
  }
  outside_.set(state);
  outside_changed_ = false;
  start_pieces(state.time());
  map_.to_bodies(state.q(), state.u(), bodies1_);
  if (!parts_serve(state)) make_parts(state);
  parts_->restart(state, outside_);
  q1_.assign(state.q().begin(), state.q().end());
  u1_.assign(state.u().begin(), state.u().end());
  bodies_scratch_ = bodies_at_start_ = bodies1_;
  const std::size_t size = std::size_t(nx());
  for (Vector* x : {&x0_, &x1_, &x_, &x_new_, &x_hat_}) x->assign(size, 0.0);
  slopes_.assign(size * (Tableau::stages + 1), 0.0);
  parts_->system.read_bodies(bodies1_, x1_.data(), x1_.data() + n());
  q_scratch_ = q1_, u_scratch_ = u1_;
  rates_before_.resize(std::size_t(parts_->system.constraints().num_rows()));
  rates_after_ = rates_before_;
  driving_forces_.assign(mechanism_.kinematic().empty() ? 0 : std::size_t(mechanism_.num_u()), 0.0);
  find_driven_rows();
  control_.start(options_.initial_step);
  control_.forget_pace();
  letting_go_ = false, gaps_met_ = 0;
  wheels_.set_enabled(state.enabled());
  restart();
}

void MaximalProjected::set_inputs(std::span<const double> inputs) {
  if (outside_.set_inputs(mechanism_, inputs)) outside_changed_ = true;
}
void MaximalProjected::set_applied_forces(std::span<const double> forces) {
  if (outside_.set_applied_forces(mechanism_, forces)) outside_changed_ = true;
}

/// Kinematic coordinates have the last elements of the constraints, one row each.
void MaximalProjected::find_driven_rows() {
  driven_rows_.clear();
  const JetSystem& system = parts_->system;
  const auto elements = system.constraints().elements();
  const auto& kinematic = mechanism_.kinematic();
  for (int i = 0; i < system.num_rows(); ++i)
    for (std::size_t k = 0; k < kinematic.size(); ++k)
      if (elements[elements.size() - kinematic.size() + k].first_row == system.rows().rows()[std::size_t(i)])
        driven_rows_.emplace_back(i, kinematic[k].u);
}

void MaximalProjected::get(State& state) const {
  require_same(mechanism_, state);
  state.set_time(t1_);
  state.set_q(q1_);
  state.set_u(u1_);
  outside_.give(state);
}

void MaximalProjected::interpolate(double t, State& state) const {
  require_same(mechanism_, state);
  stepping::require_not_before(t0_, t1_, t);
  if (t >= t1_) return get(state);
  const double h = t1_ - t0_;
  const auto weights = Tableau::interpolant((t - t0_) / h);
  combine(x0_.data(), h, weights.data(), Tableau::interpolant_slopes, k(0), nx(), x_.data());
  predict(t - t1_, q_scratch_);
  parts_->system.set_near(q_scratch_);
  // Between two points that are on the manifolds nothing can go wrong that matters.
  double *const y = x_.data(), *const y1 = y + n();
  JetCounters not_counted;
  parts_->projection.onto_all(t, y, y1, x_.back(), most_change(), not_counted);
  parts_->system.coordinates().to_bodies(y, y1, bodies_scratch_);
  map_.to_tree(bodies_scratch_, q_scratch_, u_scratch_);
  state.set_time(t);
  state.set_q(q_scratch_);
  state.set_u(u_scratch_);
  outside_.give(state);
}

MaximalProjected::Outcome MaximalProjected::slope(double t, const double* x, double* x_dot) const {
  const double *const y = x, *const y1 = x + n();
  ++statistics_.evaluations;
  parts_->system.place(t, y, y1);
  if (!parts_->system.distribution(y, y1, x_dot + n(), counters_))
    return parts_->system.failed_body() > 0 ? Outcome::no_inertia : Outcome::not_finite;
  std::copy_n(y1, n(), x_dot);
  x_dot[2 * n()] = parts_->invariants.needs_work() ? parts_->system.external_power() : 0;
  return std::isfinite(x_dot[2 * n()]) ? Outcome::done : Outcome::not_finite;
}

/// At the start of a step before which something from outside has changed.
MaximalProjected::Outcome MaximalProjected::slope_pushed_anew() {
  JetSystem& system = parts_->system;
  system.set_near(q1_);
  system.place(t0_, x0_.data(), x0_.data() + n());
  system.linearize(counters_);
  return slope(t0_, x0_.data(), k(0));
}

MaximalProjected::Outcome MaximalProjected::begin() {
  t0_ = t1_;
  const bool pushed_anew = std::exchange(outside_changed_, false);
  if (pushed_anew) parts_->system.forces().set(outside_);
  if (pushed_anew && outside_.any_force()) parts_->invariants.push();
  if (!fresh_) {
    x0_ = x1_;
    if (pushed_anew) return slope_pushed_anew();
    std::copy_n(k(Tableau::stages), nx(), k(0));
    return Outcome::done;
  }
  parts_->system.set_near(q1_);
  if (!project_start(x1_, x0_)) return Outcome::off_constraints;
  parts_->invariants.keep(parts_->system, x0_.back());
  if (const Outcome outcome = slope(t1_, x0_.data(), k(0)); outcome != Outcome::done) return outcome;
  clock_.start(t1_);
  fresh_ = false;
  return Outcome::done;
}

double MaximalProjected::most_let_go() const {
  return options_.let_go.value_or(options_.fixed_step ? 1e-2 : std::min(1.0, 1e3 * options_.accuracy));
}

/// How far restoring invariants may move a point: thirty times the error allowed; in fixed steps nobody says what is
/// allowed.
double MaximalProjected::most_change() const { return options_.fixed_step ? 1e-2 : 30 * options_.accuracy; }

/// Angles are counted on from where steady turning would have brought them: a step may take more than half a turn. Near a
/// gimbal's singular place no angle turns steadily.
void MaximalProjected::predict(double time, Vector& q) const {
  std::copy(q1_.begin(), q1_.end(), q.begin());
  for (const maximal::JointCoordinates& of_joint : map_.joints()) {
    const Joint& joint = of_joint.joint();
    if (joint.nq != joint.nu) continue;
    double* const of = q.data() + joint.first_q;
    for (int k = 0; k < joint.nq; ++k) of[k] += time * u1_[std::size_t(joint.first_u + k)];
    const double* const last = q1_.data() + joint.first_q;
    if (of_joint.has_singular_place() && !(of_joint.is_regular(last) && of_joint.is_regular(of)))
      std::copy_n(last, joint.nq, of);
  }
}

/// Stages need not be nearer to the constraints than what their slopes are good for: an error there comes in times h.
double MaximalProjected::stage_tolerance() const {
  return options_.fixed_step ? options_.tolerance : std::max(options_.tolerance, 0.1 * options_.accuracy);
}

MaximalProjected::Outcome MaximalProjected::attempt(double h, bool error_wanted, bool suspect) {
  const auto off = [](JetOutcome outcome) {
    return outcome == JetOutcome::not_finite ? Outcome::not_finite : Outcome::off_constraints;
  };
  for (int i = 1; i < Tableau::stages; ++i) {
    combine(x0_.data(), h, Tableau::a[i], i, k(0), nx(), x_.data());
    const double t = std::min(t0_ + Tableau::c[i] * h, t_most_);
    predict(Tableau::c[i] * h, q_scratch_);
    parts_->system.set_near(q_scratch_);
    if (const JetOutcome on = parts_->projection.onto_constraints(t, x_.data(), x_.data() + n(), stage_tolerance(), counters_);
        on != JetOutcome::done)
      return off(on);
    if (const Outcome outcome = slope(t, x_.data(), k(i)); outcome != Outcome::done) return outcome;
  }
  predict(h, q_scratch_);
  parts_->system.set_near(q_scratch_);
  const Outcome outcome = arrive(h, error_wanted, true);
  if (outcome == Outcome::done && wheels_.any()) {
    parts_->system.coordinates().to_bodies(x_new_.data(), x_new_.data() + n(), bodies_scratch_);
    if (wheels_.turn_over(bodies1_, bodies_scratch_)) return Outcome::flat_wheel;
  }
  // Near rest, restoring invariants is ill-conditioned or impossible. What the step is like without them tells such a place
  // from a step that is too long.
  const bool doubtful = !restored_ || (suspect && !(error_ <= 1) && parts_->invariants.any());
  return outcome == Outcome::done && error_wanted && doubtful ? arrive(h, true, false) : outcome;
}

/// The solutions of order 5 and, where the error is wanted, of order 4, on Mtheta and Mhc, and on Minv if they can be.
MaximalProjected::Outcome MaximalProjected::arrive(double h, bool error_wanted, bool restore) {
  const double t = std::min(t0_ + h, t_most_);
  const auto project = [&](Vector& x, bool near_last) {
    double *const y = x.data(), *const y1 = y + n();
    if (!restore) return parts_->projection.onto_constraints(t, y, y1, counters_);
    return parts_->projection.onto_all(t, y, y1, x.back(), most_change(), counters_, near_last);
  };
  const auto off = [](JetOutcome outcome) {
    return outcome == JetOutcome::not_finite ? Outcome::not_finite : Outcome::off_constraints;
  };
  combine(x0_.data(), h, Tableau::b, Tableau::stages, k(0), nx(), x_new_.data());
  if (const JetOutcome on = project(x_new_, false); on != JetOutcome::done) return off(on);
  restored_ = (restore && parts_->projection.restored()) || !parts_->invariants.any();
  if (const Outcome outcome = slope(t, x_new_.data(), k(Tableau::stages)); outcome != Outcome::done) return outcome;
  if (!error_wanted) return Outcome::done;
  combine(x0_.data(), h, b_hat.data(), Tableau::stages + 1, k(0), nx(), x_hat_.data());
  if (const JetOutcome on = project(x_hat_, true); on != JetOutcome::done) return off(on);
  restored_ = restored_ && (!parts_->invariants.any() || parts_->projection.restored());
  error_ = error_norm(x_new_.data(), x_hat_.data());
  return Outcome::done;
}

/// Hairer, Norsett and Wanner's norm (Solving ODEs I, II.4), which Tuomela, Arponen & Normi use: 1 is the limit.
double MaximalProjected::error_norm(const double* a, const double* b) const {
  double sum = 0;
  for (int i = 0; i < 2 * n(); ++i) {
    const double allowed = options_.accuracy * (1 + std::max(std::abs(x0_[std::size_t(i)]), std::abs(a[i])));
    sum += (a[i] - b[i]) * (a[i] - b[i]) / (allowed * allowed);
  }
  return std::sqrt(sum / std::max(1, 2 * n()));
}

void MaximalProjected::accept(double h, double t_end) {
  x1_.swap(x_new_);
  t1_ = t_end;
  parts_->system.coordinates().to_bodies(x1_.data(), x1_.data() + n(), bodies1_);
  predict(h, q_scratch_);
  map_.to_tree(bodies1_, q_scratch_, u1_);
  q1_.swap(q_scratch_);
  parts_->system.set_near(q1_);
  for (const auto& [row, u] : driven_rows_) driving_forces_[std::size_t(u)] = -parts_->system.multiplier(row);
  parts_->invariants.pass();
  if (!restored_) {
    // The invariants go on from the values reached.
    ++counters_.invariants_let_go;
    parts_->system.place(t1_, x1_.data(), x1_.data() + n());
    parts_->invariants.let_go(parts_->system, x1_.back());
  }
  count_step(h);
  statistics_.newton_iterations = counters_.newton_iterations;
}

bool MaximalProjected::remember(Memory& memory) {
  int redundant = int(parts_->system.redundant_rows());
  remember_pieces(memory);
  memory(counters_, q1_, u1_, bodies1_, bodies_at_start_, x0_, x1_, slopes_, driving_forces_, fresh_, restored_, letting_go_,
         control_, clock_, error_, gaps_met_, redundant);
  parts_->invariants.remember(memory);
  memory(outside_, outside_changed_);
  if (memory.restores()) {
    parts_->system.forces().set(outside_);
    parts_->system.allow_redundant_rows(RedundantRows(redundant));
    parts_->system.set_near(q1_);
  }
  return true;
}

}  // namespace polhode::projected
