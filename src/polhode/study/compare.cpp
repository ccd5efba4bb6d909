#include "polhode/study/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "polhode/study/account.h"
#include "polhode/study/method_options.h"
#include "polhode/study/start.h"
#include "polhode/tree/constraint_errors.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

using Clock = std::chrono::steady_clock;
using Poses = std::vector<Transform<double>>;

/// Below it, the error of a step of numbers near one is that of rounding, which no shorter step makes less.
constexpr double least_accuracy = 1e-13;

/// What distances are measured from: the poses of all bodies by sample.
struct Reference {
  std::vector<Poses> poses;
  std::vector<double> times;
};

void validate(const CompareOptions& o) {
  if (o.interval && !(std::isfinite(*o.interval) && *o.interval > 0))
    throw std::invalid_argument(fmt::format("interval {} s must be a positive number", *o.interval));
  if (!(o.agreement > 0 && std::isfinite(o.agreement)))
    throw std::invalid_argument(fmt::format("agreement {} must be a positive part of the mechanism's size", o.agreement));
  // Poses of all bodies are kept at every sample.
  constexpr double most = 1e6;
  if (o.interval && o.simulate.time / *o.interval > most)
    throw std::invalid_argument(fmt::format("interval {} s would compare {:.3g} states in {} s; at most {:g} are allowed",
                                            *o.interval, o.simulate.time / *o.interval, o.simulate.time, most));
}

std::vector<std::string> chosen_methods(const CompareOptions& o) {
  const std::vector<std::string> known = method_names();
  const auto require_known = [&](const std::string& name) {
    if (const std::string why = objection_to_method(name); !why.empty()) throw std::invalid_argument(why);
  };
  const std::vector<std::string> methods = o.methods.empty() ? known : o.methods;
  for (auto name = methods.begin(); name != methods.end(); ++name) {
    require_known(*name);
    if (std::find(methods.begin(), name, *name) != name)
      throw std::invalid_argument(fmt::format("method \"{}\" is named twice; once is enough", *name));
  }
  if (o.reference) {
    require_known(*o.reference);
    if (std::find(methods.begin(), methods.end(), *o.reference) == methods.end())
      throw std::invalid_argument(fmt::format("the reference {} is not among the methods that are compared ({})", *o.reference,
                                              fmt::join(methods, ", ")));
  }
  return methods;
}

double default_interval(const std::vector<MethodOptions>& methods, double time) {
  constexpr double samples = 1000;
  for (const MethodOptions& m : methods) {
    if (!m.refused.empty()) continue;
    if (const auto step = fixed_step(m.options); step && *step < time)
      return *step * std::max(1.0, std::round(time / samples / *step));
  }
  return time / samples;
}

/// From the first to the last, both included; the same doubles for every method.
std::vector<double> sample_times(double start, double time, double interval) {
  std::vector<double> times;
  const auto whole = long(std::floor(time / interval * (1 + 1e-12)));
  for (long k = 0; k <= whole; ++k) times.push_back(start + double(k) * interval);
  if (times.back() < start + time - 1e-6 * interval) {
    times.push_back(start + time);
  } else {
    times.back() = start + time;
  }
  return times;
}

/// Takes samples of a run as its states are reported.
class Sampler {
 public:
  /// Without a reference, poses are kept instead of compared.
  Sampler(const State& start, const Reference* reference, Reference* kept, int traced, MethodRun& run)
      : workspace_(start.mechanism()),
        momenta_(kept_momenta_of(start)),
        distance_(start.mechanism()),
        reference_(reference),
        kept_(kept),
        traced_(traced),
        run_(run) {}

  void add(const State& state) {
    const Clock::time_point began = Clock::now();
    CompareSample sample{.t = state.time(),
                         .kinetic = state.kinetic_energy(),
                         .potential = state.potential_energy(),
                         .constraint_error = tree::largest_constraint_error(state, workspace_),
                         .momentum_error = momentum_error(state),
                         .distance = {}};
    Poses poses = body_poses(state);
    sample.distance = reference_ != nullptr ? distance_to_reference(sample.t, poses) : Distance{};
    run_.samples.push_back(sample);
    run_.path.push_back(poses[std::size_t(traced_)] * state.mechanism().bodies()[std::size_t(traced_)].mass.com);
    if (kept_ != nullptr) kept_->times.push_back(sample.t), kept_->poses.push_back(std::move(poses));
    spent_ += std::chrono::duration<double>(Clock::now() - began).count();
  }
  double spent() const { return spent_; }

 private:
  double momentum_error(const State& state) {
    double largest = 0;
    for (std::size_t i = 0; i < momenta_.size(); ++i) {
      const double now = momenta_[i].of(state.momentum());
      if (run_.samples.empty()) at_start_.push_back(now);
      largest = std::max(largest, std::abs(now - at_start_[i]));
    }
    return largest;
  }
  Distance distance_to_reference(double t, const Poses& poses) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto& times = reference_->times;
    const double same = 1e-9 * std::max(1e-3, times.size() > 1 ? times[1] - times[0] : 0);
    while (next_ < times.size() && times[next_] < t - same) ++next_;
    if (next_ == times.size() || times[next_] > t + same) return {none, none};
    return distance_(poses, reference_->poses[next_]);
  }

  tree::Workspace workspace_;
  std::vector<tree::KeptMomentum> momenta_;
  std::vector<double> at_start_;
  BodyDistance distance_;
  const Reference* reference_;
  Reference* kept_;
  int traced_;
  MethodRun& run_;
  std::size_t next_ = 0;
  double spent_ = 0;
};

/// What the table says about a run's distances.
void sum_up(MethodRun& run, double limit) {
  for (const CompareSample& s : run.samples) {
    if (!std::isfinite(s.distance.length)) continue;
    if (s.t > run.summary.time_start) ++run.comparisons;
    run.largest.length = std::max(run.largest.length, s.distance.length);
    run.largest.angle = std::max(run.largest.angle, s.distance.angle);
    run.at_end = s.distance;
    run.compared_until = s.t;
    if (!run.agrees_until && limit > 0 && s.distance.length > limit) run.agrees_until = s.t;
  }
}

/// The body whose centre of mass goes farthest from where it begins, and how far [m].
std::pair<int, double> farthest(const Mechanism& mechanism, const Reference& reference) {
  int found = mechanism.num_bodies() - 1;
  double most = 0;
  for (int b = 1; b < mechanism.num_bodies() && !reference.poses.empty(); ++b) {
    const Body& body = mechanism.bodies()[std::size_t(b)];
    if (!(body.mass.mass > 0)) continue;
    const auto at = [&](const Poses& poses) { return poses[std::size_t(b)] * body.mass.com; };
    double reach = 0;
    for (const Poses& poses : reference.poses) reach = std::max(reach, norm(at(poses) - at(reference.poses.front())));
    if (reach > most * (1 + 1e-9)) most = reach, found = b;
  }
  return {found, most};
}

/// Steps that were made to end at samples are no events of the model.
void forget_last_event(SimulateSummary& summary) {
  const int last = int(summary.event_counts.size()) - 1;
  summary.events -= summary.event_counts.back().count;
  summary.event_counts.pop_back();
  std::erase_if(summary.event_records, [&](const EventRecord& record) { return record.event == last; });
}

class Comparison {
 public:
  Comparison(const State& start, const CompareOptions& options, const CompareProgress& progress)
      : start_(start), options_(options), progress_(progress) {
    validate(options);
    assemble_start(start_);
    methods_ = chosen_methods(options);
    handed_ = hand_out(start_, methods_, options.simulate);
    refuse_if_none_applies();
    result_.interval = options.interval.value_or(default_interval(handed_, options.simulate.time));
    times_ = sample_times(start.time(), options.simulate.time, result_.interval);
    measure_start();
  }

  CompareResult go() {
    result_.time_end = start_.time() + options_.simulate.time;
    result_.runs.resize(methods_.size());
    for (std::size_t i = 0; i < methods_.size(); ++i) {
      result_.runs[i].method = methods_[i];
      result_.runs[i].refused = handed_[i].refused;
      result_.runs[i].problems = handed_[i].problems;
    }
    run_reference();
    for (std::size_t i = 0; i < methods_.size(); ++i)
      if (result_.runs[i].ran() && int(i) != result_.reference)
        run(handed_[i].options, {}, result_.runs[i], &reference_, nullptr);
    for (MethodRun& r : result_.runs) sum_up(r, result_.limit);
    return std::move(result_);
  }

 private:
  void refuse_if_none_applies() const {
    std::vector<Problem> problems;
    for (const MethodOptions& m : handed_) {
      if (m.refused.empty()) return;
      problems.insert(problems.end(), m.problems.begin(), m.problems.end());
    }
    if (problems.empty()) throw std::invalid_argument(handed_.front().refused);
    throw ModelError(std::move(problems));
  }

  void measure_start() {
    State state = start_;
    tree::realize(state, Stage::position);
    result_.size = size_of(state);
    result_.limit = options_.agreement * result_.size;
  }

  void run_reference() {
    if (options_.reference) {
      const auto found = std::find(methods_.begin(), methods_.end(), *options_.reference);
      result_.reference = int(found - methods_.begin());
      const MethodRun& chosen = result_.runs[std::size_t(result_.reference)];
      if (!chosen.ran())
        throw std::invalid_argument(fmt::format("the reference {} does not apply: {}", chosen.method, chosen.refused));
    } else if (const auto exact = exact_options()) {
      run_extra_reference(*exact);
      return;
    } else {
      const auto first = std::find_if(result_.runs.begin(), result_.runs.end(), [](const MethodRun& r) { return r.ran(); });
      result_.reference = int(first - result_.runs.begin());
    }
    MethodRun& chosen = result_.runs[std::size_t(result_.reference)];
    run(handed_[std::size_t(result_.reference)].options, {}, chosen, nullptr, &reference_);
    trace(chosen);
  }

  /// Where the accuracy cannot be met, because errors are smaller than the rounding of large coordinates or forces, with less.
  void run_extra_reference(SimulateOptions exact) {
    constexpr int most_attempts = 3;
    const Event at_samples{"times of comparison", AtTimes{times_}, {}};
    MethodRun farthest_run;
    Reference farthest_kept;
    double accuracy = *exact.options.number("accuracy");
    for (int attempt = 0; attempt < most_attempts; ++attempt, accuracy *= 10) {
      exact.options.set("accuracy", accuracy);
      MethodRun extra;
      Reference kept;
      extra.method = exact.method;
      run(exact, {at_samples}, extra, nullptr, &kept);
      forget_last_event(extra.summary);
      if (attempt > 0 && extra.summary.time_end <= farthest_run.summary.time_end) continue;
      result_.reference_accuracy = accuracy;
      farthest_run = std::move(extra), farthest_kept = std::move(kept);
      if (farthest_run.summary.completed) break;
    }
    reference_ = std::move(farthest_kept);
    trace(result_.extra_reference.emplace(std::move(farthest_run)));
  }

  /// The first method that controls its error, set to keep much less of it.
  std::optional<SimulateOptions> exact_options() const {
    for (const MethodOptions& m : handed_) {
      if (!m.controls_error || !m.refused.empty()) continue;
      SimulateOptions exact = m.options;
      exact.dt.reset();
      const double accuracy = *number_in_force(m.options, "accuracy");
      exact.options.set("accuracy", std::max(least_accuracy, std::min(1e-11, 1e-3 * accuracy)));
      exact.options.erase("constraint tolerance");
      const OptionField* const integrator = method_named(m.options.method).option("integrator");
      if (integrator && integrator->objection("rk8").empty()) exact.options.set("integrator", "rk8");
      return exact;
    }
    return {};
  }

  void run(SimulateOptions options, const std::vector<Event>& events, MethodRun& to, const Reference* reference,
           Reference* kept) {
    options.times = times_;
    options.account_at_steps = true;
    Sampler sampler(start_, reference, kept, result_.traced, to);
    const auto report = [&](const State& state) { sampler.add(state); };
    const auto progress = [&](double fraction) {
      if (progress_) progress_(to.method, fraction);
    };
    to.summary = simulate(start_, options, report, progress, events);
    to.summary.wall_time = std::max(to.summary.wall_time - sampler.spent(), 1e-9);
    to.summary.real_time_factor = (to.summary.time_end - to.summary.time_start) / to.summary.wall_time;
  }

  /// Which body to follow is known when the reference has run; so is the size of what begins as a point.
  void trace(MethodRun& run) {
    const auto [body, reach] = farthest(start_.mechanism(), reference_);
    result_.traced = body;
    for (std::size_t k = 0; k < run.path.size(); ++k)
      run.path[k] = reference_.poses[k][std::size_t(body)] * start_.mechanism().bodies()[std::size_t(body)].mass.com;
    if (result_.size > 0) return;
    result_.size = reach;
    result_.limit = options_.agreement * reach;
  }

  State start_;
  const CompareOptions& options_;
  const CompareProgress& progress_;
  std::vector<std::string> methods_;
  std::vector<MethodOptions> handed_;
  std::vector<double> times_;
  Reference reference_;
  CompareResult result_;
};

}  // namespace

bool CompareResult::completed() const {
  return (!extra_reference || extra_reference->summary.completed) &&
         std::all_of(runs.begin(), runs.end(), [](const MethodRun& r) { return !r.ran() || r.summary.completed; });
}

CompareResult compare(const State& start, const CompareOptions& options, const CompareProgress& progress) {
  return Comparison(start, options, progress).go();
}

}  // namespace polhode::study
