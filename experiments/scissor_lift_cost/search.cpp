#include "search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../../bench/step/entrants.h"
#include "../../bench/step/isolated.h"
#include "../../bench/step/problems.h"
#include "../scissor_lift/lift.h"

namespace polhode::experiments {
namespace {

constexpr double run_time = 1.02 * EqualError::wanted_time;  // [s]; seen from here, 15 s +- 1 % are inside
constexpr double grid = 1e-3;                                // of the exact motion [s]
constexpr double between_looks = 5e-3;                       // about [s]
constexpr int most_trials = 60;
constexpr int most_timed_steps = 20000;

bool is_close(const EqualError::Trial& trial) {
  return trial.finished && trial.exceeded && std::abs(*trial.exceeded / EqualError::wanted_time - 1) < 0.01;
}

/// Where the wanted error should be, if the error is as of a method of that order; never far from where we are.
double next_by_order(const EqualError::Trial& trial, int order) {
  if (!trial.finished) return trial.dt / 2;
  const double factor = trial.error > 0 ? std::pow(EqualError::wanted_error / trial.error, 0.5 / order) : 3;
  return trial.dt * (trial.is_good() ? std::clamp(factor, 1.02, 2.5) : std::clamp(factor, 0.4, 0.98));
}

std::string with_accuracy(const std::string& entrant, double accuracy) { return entrant + fmt::format("{:.4g}", accuracy); }

bench::Problem with_step(bench::Problem problem, double dt) {
  problem.dt = dt;
  problem.steps = int(std::ceil(run_time / dt));
  return problem;
}

}  // namespace

EqualError::EqualError(int segments) : problem_(bench::scissor_lift(segments)) {
  problem_.exact_x.clear();
  exact_ = angles(exact_course({.segments = segments}, grid, int(std::ceil((run_time + largest_step) / grid)) + 1));
}

double EqualError::exact_angle(double t) const {
  const double k = t / grid;
  const std::size_t i = std::min(std::size_t(k), exact_.size() - 2);
  return exact_[i] + (k - double(i)) * (exact_[i + 1] - exact_[i]);
}

EqualError::Trial EqualError::attempt(const std::string& entrant, double dt, double limit_seconds) const {
  Trial trial{.dt = dt};
  const auto entrants = bench::entrants_named({entrant});
  if (entrants.empty()) {
    trial.reason = "not installed";
    return trial;
  }
  const bench::Problem problem = with_step(problem_, dt);
  const bench::RunPlan plan{.repetitions = 0, .sample_every = std::max(1, int(between_looks / dt))};
  bench::Course course;
  const bench::RunOutcome outcome =
      bench::run_isolated(entrants[0].make, entrants[0].method, problem, plan, limit_seconds, &course);
  trial.finished = outcome.finished;
  trial.reason = outcome.finished ? "" : outcome.reason.data();
  trial.out_of_time = trial.reason.starts_with("not done within");

  const std::vector<double> angle = angles(course);
  double before = 0;
  for (std::size_t k = 1; k < course.size(); ++k) {
    const double off = angle[k] - exact_angle(course.t[k]), now = off * off;
    if (course.t[k] <= wanted_time || !trial.exceeded) trial.error += (before + now) / 2 * (course.t[k] - course.t[k - 1]);
    if (trial.error > wanted_error && !trial.exceeded) trial.exceeded = course.t[k];
    before = now;
  }
  return trial;
}

double EqualError::seconds_with(const std::string& entrant, double dt, double limit_seconds) const {
  const auto entrants = bench::entrants_named({entrant});
  bench::Problem problem = with_step(problem_, dt);
  problem.steps = int(std::ceil(wanted_time / dt));
  const bench::RunPlan plan{.trace = false, .repetitions = 2, .timed_steps = std::min(problem.steps, most_timed_steps)};
  const bench::RunOutcome outcome = bench::run_isolated(entrants[0].make, entrants[0].method, problem, plan, limit_seconds);
  return outcome.is_timed() ? outcome.seconds_per_step() * problem.steps : 0;
}

EqualError::Trial EqualError::attempt_accuracy(const std::string& entrant, double accuracy, const AccuracyLimits& limits,
                                               Found& found) const {
  Trial trial = attempt(with_accuracy(entrant, accuracy), limits.interval, limits.trial_seconds);
  trial.accuracy = accuracy;
  ++found.trials;
  return trial;
}

void EqualError::narrow_accuracy(const std::string& entrant, const AccuracyLimits& limits, double accuracy,
                                 Found& found) const {
  while (found.trials < most_trials && accuracy >= limits.finest) {
    const Trial trial = attempt_accuracy(entrant, accuracy, limits, found);
    (trial.is_good() ? found.best : found.worse) = trial;
    if (is_close(trial)) {
      found.best = trial;
      return;
    }
    found.capped = trial.is_good() && accuracy >= limits.coarsest;
    if (trial.out_of_time || found.capped) return;  // finer ones would take even longer
    if (found.best && found.worse->accuracy < found.best->accuracy * (1 + limits.precision)) return;
    accuracy = found.best ? std::sqrt(found.best->accuracy * found.worse->accuracy) : accuracy / 10;
  }
}

EqualError::Found EqualError::search_accuracy(const std::string& entrant, const AccuracyLimits& limits) const {
  Found found;
  double accuracy = limits.coarsest;
  while (true) {
    narrow_accuracy(entrant, limits, accuracy, found);
    if (!found.best) break;
    std::optional<Trial> refuted;  // by a somewhat finer one that is not good
    for (const double part : {0.7, 0.4}) {
      const Trial trial = attempt_accuracy(entrant, part * found.best->accuracy, limits, found);
      if (!refuted && !trial.is_good() && !trial.out_of_time) refuted = trial;
    }
    if (!refuted || found.trials >= most_trials) break;
    found.best.reset();
    found.capped = false;
    found.worse = refuted;
    accuracy = refuted->accuracy / 2;
  }
  if (found.best) {
    found.seconds = seconds_with(with_accuracy(entrant, found.best->accuracy), limits.interval, limits.trial_seconds);
  } else if (found.worse) {
    found.reason = found.worse->reason;
  }
  return found;
}

void EqualError::narrow(const std::string& entrant, int order, const Limits& limits, double dt, Found& found) const {
  while (found.trials < most_trials && dt >= limits.least_step) {
    const Trial trial = attempt(entrant, dt, limits.trial_seconds);
    ++found.trials;
    (trial.is_good() ? found.best : found.worse) = trial;
    if (is_close(trial)) {
      found.best = trial;
      return;
    }
    if (trial.out_of_time) return;  // smaller steps would take even longer
    found.capped = trial.is_good() && dt >= largest_step;
    if (found.capped) return;
    const bool between = found.best && found.worse;
    if (between && found.worse->dt < found.best->dt * (1 + limits.precision)) return;
    dt = std::min(next_by_order(trial, order), largest_step);
    if (between && !(found.best->dt < dt && dt < found.worse->dt)) dt = std::sqrt(found.best->dt * found.worse->dt);
  }
}

std::optional<EqualError::Trial> EqualError::refutation(const std::string& entrant, const Limits& limits, Found& found) const {
  for (const double part : {0.85, 0.65, 0.45}) {
    const Trial trial = attempt(entrant, part * found.best->dt, limits.trial_seconds);
    ++found.trials;
    if (!trial.is_good() && !trial.out_of_time) return trial;
  }
  return std::nullopt;
}

EqualError::Found EqualError::search(const std::string& entrant, int order, const Limits& limits) const {
  Found found;
  double dt = std::min(limits.guess, largest_step);
  while (true) {
    narrow(entrant, order, limits, dt, found);
    if (!found.best) break;
    const std::optional<Trial> refuted = refutation(entrant, limits, found);
    if (!refuted) break;
    found.best.reset();
    found.capped = false;
    found.worse = refuted;
    dt = 0.7 * refuted->dt;
  }
  if (found.best) {
    found.seconds = seconds_with(entrant, found.best->dt, limits.trial_seconds);
  } else if (found.worse) {
    found.reason = found.worse->reason;
  }
  return found;
}

}  // namespace polhode::experiments
