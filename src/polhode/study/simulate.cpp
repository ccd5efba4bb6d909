#include "polhode/study/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "polhode/mechanism/conservation.h"
#include "polhode/projected/make_integrator.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/realize.h"
#include "polhode/tree/symmetry.h"
#include "polhode/variational/tree_variational.h"
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
  const bool fixed = o.dt || o.method == variational::TreeVariational::method_name;
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

/// The slope of the straight line that fits best, from running means.
class LineFit {
 public:
  void add(double x, double y) {
    ++count_;
    const double dx = x - mean_x_;
    mean_x_ += dx / double(count_);
    mean_y_ += (y - mean_y_) / double(count_);
    xx_ += dx * (x - mean_x_);
    xy_ += dx * (y - mean_y_);
  }
  double slope() const { return xx_ > 0 ? xy_ / xx_ : 0; }

 private:
  long count_ = 0;
  double mean_x_ = 0, mean_y_ = 0, xx_ = 0, xy_ = 0;
};

/// Keeps the summary's account of the states that are reported.
class Account {
 public:
  Account(const State& start, SimulateSummary& summary, const Reporter& report)
      : workspace_(start.mechanism()),
        constraints_(start.mechanism()),
        kept_(tree::kept_momenta(start.mechanism())),
        kept_at_start_(kept_.size()),
        errors_(constraints_.num_rows()),
        summary_(summary),
        report_(report) {
    summary_.constraint_rows = constraints_.num_rows();
    const bool pushed =
        std::any_of(start.applied_forces().begin(), start.applied_forces().end(), [](double f) { return f != 0; });
    if (pushed) kept_.clear();
    summary_.kept_momenta = int(kept_.size());
  }

  /// Not once more what was reported last. A state whose energy is no number is a failure and is not reported.
  void add(State& state) {
    if (summary_.reports > 0 && state.time() == last_time_) return;
    tree::realize(state, workspace_, Stage::velocity);
    const double energy = state.energy();
    if (!std::isfinite(energy)) {
      if (summary_.failure.empty())
        summary_.failure =
            fmt::format("t = {:.9g} s: the energy is no longer a finite number; take smaller steps", state.time());
      return;
    }
    last_time_ = state.time();
    if (summary_.reports == 0) summary_.energy_start = summary_.energy_least = summary_.energy_most = energy;
    summary_.energy_end = energy;
    summary_.energy_least = std::min(summary_.energy_least, energy);
    summary_.energy_most = std::max(summary_.energy_most, energy);
    energies_.add(state.time() - summary_.time_start, energy - summary_.energy_start);
    summary_.energy_slope = energies_.slope();
    note_momentum(state.momentum());
    note_constraints(state);
    ++summary_.reports;
    if (report_) report_(state);
  }

 private:
  void note_momentum(const Wrench<double>& momentum) {
    summary_.momentum_size = std::max({summary_.momentum_size, norm(momentum.moment), norm(momentum.force)});
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      const double now = kept_[i].of(momentum);
      if (summary_.reports == 0) kept_at_start_[i] = now;
      summary_.momentum_error = std::max(summary_.momentum_error, std::abs(now - kept_at_start_[i]));
    }
  }
  void note_constraints(const State& state) {
    if (errors_.empty()) return;
    tree::positions(workspace_, state.q());
    constraints_.errors(workspace_, state.time(), state.q(), errors_);
    for (std::size_t i = 0; i < errors_.size(); ++i)
      if (state.is_enabled(constraints_.element(int(i))))
        summary_.constraint_error = std::max(summary_.constraint_error, std::abs(errors_[i]));
  }

  tree::Workspace workspace_;
  tree::Constraints constraints_;
  std::vector<tree::KeptMomentum> kept_;
  std::vector<double> kept_at_start_, errors_;
  LineFit energies_;
  SimulateSummary& summary_;
  const Reporter& report_;
  double last_time_ = 0;
};

void note_drives(const Stepper& stepper, const Mechanism& mechanism, SimulateSummary& summary) {
  for (std::size_t i = 0; i < summary.largest_drives.size(); ++i) {
    const double force = std::abs(stepper.driving_forces()[std::size_t(mechanism.kinematic()[i].u)]);
    summary.largest_drives[i].second = std::max(summary.largest_drives[i].second, force);
  }
}

}  // namespace

std::vector<std::string> method_names() {
  return {std::string(variational::TreeVariational::method_name), std::string(projected::method_name)};
}

std::vector<std::string> integrator_names() {
  const auto names = projected::integrator_names();
  return {names.begin(), names.end()};
}

std::unique_ptr<Stepper> make_stepper(const Mechanism& mechanism, const SimulateOptions& options) {
  validate(options);
  const auto refuse = [&](bool given, const char* name, std::string_view owner) {
    if (given) throw std::invalid_argument(fmt::format("{} is an option of method {}, not of {}", name, owner, options.method));
  };
  if (options.method == projected::method_name) {
    refuse(options.tolerance.has_value(), "tolerance", variational::TreeVariational::method_name);
    refuse(options.alpha.has_value(), "alpha", variational::TreeVariational::method_name);
    refuse(options.order.has_value(), "order", variational::TreeVariational::method_name);
    projected::Options chosen{.fixed_step = options.dt, .tolerance = options.constraint_tolerance};
    if (options.integrator) chosen.integrator = *options.integrator;
    if (options.accuracy) chosen.accuracy = *options.accuracy;
    if (options.largest_step) chosen.largest_step = *options.largest_step;
    return projected::make_integrator(mechanism, chosen);
  }
  if (options.method == variational::TreeVariational::method_name) {
    refuse(options.integrator.has_value(), "integrator", projected::method_name);
    refuse(options.accuracy.has_value(), "accuracy", projected::method_name);
    refuse(options.largest_step.has_value(), "largest step", projected::method_name);
    refuse(options.constraint_tolerance.has_value(), "constraint tolerance", projected::method_name);
    variational::TreeVariationalOptions chosen;
    if (options.dt) chosen.step = *options.dt;
    if (options.alpha) chosen.alpha = *options.alpha;
    if (options.order) chosen.order = *options.order;
    if (options.tolerance) chosen.tolerance = *options.tolerance;
    return std::make_unique<variational::TreeVariational>(mechanism, chosen);
  }
  throw std::invalid_argument(
      fmt::format("method \"{}\" is not known{}", options.method, suggestion(options.method, method_names(), "methods")));
}

SimulateSummary simulate(const State& start, const SimulateOptions& options, const Reporter& report, const Progress& progress) {
  const auto stepper = make_stepper(start.mechanism(), options);
  validate_times(start.time(), options);
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
  const double t_end = start.time() + options.time;

  const Clock::time_point began = Clock::now();
  Account account(start, summary, report);
  State state = start;
  account.add(state);

  long reported = 0;  // intervals, or times
  const bool by_times = !options.times.empty();
  bool at_end = false;  // the last state has been reported
  Clock::time_point last_shown = began;
  while (summary.failure.empty() && stepper->time() < t_end) {
    const StepReport step = stepper->step(t_end);
    if (!step.ok()) {
      summary.failure = stepper->explain(step);
      break;
    }
    note_drives(*stepper, start.mechanism(), summary);
    if (options.interval || by_times) {
      // Multiples of the interval, or given times; a little rounding must not lose the one that falls on the end.
      const double slack = by_times ? 1e-12 * options.time : 1e-9 * *options.interval;
      const auto next = [&] {
        if (!by_times) return summary.time_start + double(reported + 1) * *options.interval;
        return reported < long(options.times.size()) ? options.times[std::size_t(reported)]
                                                     : std::numeric_limits<double>::infinity();
      };
      while (by_times && next() <= summary.time_start) ++reported;  // the start has been reported
      for (; next() <= step.t + slack && summary.failure.empty(); ++reported) {
        stepper->interpolate(next(), state);
        account.add(state);
        at_end = next() >= t_end - slack;
      }
    } else if (stepper->statistics().steps % options.every == 0) {
      stepper->get(state);
      account.add(state);
      at_end = step.t >= t_end;
    }
    if (progress && seconds_since(last_shown) > 0.1) {
      last_shown = Clock::now();
      progress((step.t - summary.time_start) / options.time);
    }
  }
  stepper->get(state);
  if (!at_end) account.add(state);
  if (progress) progress((state.time() - summary.time_start) / options.time);

  summary.completed = summary.failure.empty();
  summary.time_end = stepper->time();
  summary.steps = stepper->statistics();
  summary.wall_time = seconds_since(began);
  summary.real_time_factor = (summary.time_end - summary.time_start) / std::max(summary.wall_time, 1e-9);
  return summary;
}

}  // namespace polhode::study
