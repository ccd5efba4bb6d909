#include "polhode/variational/maximal/maximal_variational.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/maximal/unheld_joints.h"
#include "polhode/mechanism/conservation.h"
#include "polhode/stepping/texts.h"
#include "polhode/variational/chart_interpolation.h"
#include "polhode/variational/composition.h"
#include "polhode/variational/maximal/acceptance.h"
#include "polhode/variational/maximal/discrete_body.h"

namespace polhode::variational {
namespace {

using maximal::Bodies;
using maximal::row_width;

const Mechanism& checked(const Mechanism& mechanism, const MaximalVariationalOptions& options) {
  require_none(maximal::unsupported_in_maximal(mechanism, MaximalVariational::features, MaximalVariational::method_name));
  require_no_objection(objection(options));
  return mechanism;
}

TurnRule rule_of(const MaximalVariationalOptions& o) { return o.order == 1 ? TurnRule::chord : TurnRule::exponential; }

}  // namespace

MaximalVariational::MaximalVariational(const Mechanism& mechanism, const MaximalVariationalOptions& options)
    : HalvingStepper(options.step, options.max_halvings),
      mechanism_(checked(mechanism, options)),
      options_(options),
      outside_(State(mechanism)),
      guess_(std::size_t(mechanism.num_bodies()), 0),
      energy_(options.order <= 2 && moves_only_by_forces(mechanism) ? EnergyWatch::Watching::on : EnergyWatch::Watching::off) {
  plan({});
  if (options.choose_steps())
    density_.emplace(State(mechanism), StepDensity::wanted(options.accuracy, options.largest_step, options.order));
  const std::size_t bodies = std::size_t(mechanism.num_bodies());
  const auto make_room = [&](Node& node) {
    node.bodies.resize(bodies);
    node.momenta.resize(bodies * row_width);
    node.q.assign(mechanism.initial_q().begin(), mechanism.initial_q().end());
  };
  for (Node* node : {&before_, &now_, &scratch_}) make_room(*node);
  saved_.resize(std::size_t(options.max_halvings));
  for (Node& node : saved_) make_room(node);
  next_.resize(bodies);
  scratch_bodies_.resize(bodies);
  next_momenta_.resize(bodies * row_width);
  loads_before_.resize(bodies * row_width);
  for (auto* q : {&scratch_q_, &scratch_q0_}) q->resize(std::size_t(mechanism.num_q()));
  for (auto* u : {&scratch_u_, &scratch_u0_}) u->resize(std::size_t(mechanism.num_u()));
  set(State(mechanism));
  met_.emplace(mechanism);
}

void MaximalVariational::plan(std::span<const char> lockable) {
  const double longest =
      options_.choose_steps() ? options_.largest_step.value_or(StepDensity::usual_largest_step) : options_.step;
  equations_.emplace(mechanism_, std::span<const char>(), rule_of(options_), options_.tolerance, longest, lockable);
  lambda_.resize(std::size_t(equations_->constraints().num_rows()));
  guess_ = VelocityGuess(std::size_t(mechanism_.num_bodies()), lambda_.size());
  if (!equations_->constraints().driven().empty()) driving_forces_.resize(std::size_t(mechanism_.num_u()));
}

/// Allocates only where a joint is locked that neither the model nor its events lock.
void MaximalVariational::set_driven(const State& state) {
  if (!equations_->constraints().has_places_for(state, lockable_)) {
    require_none(maximal::unheld_joints(mechanism_, lockable_, method_name));
    plan(lockable_);
  }
  equations_->set_driven(state);
  std::fill(driving_forces_.begin(), driving_forces_.end(), 0.0);
  const bool by_forces = moves_only_by_forces(mechanism_) && equations_->constraints().paths().at_rest();
  energy_.watch(options_.order <= 2 && by_forces ? EnergyWatch::Watching::on : EnergyWatch::Watching::off);
}

ResolvedOptions MaximalVariational::resolved_options() const {
  if (!density_) return maximal_variational_options().resolved(options_);
  auto in_force = options_;
  in_force.accuracy = density_->in_force().accuracy;
  in_force.largest_step = density_->in_force().largest_step;
  return maximal_variational_options().resolved(in_force, {"dt"});
}

double MaximalVariational::constraint_error() const {
  std::vector<double> errors(std::size_t(equations_->constraints().num_rows()));
  equations_->constraints().errors(now_.t, now_.bodies, now_.q, errors);
  double largest = 0;
  for (const double error : errors) largest = std::max(largest, std::abs(error));
  return largest;
}

void MaximalVariational::set(const State& state) {
  require_same(mechanism_, state);
  require_supported(state, features, method_name);
  if (met_) met_->require(state);  // not where it is made, with all coordinates zero
  set_driven(state);
  equations_->set_active(state.enabled());
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  now_.t = state.time();
  start_clock(now_.t);
  turned_ = now_.step = 0;
  std::copy(state.q().begin(), state.q().end(), now_.q.begin());
  map().to_bodies(state.q(), state.u(), now_.bodies);
  outside_.set(state);
  if (density_) density_->set(state);
  equations_->set(outside_);
  switched_at_ = std::numeric_limits<double>::quiet_NaN();
  // A step that would turn a body by a radian or more is going to be halved; so is the one that ends at the start.
  double ended = options_.step, fastest = 0;
  for (const maximal::BodyMotion& body : now_.bodies) fastest = std::max(fastest, norm(body.w));
  for (int i = 0; i < options_.max_halvings && ended * fastest > 1; ++i) ended *= 0.5;
  for (std::size_t b = 1; b < now_.bodies.size(); ++b) {
    const maximal::BodyMotion& body = now_.bodies[b];
    const MassProperties& mass = mechanism_.bodies()[b].mass;
    Vec3<double> spin = mass.inertia * body.w;
    if (options_.order == 1) {  // the velocity counts as that of a step that ends here
      const Turn by = turn(TurnRule::chord, ended, body.w);
      spin = in_axes_at_end(by, momentum_at_start(mass.inertia.full(), body.w, by));
    }
    const Vec3<double> push = mass.mass * body.v;
    const double six[] = {spin.x, spin.y, spin.z, push.x, push.y, push.z};
    std::copy_n(six, 6, now_.momenta.begin() + long(b) * row_width);
  }
  equations_->start(now_.t, now_.bodies, now_.q);
  if (met_ && mechanism_.num_constraint_elements() > 0) {
    const auto dead = met_->rows_without_motion(state);
    equations_->set_rank_tolerance(linear::rank_tolerance);
    if (!dead.exactly) equations_->judge_redundant_rows(dead.count);
    if (dead.exactly && dead.count > 0) equations_->find_redundant_rows(dead.count);
  }
  now_.kinetic = equations_->kinetic_energy(now_.bodies);
  now_.half_work = 0;
  energy_.restart(now_.kinetic);
  guess_.forget();
  guess_.learn(now_.t, now_.bodies, lambda_, 1);
  copy(now_, before_);
}

void MaximalVariational::set_inputs(std::span<const double> inputs) {
  if (outside_.set_inputs(mechanism_, inputs)) push_anew();
}
void MaximalVariational::set_applied_forces(std::span<const double> forces) {
  if (outside_.set_applied_forces(mechanism_, forces)) push_anew();
}

/// The step that ended here has had its half of the impulse from the forces that acted during it; the next one starts with the
/// half of those that act now.
void MaximalVariational::push_anew() {
  if (!is_pushed_anew()) {
    std::copy(equations_->loads().begin(), equations_->loads().end(), loads_before_.begin());
    switched_at_ = now_.t;
  }
  equations_->change(outside_);
  if (density_) density_->change(outside_);
}

void MaximalVariational::copy(const Node& from, Node& to) const {
  to.t = from.t;
  to.step = from.step;
  to.kinetic = from.kinetic;
  to.half_work = from.half_work;
  std::copy(from.bodies.begin(), from.bodies.end(), to.bodies.begin());
  std::copy(from.momenta.begin(), from.momenta.end(), to.momenta.begin());
  std::copy(from.q.begin(), from.q.end(), to.q.begin());
}

/// Angles are read off poses, which know them up to full turns: they must be read often enough.
void MaximalVariational::follow_angles(double h) {
  double fastest = 0;
  for (std::size_t b = 1; b < next_.size(); ++b) fastest = std::max(fastest, dot(next_[b].w, next_[b].w));
  turned_ += 2 * std::abs(h) * std::sqrt(fastest);
  if (turned_ < acceptance::most_unread && !map().has_singular_places()) return;
  map().to_tree(now_.bodies, now_.q, scratch_u_);
  turned_ = 0;
}

/// Whether the step just solved follows the motion: bodies whose angular velocity changes a lot from one step to the next may
/// be thrown about within a step, and the energy that the step gains or loses is then not given back. Where that can be told,
/// the energy decides: a body that spins fast and steadily has an angular velocity that changes, too. The paper's own
/// integrator takes steps as they come.
bool MaximalVariational::is_resolved(double h) const {
  if (options_.order == 1 || mechanism_.num_constraint_elements() > 0) return true;
  const double change = h * h * guess_.largest_change(next_);
  if (change <= acceptance::doubtful_turn * acceptance::doubtful_turn) return true;
  return change <= acceptance::most_turn * acceptance::most_turn && energy_.is_small();
}

/// First in the ordinary way; where that fails, carefully.
bool MaximalVariational::substep(double t, double h, int halvings) {
  return try_step(t, h, Care::ordinary, halvings) ||
         (failure_.status != MaximalReport::Status::done && try_step(t, h, Care::careful, halvings));
}

bool MaximalVariational::try_step(double t, double h, Care care, int halvings) {
  const double share = options_.order == 1 ? 1 : 0.5;                     // of the forces' impulse that comes first
  const double around = options_.order == 1 ? h : 0.5 * (now_.step + h);  // the node: time that its impulses stand for
  guess_.guess(t + 0.5 * h, around, next_, lambda_);
  std::copy(now_.momenta.begin(), now_.momenta.end(), next_momenta_.begin());
  MaximalReport report = equations_->solve(h, share, next_momenta_, next_, lambda_, care);
  statistics_.newton_iterations += report.iterations;
  ++statistics_.evaluations;
  if (report.ok()) watch_energy(h);
  // Steps of very different sizes have no usual jump.
  const bool small_ones_too = halvings < acceptance::most_doubts && !density_;
  if (report.ok() &&
      !energy_.is_credible(small_ones_too ? EnergyWatch::Jumps::small_ones_too : EnergyWatch::Jumps::large_ones)) {
    report.status = MaximalReport::Status::energy_jumps;
    report.energy_jump = energy_.jump();
  }
  failure_ = report;
  failed_step_ = std::abs(h);
  if (!report.ok() || (halvings < options_.max_halvings && !is_resolved(h))) return false;
  if (energy_.is_on()) now_.kinetic = energy_.kinetic();
  energy_.learn(now_.step != 0 ? EnergyWatch::Step::later : EnergyWatch::Step::first);
  guess_.learn(t + 0.5 * h, next_, lambda_, around);
  note_driving_forces(around);
  now_.t = t + h;
  now_.step = h;
  std::copy(next_.begin(), next_.end(), now_.bodies.begin());
  follow_angles(h);
  equations_->accept(now_.t, now_.bodies, now_.q);
  now_.momenta.swap(next_momenta_);
  equations_->kick(h, 1 - share, now_.momenta);
  now_.half_work = 0.5 * h * equations_->power(now_.bodies);
  return true;
}

/// The kinetic energy of the step just solved, and what of its change from the middle of the last step the forces' work does
/// not account for [J].
void MaximalVariational::watch_energy(double h) {
  if (!energy_.is_on()) return;
  const double kinetic = equations_->kinetic_energy(next_);
  const double work = now_.half_work + 0.5 * h * equations_->power(next_) + (is_pushed_anew() ? work_of_switch(h) : 0);
  energy_.measure(kinetic, std::abs(kinetic - now_.kinetic - work),
                  is_pushed_anew() ? EnergyWatch::Push::anew : EnergyWatch::Push::as_before);
}

/// What the two works that watch_energy() counts, h_0 F_0 . v_0 / 2 and h F_1 . v_1 / 2, lack where the forces F_0 before a
/// node and F_1 after it are not the same. The kinetic energy changes from middle to middle by the impulse at the node, times
/// the mean of v_0 and v_1.
double MaximalVariational::work_of_switch(double h) const {
  const std::span<const double> loads = equations_->loads();
  const double share = options_.order == 1 ? 1 : 0.5;  // of a step's impulse that comes at its start
  const auto part = [&](std::size_t k, double v0, double v1) {
    const double a = now_.step * loads_before_[k], b = h * loads[k];
    return 0.5 * (((1 - share) * a + share * b) * (v0 + v1) - a * v0 - b * v1);
  };
  double sum = 0;
  for (std::size_t b = 1; b < next_.size(); ++b) {
    const maximal::BodyMotion &before = now_.bodies[b], &after = next_[b];
    for (int i = 0; i < 3; ++i) {
      const std::size_t k = b * row_width + std::size_t(i);
      sum += part(k, before.w[i], after.w[i]) + part(k + 3, before.v[i], after.v[i]);
    }
  }
  return sum;
}

void MaximalVariational::note_driving_forces(double share) {
  if (driving_forces_.empty()) return;
  const maximal::Constraints& constraints = equations_->constraints();
  for (const auto& driven : constraints.driven()) {
    const auto& element = constraints.elements()[std::size_t(driven.element)];
    for (int i = 0; i < element.num_rows && element.active; ++i)
      driving_forces_[std::size_t(driven.u + i)] = lambda_[std::size_t(element.first_row + i)] / share;
  }
}

bool MaximalVariational::attempt(double t, double h, int halvings) {
  for (const double fraction : composition(std::max(options_.order, 2))) {
    if (!substep(t, fraction * h, halvings)) return false;
    t += fraction * h;
  }
  return true;
}

void MaximalVariational::go_back(int halvings) {
  copy(saved(halvings), now_);
  equations_->start(now_.t, now_.bodies, now_.q);
}

void MaximalVariational::arrive(double t) {
  now_.t = t;
  equations_->constraints().paths().advance(t);
  if (density_) density_->took(now_.t - before_.t);
}

std::optional<double> MaximalVariational::choose_step() {
  if (!density_) return std::nullopt;
  motion_at(now_, scratch_q_, scratch_u_);
  return density_->propose(now_.t, scratch_q_, scratch_u_);
}

std::vector<Counter> MaximalVariational::counters() const {
  if (!density_) return {};
  return {StepDensity::resets_counter(density_->resets())};
}

StepReport MaximalVariational::failed(double h) const {
  const auto status = failure_.status == MaximalReport::Status::not_finite ? StepReport::Status::not_finite
                                                                           : StepReport::Status::no_convergence;
  return {status, now_.t, h, failure_.motion_error, -1};
}

bool MaximalVariational::remember(Memory& memory) {
  double rank_tolerance = equations_->rank_tolerance();
  remember_steps(memory);
  equations_->constraints().paths().remember(memory);
  memory(before_, now_, lambda_, driving_forces_, turned_, energy_, guess_, rank_tolerance, outside_, switched_at_,
         loads_before_);
  if (density_) density_->remember(memory, outside_);
  if (memory.restores()) {
    equations_->set(outside_);
    equations_->set_rank_tolerance(rank_tolerance);
    equations_->start(now_.t, now_.bodies, now_.q);
  }
  return true;
}

/// Coordinates and speeds of a node.
void MaximalVariational::motion_at(const Node& node, std::span<double> q, std::span<double> u) const {
  std::copy(node.q.begin(), node.q.end(), q.begin());
  std::copy(node.bodies.begin(), node.bodies.end(), scratch_bodies_.begin());
  if (options_.order > 1) {
    if (&node != &now_) equations_->start(node.t, node.bodies, node.q);
    equations_->velocities(node.momenta, scratch_bodies_);
    if (&node != &now_) equations_->start(now_.t, now_.bodies, now_.q);
  }
  map().to_tree(scratch_bodies_, q, u);
  equations_->constraints().paths().put_coordinates(node.t, q);
  equations_->constraints().paths().put_speeds(node.t, u);
}

void MaximalVariational::get(State& state) const {
  require_same(mechanism_, state);
  motion_at(now_, scratch_q_, scratch_u_);
  state.set_time(now_.t);
  state.set_q(scratch_q_);
  state.set_u(scratch_u_);
  outside_.give(state);
}

/// Cubic in the joints' charts from the start of the step, with the speeds at both ends.
void MaximalVariational::interpolate(double t, State& state) const {
  require_same(mechanism_, state);
  stepping::require_not_before(before_.t, now_.t, t);
  const double h = now_.t - before_.t;
  if (t >= now_.t || h <= 0) return get(state);
  motion_at(before_, scratch_q0_, scratch_u0_);
  motion_at(now_, scratch_q_, scratch_u_);
  auto& q = scratch_.q;
  std::vector<double>& u = scratch_.momenta;  // long enough: a body has six speeds at most
  interpolate_charts(mechanism_, (t - before_.t) / h, h, {scratch_q0_, scratch_u0_}, {scratch_q_, scratch_u_}, q,
                     std::span(u).first(scratch_u_.size()));
  equations_->constraints().paths().put_coordinates(t, q);
  equations_->constraints().paths().put_speeds(t, std::span(u).first(scratch_u_.size()));
  state.set_time(t);
  state.set_q(q);
  state.set_u(std::span<const double>(u).first(scratch_u_.size()));
  outside_.give(state);
}

std::string MaximalVariational::explain(const StepReport& report) const {
  if (report.status == StepReport::Status::limit_passed) return stepping::explain_limit_passed(report.t);
  if (report.ok()) return "done";
  const auto& constraints = equations_->constraints();
  const std::string body =
      failure_.worst_body > 0 ? fmt::format("body \"{}\"", mechanism_.bodies()[std::size_t(failure_.worst_body)].name) : "";
  if (report.status == StepReport::Status::not_finite)
    return fmt::format(
        "t = {:.9g} s: the equations of a step of {:.3g} s have no finite solution{}. Does a body turn by a "
        "radian or more in a step, or are masses, forces or signals wrong there?",
        report.t, failed_step_, body.empty() ? "" : ", first at " + body);
  if (failure_.status == MaximalReport::Status::energy_jumps)
    return fmt::format(
        "t = {:.9g} s: all motions found with steps down to {:.3g} s make the kinetic energy jump by {:.2g} J, which no force "
        "does. That happens at singular places, where the mechanism could move on in more ways than one; another dt may "
        "pass it",
        report.t, failed_step_, failure_.energy_jump);
  std::string where =
      failure_.worst_element < 0
          ? "no constraint is at fault"
          : fmt::format("{} is off by {:.2g}", constraints.name(constraints.elements()[std::size_t(failure_.worst_element)]),
                        failure_.constraint_error);
  if (!body.empty()) where += fmt::format(", and the motion of {} by {:.2g}", body, failure_.motion_error);
  return stepping::explain_no_convergence(report.t, failed_step_, where, stepping::is_it_singular);
}

}  // namespace polhode::variational
