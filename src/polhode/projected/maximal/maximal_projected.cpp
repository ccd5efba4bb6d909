#include "polhode/projected/maximal/maximal_projected.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "polhode/maximal/unheld_joints.h"
#include "polhode/projected/maximal/acceptance.h"
#include "polhode/stepping/texts.h"

namespace polhode::projected {
namespace {

const Mechanism& checked(const Mechanism& mechanism, const MaximalProjectedOptions& options) {
  require_no_objection(objection(options));
  require_none(maximal::unsupported_in_maximal(mechanism, MaximalProjected::features, MaximalProjected::method_name));
  return mechanism;
}

}  // namespace

MaximalProjected::MaximalProjected(const Mechanism& mechanism, const MaximalProjectedOptions& options)
    : PiecewiseStepper(mechanism),
      mechanism_(checked(mechanism, options)),
      options_(options),
      map_(mechanism),
      outside_(State(mechanism)),
      formulations_(std::in_place, mechanism, options, std::span<const char>()),
      start_(options),
      step_(mechanism, options),
      driven_(mechanism) {
  set(State(mechanism));
  met_.emplace(mechanism);
}

JetFormulations::Motion MaximalProjected::motion_of(const State& state) const {
  const bool is_here = std::equal(q1_.begin(), q1_.end(), state.q().begin(), state.q().end()) &&
                       std::equal(u1_.begin(), u1_.end(), state.u().begin(), state.u().end());
  return is_here ? JetFormulations::Motion::goes_on : JetFormulations::Motion::begins;
}

/// Allocates only where a plane is looked for (JetFormulations::choose), and where a joint is locked that neither the model nor
/// its events lock.
void MaximalProjected::set(const State& state) {
  require_same(mechanism_, state);
  require_supported(state, features, method_name);
  if (met_) {  // not where it is made, with all coordinates zero
    met_->require(state);
    start_.set_rows_without_motion(met_->rows_without_motion(state));
  }
  if (!formulations_->has_places_for(state, lockable_)) {
    require_none(maximal::unheld_joints(mechanism_, lockable_, method_name));
    formulations_.emplace(mechanism_, options_, lockable_);
  }
  outside_.set(state);
  outside_changed_ = false;
  start_pieces(state.time());
  map_.to_bodies(state.q(), state.u(), bodies1_);
  formulations_->choose(state, outside_, motion_of(state), bodies1_, start_, counters_);
  parts().restart(state, outside_);
  q1_.assign(state.q().begin(), state.q().end());
  u1_.assign(state.u().begin(), state.u().end());
  bodies_scratch_ = bodies_at_start_ = bodies1_;
  step_.restart(parts(), state, bodies1_);
  q_scratch_ = q1_;
  u_scratch_ = u1_;
  driven_.restart(parts().system);
  control_.start(options_.initial_step);
  control_.forget_pace();
  letting_go_ = false;
  gaps_met_ = 0;
  restart();
}

void MaximalProjected::set_inputs(std::span<const double> inputs) {
  if (outside_.set_inputs(mechanism_, inputs)) outside_changed_ = true;
}
void MaximalProjected::set_applied_forces(std::span<const double> forces) {
  if (outside_.set_applied_forces(mechanism_, forces)) outside_changed_ = true;
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
  step_.predict(here(), t - t1_, q_scratch_);
  const Vector& x = step_.interpolate(parts(), {t0_, t1_}, t, q_scratch_);
  parts().system.coordinates().to_bodies(x.data(), x.data() + parts().n(), bodies_scratch_);
  map_.to_tree(bodies_scratch_, q_scratch_, u_scratch_);
  state.set_time(t);
  state.set_q(q_scratch_);
  state.set_u(u_scratch_);
  outside_.give(state);
}

/// The last step's slope at its end is the next one's at its start, unless something from outside has changed there.
MaximalProjected::Outcome MaximalProjected::go_on(Push push) {
  step_.go_on();
  if (push == Push::as_before) return Outcome::done;
  JetSystem& system = parts().system;
  system.set_near(q1_);
  system.place(t1_, step_.start().data(), step_.start().data() + parts().n());
  system.linearize(counters_);
  return step_.slope_at_start(parts(), t1_, counters_);
}

MaximalProjected::Outcome MaximalProjected::begin() {
  t0_ = t1_;
  const Push push = std::exchange(outside_changed_, false) ? Push::anew : Push::as_before;
  if (push == Push::anew) {
    parts().system.forces().set(outside_);
    if (outside_.any_force()) parts().invariants.push();
  }
  if (!fresh_) return go_on(push);
  parts().system.set_near(q1_);
  if (!start_.project(parts(), t1_, step_.end(), step_.start(), counters_)) return Outcome::off_constraints;
  parts().invariants.keep(parts().system, step_.start().back());
  if (const Outcome outcome = step_.slope_at_start(parts(), t1_, counters_); outcome != Outcome::done) return outcome;
  clock_.start(t1_);
  fresh_ = false;
  return Outcome::done;
}

double MaximalProjected::most_let_go() const {
  return options_.let_go.value_or(options_.fixed_step ? acceptance::let_go_in_fixed_steps
                                                      : std::min(1.0, acceptance::let_go_accuracies * options_.accuracy));
}

void MaximalProjected::accept(double h, double t_end) {
  step_.predict(here(), h, q_scratch_);
  step_.accept();
  t1_ = t_end;
  const Vector& x = step_.end();
  JetSystem& system = parts().system;
  system.coordinates().to_bodies(x.data(), x.data() + parts().n(), bodies1_);
  map_.to_tree(bodies1_, q_scratch_, u1_);
  q1_.swap(q_scratch_);
  system.set_near(q1_);
  system.constraints().paths().advance(t1_);
  driven_.read_forces(system);
  parts().invariants.pass();
  if (!step_.restored()) {
    // The invariants go on from the values reached.
    ++counters_.invariants_let_go;
    system.place(t1_, x.data(), x.data() + parts().n());
    parts().invariants.let_go(system, x.back());
  }
  count_step(h);
  statistics_.newton_iterations = counters_.newton_iterations;
}

bool MaximalProjected::remember(Memory& memory) {
  int redundant = int(parts().system.redundant_rows());
  remember_pieces(memory);
  memory(counters_, q1_, u1_, bodies1_, bodies_at_start_, fresh_, letting_go_, control_, clock_, gaps_met_, redundant);
  step_.remember(memory);
  driven_.remember(memory);
  parts().system.constraints().paths().remember(memory);
  parts().invariants.remember(memory);
  memory(outside_, outside_changed_);
  if (memory.restores()) {
    parts().system.forces().set(outside_);
    parts().system.allow_redundant_rows(RedundantRows(redundant));
    parts().system.set_near(q1_);
  }
  return true;
}

}  // namespace polhode::projected
