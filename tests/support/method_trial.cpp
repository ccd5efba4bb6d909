#include "tests/support/method_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/mechanism/problem.h"
#include "polhode/study/account.h"
#include "polhode/study/body_distance.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/constraint_errors.h"
#include "polhode/tree/realize.h"

namespace polhode::testing_support {
namespace {

constexpr int first_steps = 32, most_halvings = 7;
constexpr double fine_accuracy = 1e-9, coarse_accuracy = 1e-7, close = 1e-6;

bool is_variational(const std::string& method) { return method.find("variational") != std::string::npos; }

/// How exactly: steps of a fixed number, or an accuracy.
study::SimulateOptions options_for(const std::string& method, double time, int level, const Measure& measure) {
  study::SimulateOptions options{.method = method, .time = time};
  options.interval = time;
  if (is_variational(method)) {
    options.dt = time / double(first_steps << level);
    options.options.set("order", 4);
  } else {
    options.options.set("accuracy", level == 0 ? coarse_accuracy : fine_accuracy);
    // Its own is in metres, which is much for a mechanism of millimetres.
    if (method == "maximal-projected") options.options.set("constraint tolerance", 1e-10 * std::min(1.0, measure.length));
  }
  return options;
}

struct Run {
  std::string failure{};
  bool halved = false;  ///< some steps were shorter than asked for
  std::vector<Transform<double>> poses{};
  double energy_change = 0, constraint_error = 0;
  bool conservative = true;
};

Run run(const State& start, const study::SimulateOptions& options) {
  Run out;
  long steps = 0;
  constexpr long most_steps = 20000;  // a hundred times what these motions take
  study::Checkpointing checkpointing;
  checkpointing.interrupted = [&] { return ++steps > most_steps; };
  State end = start;
  const study::SimulateSummary summary = study::simulate(
      start, options, [&](const State& state) { end = state; }, {}, {}, checkpointing);
  out.conservative = summary.conservative;
  if (summary.interrupted) out.failure = fmt::format("{} steps led to t = {} s only", most_steps, summary.time_end);
  if (!summary.completed && out.failure.empty()) out.failure = summary.failure;
  out.halved = summary.steps.halved > 0;
  if (!out.failure.empty()) return out;
  tree::realize(end, Stage::velocity);
  out.poses = study::body_poses(end);
  out.energy_change = summary.energy_end - summary.energy_start;
  tree::Workspace workspace(start.mechanism());
  out.constraint_error = tree::largest_constraint_error(end, workspace);
  return out;
}

void take(Trial& trial, const Run& run, const Measure& measure) {
  trial.failure = run.failure;
  trial.poses = run.poses;
  trial.energy_change = run.energy_change / measure.energy;
  trial.constraint_error = run.constraint_error / std::max(1.0, measure.length);
  trial.conservative = run.conservative;
}

}  // namespace

Measure measure_of(const State& start) {
  State state = start;
  tree::realize(state, Stage::velocity);
  Measure measure{study::size_of(state), state.kinetic_energy()};
  double mass = 0;
  for (const Body& body : state.mechanism().bodies()) mass += body.mass.mass;
  measure.energy += mass * std::max(norm(state.mechanism().gravity()), 1.0) * measure.length;
  return measure;
}

double distance(const Mechanism& mechanism, const std::vector<Transform<double>>& a, const std::vector<Transform<double>>& b,
                const Measure& measure) {
  const double d = study::BodyDistance(mechanism)(a, b).length / measure.length;
  return std::isfinite(d) ? d : 1e300;
}

Trial try_method(const State& start, const std::string& method, double time, const Measure& measure) {
  Trial trial{.method = method};
  try {
    study::make_stepper(start.mechanism(), options_for(method, time, 0, measure));
  } catch (const ModelError& error) {
    trial.refused = error.what();
    return trial;
  }
  Run coarse = run(start, options_for(method, time, 0, measure));
  for (int level = 1;; ++level) {
    const Run fine = run(start, options_for(method, time, level, measure));
    take(trial, fine, measure);
    trial.halvings = level - 1;
    const bool variational = is_variational(method);
    const bool last = !variational || level == most_halvings;
    if (!trial.failure.empty() && last) return trial;
    // A coarse run whose steps had to be halved took those of the fine run, in part: their difference says too little.
    const bool comparable = last || !coarse.halved;
    if (comparable && coarse.failure.empty() && fine.failure.empty()) {
      const double change = distance(start.mechanism(), coarse.poses, fine.poses, measure);
      // Of order four, a halved step leaves a sixteenth of the error, so that it is a fifteenth of the change; an eighth, less
      // than that order promises, makes it a seventh. A projected method's second run is a hundred times as exact as its first.
      const double part = variational ? 7 : 10;
      const double energy = std::abs(fine.energy_change - coarse.energy_change) / measure.energy;
      trial.error = change / part;
      trial.energy_error = energy / part;
      if (last || std::max(change, energy) < close) {
        if (variational && change > 1e-2)
          trial.failure = fmt::format("halving {} steps changes the end by {} still", first_steps << (level - 1), change);
        return trial;
      }
    }
    coarse = fine;
  }
}

Trial repeat(const State& start, const Trial& like, double time, const Measure& measure) {
  Trial trial{.method = like.method};
  try {
    study::make_stepper(start.mechanism(), options_for(like.method, time, 0, measure));
  } catch (const ModelError& error) {
    trial.refused = error.what();
    return trial;
  }
  take(trial, run(start, options_for(like.method, time, like.halvings + 1, measure)), measure);
  trial.error = like.error, trial.energy_error = like.energy_error, trial.halvings = like.halvings;
  return trial;
}

}  // namespace polhode::testing_support
