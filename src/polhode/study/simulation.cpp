#include "polhode/study/simulation.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "polhode/study/account.h"
#include "polhode/study/event_run.h"
#include "polhode/study/failure.h"
#include "polhode/study/quantity.h"
#include "polhode/study/settle.h"
#include "polhode/study/start.h"
#include "polhode/tree/chart_move.h"
#include "polhode/tree/constraint_errors.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

void refuse_report_options(const SimulateOptions& o) {
  const char* const given = o.every != 1         ? "every"
                            : o.interval         ? "interval"
                            : !o.times.empty()   ? "times"
                            : o.account_at_steps ? "account_at_steps"
                            : !o.record.empty()  ? "record"
                                                 : nullptr;
  if (given)
    throw std::invalid_argument(
        fmt::format("{}: a Simulation reports nothing by itself; ask it for its state, or use study::simulate", given));
  if (!o.inputs.empty())
    throw std::invalid_argument("inputs: set a Simulation's inputs with set_input from step to step, or use study::simulate");
}

void require_finite(double value, const char* what, std::string_view name) {
  if (!std::isfinite(value))
    throw std::invalid_argument(fmt::format("{} \"{}\" must be a finite number, not {}", what, name, value));
}

}  // namespace

struct Simulation::Parts {
  Parts(const State& start, const SimulateOptions& given)
      : options((refuse_report_options(given), given)),
        stepper(make_stepper(start.mechanism(), given)),
        state(start),
        workspace(start.mechanism()),
        speed_of_coordinate(tree::speeds_of_coordinates(start.mechanism())),
        speeds(std::size_t(start.mechanism().num_u())),
        given_by_model(tree::given_by_model(start.mechanism())),
        given_here{std::vector<char>(speeds), std::vector<char>(speeds)} {}

  /// Gives the stepper what was set, if something was.
  void start() {
    if (!is_set) return;
    assemble();
    stepper->set(state);
    begin_events();
    stepper->get(state);  // fast coordinates are in balance now
    given_by_model = given_here = tree::Given{std::vector<char>(speeds), std::vector<char>(speeds)};
    is_set = false;
  }

  /// What was set here comes before what the model gives, where both cannot stay.
  void assemble() {
    State assembled = state;
    assembly = assemble_start(assembled, both(given_by_model, given_here));
    if (!assembly.given_kept) assembled = state, assembly = assemble_start(assembled, given_here);
    state = assembled;
  }

  static tree::Given both(tree::Given a, const tree::Given& b) {
    for (std::size_t u = 0; u < a.speed.size(); ++u) a.coordinate[u] |= b.coordinate[u], a.speed[u] |= b.speed[u];
    return a;
  }

  void begin_events() {
    std::vector<Event> all = events_of(state.mechanism());
    if (all.empty()) return;
    const bool is_first = !events;
    events.emplace(std::move(all), state, options.options.number("accuracy").value_or(1e-6), options.time);
    const EventRun::Instant& instant = events->begin(state);
    // What is scheduled for this very time has happened when the state was reached by steps.
    if (is_first && !instant.empty()) handle(instant);
  }

  void step(double limit) {
    const double t0 = stepper->time();
    const StepReport report = stepper->step(events ? events->limit(limit) : limit);
    if (!report.ok()) throw std::runtime_error(failure_of(*stepper, state.mechanism(), report));
    if (events) handle_events_of_step(t0);
  }

  /// Steps for as long as `wanted` says; whether no event stopped them. The state is where they came to, failed or not.
  template <class Wanted>
  bool go(double limit, Wanted wanted) {
    stopped_by.clear();
    start();
    try {
      while (stopped_by.empty() && wanted()) step(limit);
    } catch (...) {
      stepper->get(state);
      throw;
    }
    stepper->get(state);
    return stopped_by.empty();
  }

  void refuse_driven(std::string_view name, int u, bool is_speed) const {
    if (u < 0 || state.locked_speeds()[std::size_t(u)]) return;
    const Drive drive = state.drives()[std::size_t(u)];
    if (drive == Drive::position || (is_speed && drive == Drive::velocity))
      throw std::invalid_argument(fmt::format("\"{}\" follows a signal of the model, so it cannot be set", name));
  }

  void handle_events_of_step(double t0) {
    for (;;) {
      const EventRun::Instant& instant = next_instant(t0);
      if (instant.empty()) return;
      stepper->interpolate(instant.t, state);
      if (handle(instant)) return;
    }
  }

  const EventRun::Instant& next_instant(double t0) {
    try {
      return events->next(*stepper, t0, state);
    } catch (const EventFailure& failure) {
      if (failure.time) stepper->interpolate(*failure.time, state), stepper->set(state);
      throw;
    }
  }

  /// True when the step does not stand.
  bool handle(const EventRun::Instant& instant) {
    const State before = state;
    try {
      const EventRun::Result result = events->handle(instant, state);
      if (!result.changed && !result.stop) return false;
      if (result.changed && instant.at_end && differ_outside_only(before, state)) {
        push_anew();
      } else {
        stepper->set(state);
      }
      if (result.stop) stopped_by = result.reason;
      return true;
    } catch (...) {
      stepper->set(state = before);  // what was reached is kept, and nothing beyond it
      throw;
    }
  }

  /// What acts from outside is as the state has it; the method goes on.
  void push_anew() {
    stepper->set_inputs(state.inputs());
    stepper->set_applied_forces(state.applied_forces());
  }

  State& up_to_date() {
    start();
    tree::realize(state, workspace, Stage::velocity);
    return state;
  }

  SimulateOptions options;
  std::unique_ptr<Stepper> stepper;
  State state;
  tree::Workspace workspace;
  std::map<std::string, Quantity, std::less<>> quantities;  // that were asked for
  std::vector<int> speed_of_coordinate;
  std::optional<EventRun> events;
  std::size_t speeds;
  tree::Given given_by_model, given_here;  // what the next assembly is to keep; here: by set_coordinate() and set_speed()
  bool is_set = true;                      // since the stepper was
  tree::Assembly assembly;
  std::vector<std::string> warnings;
  std::string stopped_by;
};

Simulation::Simulation(const Mechanism& mechanism, const SimulateOptions& options)
    : Simulation(tree::initial_state(mechanism), options) {}
Simulation::Simulation(const State& start, const SimulateOptions& options) : parts_(std::make_unique<Parts>(start, options)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

void Simulation::set_coordinate(std::string_view name, double value) {
  const int q = parts_->state.mechanism().coordinate(name), u = parts_->speed_of_coordinate[std::size_t(q)];
  parts_->refuse_driven(name, u, false);
  parts_->state.set_q(q, value);
  if (u >= 0) parts_->given_here.coordinate[std::size_t(u)] = 1;
  parts_->is_set = true;
}

void Simulation::set_speed(std::string_view name, double value) {
  const int u = parts_->state.mechanism().speed(name);
  parts_->refuse_driven(name, u, true);
  parts_->state.set_u(u, value);
  parts_->given_here.speed[std::size_t(u)] = 1;
  parts_->is_set = true;
}

void Simulation::set_applied_force(std::string_view speed, double value) {
  const int u = parts_->state.mechanism().speed(speed);
  require_finite(value, "the force on speed", speed);
  parts_->state.set_applied_force(u, value);
  if (!parts_->is_set) parts_->push_anew();
}

void Simulation::set_input(std::string_view name, double value) {
  const int i = parts_->state.mechanism().input(name);
  require_finite(value, "input", name);
  parts_->state.set_input(i, value);
  if (!parts_->is_set) parts_->push_anew();
}

bool Simulation::step() {
  bool is_done = false;
  return parts_->go(std::numeric_limits<double>::infinity(), [&] { return !std::exchange(is_done, true); });
}

bool Simulation::advance_to(double t) {
  const double now = parts_->state.time();
  if (!std::isfinite(t) || t < now)
    throw std::invalid_argument(fmt::format("cannot advance to {} s: the time is {} s, and it only goes forward", t, now));
  return parts_->go(t, [&] { return parts_->stepper->time() < t; });
}

double Simulation::coordinate(std::string_view name) {
  return state().q()[std::size_t(parts_->state.mechanism().coordinate(name))];
}
double Simulation::speed(std::string_view name) { return state().u()[std::size_t(parts_->state.mechanism().speed(name))]; }
double Simulation::input(std::string_view name) const {
  return parts_->state.inputs()[std::size_t(parts_->state.mechanism().input(name))];
}
double Simulation::time() { return state().time(); }
double Simulation::energy() { return state().energy(); }
double Simulation::constraint_error() { return tree::largest_constraint_error(parts_->up_to_date(), parts_->workspace); }
double Simulation::quantity(std::string_view name) {
  auto found = parts_->quantities.find(name);
  if (found == parts_->quantities.end())
    found = parts_->quantities.emplace(name, Quantity(parts_->state.mechanism(), std::string(name))).first;
  tree::realize(parts_->up_to_date(), parts_->workspace, found->second.stage());
  return found->second(parts_->state);
}
const State& Simulation::state() { return parts_->up_to_date(); }

const std::vector<std::string>& Simulation::warnings() {
  parts_->start();
  return parts_->warnings = study::warnings(parts_->assembly, parts_->state.mechanism());
}
const std::string& Simulation::stopped_by() const { return parts_->stopped_by; }

std::string_view Simulation::method() const { return parts_->stepper->method(); }
ResolvedOptions Simulation::options() const { return parts_->stepper->resolved_options(); }
const StepStatistics& Simulation::statistics() const { return parts_->stepper->statistics(); }

}  // namespace polhode::study
