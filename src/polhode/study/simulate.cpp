#include "polhode/study/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "polhode/mechanism/conservation.h"
#include "polhode/projected/maximal/maximal_projected.h"
#include "polhode/projected/tree/make_integrator.h"
#include "polhode/study/account.h"
#include "polhode/study/event_run.h"
#include "polhode/study/start.h"
#include "polhode/tree/chart_move.h"
#include "polhode/variational/maximal/maximal_variational.h"
#include "polhode/variational/tree/tree_variational.h"
#include "polhode/version.h"

namespace polhode::study {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void validate(const SimulateOptions& o) {
  if (!std::isfinite(o.time) || o.time <= 0)
    throw std::invalid_argument(fmt::format("time {} s must be a positive number", o.time));
  if (o.every < 1) throw std::invalid_argument(fmt::format("every {} must be at least 1", o.every));
  if (o.interval && !(std::isfinite(*o.interval) && *o.interval > 0))
    throw std::invalid_argument(fmt::format("interval {} s must be a positive number", *o.interval));
  for (std::size_t i = 0; i < o.times.size(); ++i)
    if (!std::isfinite(o.times[i]) || (i > 0 && !(o.times[i - 1] < o.times[i])))
      throw std::invalid_argument("times to report at must be finite and increase");
  // Beyond this a run would not end in a lifetime, and times would no longer differ from step to step.
  constexpr double most = 1e11;
  const bool fixed =
      o.dt || o.method == variational::TreeVariational::method_name || o.method == variational::MaximalVariational::method_name;
  const double dt = o.dt.value_or(variational::TreeVariationalOptions{}.step);
  if (fixed && o.time / dt > most)
    throw std::invalid_argument(
        fmt::format("dt {} s would take {:.3g} steps for {} s; at most {:g} are allowed", dt, o.time / dt, o.time, most));
  const double largest = o.largest_step.value_or(projected::Options{}.largest_step);
  if (!fixed && o.time / largest > most)
    throw std::invalid_argument(
        fmt::format("time {} s would take at least {:.3g} steps of {} s or less; at most {:g} are allowed", o.time,
                    o.time / largest, largest, most));
  if (o.interval && o.time / *o.interval > most)
    throw std::invalid_argument(fmt::format("interval {} s would give {:.3g} reports in {} s; at most {:g} are allowed",
                                            *o.interval, o.time / *o.interval, o.time, most));
}

/// Times that cannot be told apart would be stepped through, or reported at, for ever.
void require_resolved(const char* what, double given, double t_end) {
  const double least = std::numeric_limits<double>::epsilon() * std::abs(t_end);
  if (given < least)
    throw std::invalid_argument(
        fmt::format("{} {} s is too small: times near {} s cannot be told apart below {:.2g} s", what, given, t_end, least));
}

void validate_times(double start, const SimulateOptions& o) {
  const double t_end = start + o.time;
  if (!std::isfinite(t_end))
    throw std::invalid_argument(fmt::format("time {} s from a start at {} s has no end", o.time, start));
  require_resolved("time", o.time, t_end);
  if (o.interval) require_resolved("interval", *o.interval, t_end);
  if (o.dt) require_resolved("step", *o.dt, t_end);
}

void note_drives(const Stepper& stepper, const Mechanism& mechanism, SimulateSummary& summary) {
  for (std::size_t i = 0; i < summary.largest_drives.size(); ++i) {
    const double force = std::abs(stepper.driving_forces()[std::size_t(mechanism.kinematic()[i].u)]);
    summary.largest_drives[i].second = std::max(summary.largest_drives[i].second, force);
  }
}

/// What a program adds comes after what the model has.
std::vector<Event> all_events(const Mechanism& mechanism, const std::vector<Event>& further) {
  std::vector<Event> all = events_of(mechanism);
  all.insert(all.end(), further.begin(), further.end());
  return all;
}

/// One simulation: steps, the events in them, and reports, which disturb neither.
class Run {
 public:
  Run(const State& start, const SimulateOptions& options, Stepper& stepper, SimulateSummary& summary, const Reporter& report,
      const Progress& progress, const std::vector<Event>& events, const Checkpointing& checkpointing)
      : options_(options),
        checkpointing_(checkpointing),
        stepper_(stepper),
        summary_(summary),
        progress_(progress),
        events_(all_events(start.mechanism(), events), start, options.accuracy.value_or(1e-6), options.time),
        account_(start, summary, report),
        state_(start),
        set_(start),
        before_(start),
        t_end_(start.time() + options.time) {}

  void go() {
    try {
      checkpointing_.from ? go_on() : begin();
      while (is_going() && stepper_.time() < t_end_) advance();
    } catch (const EventFailure& failure) {
      summary_.failure = failure.what();
    }
    if (checkpointing_.keep && summary_.failure.empty()) checkpointing_.keep(remembered());
    stepper_.get(state_);
    if (at_steps()) account_.measure(state_);
    // A run that is interrupted goes on from there some day: its table has no row for it, but its summary is up to there.
    if (summary_.interrupted) account_.measure(state_);
    if (!at_end_ && !summary_.interrupted) account_.add(state_);
    if (progress_) progress_(summary_.stopped_by.empty() ? done() : 1);
    summary_.event_counts = events_.counts();
    summary_.event_records = events_.records();
    summary_.events = events_.happened();
  }

 private:
  bool is_going() const { return summary_.failure.empty() && summary_.stopped_by.empty() && !summary_.interrupted; }
  double done() const { return (stepper_.time() - summary_.time_start) / options_.time; }

  void begin() {
    if (const EventRun::Instant& instant = events_.begin(state_); !instant.empty()) handle(instant);
    balance_fast();
    account_.add(state_);
    while (next_report() <= summary_.time_start) ++reported_;  // the start has been reported
    if (checkpointing_.keep) checkpointing_.keep(remembered());
  }

  /// The stepper is set as it was last, and then told what its steps since then have left in it.
  void remember(Memory& memory) {
    memory(set_);
    if (memory.restores()) stepper_.set(set_);
    stepper_.remember(memory);
    double spent = summary_.wall_time + seconds_since(began_);
    double end = t_end_;
    memory(state_, reported_, at_end_, summary_.stopped_by, end, spent);
    if (memory.restores()) summary_.wall_time = spent;
    if (end != t_end_) at_end_ = false, summary_.stopped_by.clear();  // the run is to go on beyond its former end
    account_.remember(memory);
    events_.remember(memory);
  }
  std::string remembered() {
    Memory memory;
    remember(memory);
    return memory.bytes();
  }
  void go_on() {
    Memory memory(*checkpointing_.from);
    remember(memory);
    if (!memory.at_end()) throw std::runtime_error("the checkpoint belongs to another model or version");
  }
  void checkpoint() {
    if (checkpointing_.keep && checkpointing_.wanted && checkpointing_.wanted()) checkpointing_.keep(remembered());
    if (checkpointing_.interrupted && checkpointing_.interrupted()) summary_.interrupted = true;
  }

  void advance() {
    const double t0 = stepper_.time();
    const StepReport step = stepper_.step(events_.limit(t_end_));
    if (!step.ok()) {
      summary_.failure = stepper_.explain(step);
      return;
    }
    note_drives(stepper_, state_.mechanism(), summary_);
    if (!handle_events_of_step(t0)) report_through(step.t);
    if (is_going() && by_step() && stepper_.statistics().steps % options_.every == 0) {
      stepper_.get(state_);
      account_.add(state_);
      at_end_ = stepper_.time() >= t_end_;
    }
    if (is_going() && at_steps()) {
      stepper_.get(state_);
      account_.measure(state_);
    }
    if (is_going()) checkpoint();
    if (progress_ && seconds_since(last_shown_) > 0.1) {
      last_shown_ = Clock::now();
      progress_(done());
    }
  }

  /// True when one of them changed the state or ended the run, so that the step does not stand as it was.
  bool handle_events_of_step(double t0) {
    if (events_.empty()) return false;
    for (;;) {
      const EventRun::Instant& instant = next_instant(t0);
      if (instant.empty()) return false;
      report_before(instant.t);
      if (!summary_.failure.empty()) return true;
      stepper_.interpolate(instant.t, state_);
      if (handle(instant)) return true;
    }
  }

  const EventRun::Instant& next_instant(double t0) {
    try {
      return events_.next(stepper_, t0, state_);
    } catch (const EventFailure& failure) {
      if (failure.time) {  // the rest of the step has not happened
        stepper_.interpolate(*failure.time, state_);
        set(state_);
      }
      throw;
    }
  }

  /// Fast coordinates are in balance as soon as the stepper has a state.
  void balance_fast() {
    if (std::count(state_.drives().begin(), state_.drives().end(), Drive::fast) > 0) stepper_.get(state_);
  }

  /// The state is that of the instant. True when the step does not stand.
  bool handle(const EventRun::Instant& instant) {
    before_ = state_;
    EventRun::Result result;
    try {
      result = events_.handle(instant, state_);
      if (!result.changed && !result.stop) return false;
      set_after(instant);
      balance_fast();
    } catch (...) {
      set(before_);  // what was reached is kept, and nothing beyond it
      throw;
    }
    if (result.changed) account_.jump(before_, state_);
    if (result.stop) summary_.stopped_by = result.reason;
    report_now();
    return true;
  }

  void set(const State& state) {
    stepper_.set(state);
    set_ = state;
  }

  void set_after(const EventRun::Instant& instant) {
    try {
      set(state_);
    } catch (const std::exception& error) {
      throw EventFailure(fmt::format("t = {:.9g} s: after event \"{}\" the run cannot go on: {}", instant.t,
                                     events_.counts()[std::size_t(instant.events.front())].name, error.what()));
    }
  }

  // Reports at multiples of the interval, or at given times; a little rounding must not lose the one that falls on the end.
  bool by_step() const { return !options_.interval && options_.times.empty(); }
  /// The account is kept apart from the reports.
  bool at_steps() const { return options_.account_at_steps && !by_step(); }
  double next_report() const {
    if (options_.interval && options_.times.empty()) return summary_.time_start + double(reported_ + 1) * *options_.interval;
    return reported_ < long(options_.times.size()) ? options_.times[std::size_t(reported_)]
                                                   : std::numeric_limits<double>::infinity();
  }
  double slack() const { return options_.times.empty() ? 1e-9 * options_.interval.value_or(0) : 1e-12 * options_.time; }
  void report(double at) {
    at_steps() ? account_.report(state_) : account_.add(state_);
    at_end_ = at >= t_end_ - slack();
    ++reported_;
  }
  /// From the last step, as it was taken.
  void report_before(double t) {
    while (next_report() < t - slack() && summary_.failure.empty()) {
      stepper_.interpolate(next_report(), state_);
      report(next_report());
    }
  }
  void report_through(double t) {
    while (next_report() <= t + slack() && summary_.failure.empty()) {
      stepper_.interpolate(next_report(), state_);
      report(next_report());
    }
  }
  /// The state that events have left.
  void report_now() {
    while (next_report() <= state_.time() + slack() && summary_.failure.empty()) report(next_report());
  }

  const SimulateOptions& options_;
  const Checkpointing& checkpointing_;
  Stepper& stepper_;
  SimulateSummary& summary_;
  const Progress& progress_;
  EventRun events_;
  Account account_;
  State state_, set_, before_;  // set_: as the stepper was set last; before_: an event
  double t_end_;
  long reported_ = 0;    // intervals
  bool at_end_ = false;  // the last state has been reported
  Clock::time_point began_ = Clock::now(), last_shown_ = began_;
};

}  // namespace

std::vector<std::string> method_names() {
  return {std::string(variational::TreeVariational::method_name), std::string(projected::method_name),
          std::string(variational::MaximalVariational::method_name), std::string(projected::MaximalProjected::method_name)};
}

std::vector<std::string> integrator_names() {
  const auto names = projected::integrator_names();
  return {names.begin(), names.end()};
}

namespace {

tree::Scaling scaling_of(const Mechanism& mechanism, const SimulateOptions& options) {
  tree::Scaling scaling;
  if (options.characteristic_time) scaling.characteristic_time = *options.characteristic_time;
  if (options.norm && *options.norm != "rms" && *options.norm != "infinity")
    throw std::invalid_argument(fmt::format("norm \"{}\" is not known; it is rms or infinity", *options.norm));
  if (options.norm == "infinity") scaling.norm = tree::Scaling::Norm::infinity;
  if (options.unit_changes.empty()) return scaling;
  scaling.unit_changes.assign(std::size_t(mechanism.num_u()), 1.0);
  const std::vector<int> of_coordinate = tree::speeds_of_coordinates(mechanism);
  for (const auto& [name, unit] : options.unit_changes) {
    const auto& speeds = mechanism.speed_names();
    int u = int(std::find(speeds.begin(), speeds.end(), name) - speeds.begin());
    if (u == int(speeds.size())) u = of_coordinate[std::size_t(mechanism.coordinate(name))];
    if (u < 0)
      throw std::invalid_argument(
          fmt::format("unit of \"{}\": no speed is its rate; name speeds of its joint instead, e.g. by their own names", name));
    scaling.unit_changes[std::size_t(u)] = unit;
  }
  return scaling;
}

/// One of two words; the first is the default. True for the second.
bool second_of(const char* option, const std::optional<std::string>& given, const char* first, const char* second) {
  if (given && *given != first && *given != second)
    throw std::invalid_argument(fmt::format("{} \"{}\" is not known; it is {} or {}", option, *given, first, second));
  return given == second;
}

projected::MaximalProjectedOptions jet_options(const SimulateOptions& options) {
  projected::MaximalProjectedOptions chosen{.fixed_step = options.dt};
  if (options.accuracy) chosen.accuracy = *options.accuracy;
  if (options.largest_step) chosen.largest_step = *options.largest_step;
  if (options.constraint_tolerance) chosen.tolerance = *options.constraint_tolerance;
  if (second_of("projection", options.projection, "quasi", "orthogonal"))
    chosen.projection = projected::JetProjection::Kind::orthogonal;
  chosen.energy = !second_of("invariant", options.invariant, "energy", "none");
  chosen.planar = !second_of("planar", options.planar, "auto", "off");
  return chosen;
}

void refuse_options_of_other_methods(const SimulateOptions& o) {
  using Names = std::vector<std::string_view>;
  const Names tree{variational::TreeVariational::method_name}, by_error{projected::method_name},
      jet{projected::MaximalProjected::method_name};
  const Names projected_ones{projected::method_name, projected::MaximalProjected::method_name};
  const Names by_newton{variational::TreeVariational::method_name, variational::MaximalVariational::method_name};
  const auto belongs = [&](bool given, const char* name, const Names& owners) {
    if (given && std::find(owners.begin(), owners.end(), o.method) == owners.end())
      throw std::invalid_argument(fmt::format("{} is an option of method{} {}, not of {}", name, owners.size() > 1 ? "s" : "",
                                              fmt::join(owners, " and "), o.method));
  };
  const auto names = method_names();
  if (std::find(names.begin(), names.end(), o.method) == names.end()) return;  // which is told before all else
  belongs(o.tolerance.has_value(), "tolerance", by_newton);
  belongs(o.alpha.has_value(), "alpha", tree);
  belongs(o.order.has_value(), "order", by_newton);
  belongs(o.integrator.has_value(), "integrator", by_error);
  belongs(o.accuracy.has_value(), "accuracy", projected_ones);
  belongs(o.largest_step.has_value(), "largest step", projected_ones);
  belongs(o.constraint_tolerance.has_value(), "constraint tolerance", projected_ones);
  belongs(o.norm.has_value(), "norm", by_error);
  belongs(o.characteristic_time.has_value(), "characteristic time", by_error);
  belongs(!o.unit_changes.empty(), "unit", by_error);
  belongs(o.projection.has_value(), "projection", jet);
  belongs(o.invariant.has_value(), "invariant", jet);
  belongs(o.planar.has_value(), "planar", jet);
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(const Mechanism& mechanism, const SimulateOptions& options) {
  validate(options);
  refuse_options_of_other_methods(options);
  if (options.method == projected::MaximalProjected::method_name)
    return std::make_unique<projected::MaximalProjected>(mechanism, jet_options(options));
  if (options.method == projected::method_name) {
    projected::Options chosen{.fixed_step = options.dt, .tolerance = options.constraint_tolerance};
    if (options.integrator) chosen.integrator = *options.integrator;
    if (options.accuracy) chosen.accuracy = *options.accuracy;
    if (options.largest_step) chosen.largest_step = *options.largest_step;
    chosen.scaling = scaling_of(mechanism, options);
    return projected::make_integrator(mechanism, chosen);
  }
  if (options.method == variational::TreeVariational::method_name) {
    variational::TreeVariationalOptions chosen;
    if (options.dt) chosen.step = *options.dt;
    if (options.alpha) chosen.alpha = *options.alpha;
    if (options.order) chosen.order = *options.order;
    if (options.tolerance) chosen.tolerance = *options.tolerance;
    return std::make_unique<variational::TreeVariational>(mechanism, chosen);
  }
  if (options.method == variational::MaximalVariational::method_name) {
    variational::MaximalVariationalOptions chosen;
    if (options.dt) chosen.step = *options.dt;
    if (options.order) chosen.order = *options.order;
    if (options.tolerance) chosen.tolerance = *options.tolerance;
    return std::make_unique<variational::MaximalVariational>(mechanism, chosen);
  }
  throw std::invalid_argument(
      fmt::format("method \"{}\" is not known{}", options.method, suggestion(options.method, method_names(), "methods")));
}

SimulateSummary simulate(const State& given, const SimulateOptions& options, const Reporter& report, const Progress& progress,
                         const std::vector<Event>& events, const Checkpointing& checkpointing) {
  const auto stepper = make_stepper(given.mechanism(), options);
  validate_times(given.time(), options);
  State start = given;
  if (!checkpointing.from) assemble_start(start);
  stepper->set(start);

  SimulateSummary summary;
  summary.method = stepper->method();
  summary.version = version;
  summary.options = stepper->resolved_options();
  summary.conservative = keeps_energy(start.mechanism());
  summary.time_start = start.time();
  if (!stepper->driving_forces().empty())
    for (const KinematicCoordinate& k : start.mechanism().kinematic())
      summary.largest_drives.emplace_back(start.mechanism().coordinate_names()[std::size_t(k.q)], 0.0);

  const Clock::time_point began = Clock::now();
  Run(start, options, *stepper, summary, report, progress, events, checkpointing).go();
  summary.completed = summary.failure.empty() && !summary.interrupted;
  summary.time_end = stepper->time();
  summary.steps = stepper->statistics();
  if (const auto* jet = dynamic_cast<const projected::MaximalProjected*>(stepper.get())) {
    summary.options = jet->resolved_options();  // the formulation may have changed at an event
    summary.counters = jet->counter_list();
  }
  summary.wall_time += seconds_since(began);
  summary.real_time_factor = (summary.time_end - summary.time_start) / std::max(summary.wall_time, 1e-9);
  return summary;
}

}  // namespace polhode::study
