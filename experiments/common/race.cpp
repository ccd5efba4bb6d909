#include "race.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../../bench/numbers.h"
#include "../../bench/step/entrants.h"
#include "../../bench/step/isolated.h"

namespace polhode::experiments {
namespace {

/// How many dt fit into a time; they must fit.
int whole_steps(double time, double dt) {
  const int steps = int(std::lround(time / dt));
  if (std::abs(steps * dt - time) > 1e-9 * time) throw std::logic_error(fmt::format("{} s are no multiple of {} s", time, dt));
  return steps;
}

void compare(Lap& lap, const bench::Course& reference) {
  using bench::operator-;
  const std::size_t samples = std::min(lap.course.size(), reference.size());
  double sum = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    for (std::size_t i = 0; i < reference.links; ++i) {
      const double off = bench::length(lap.course.centres[k][i] - reference.centres[k][i]);
      sum += off * off;
      lap.error_largest = std::max(lap.error_largest, off);
    }
  }
  if (samples > 0) lap.error_rms = std::sqrt(sum / double(samples * reference.links));
}

}  // namespace

std::string Lap::remark() const {
  if (finished()) return {};
  return installed ? fmt::format("stopped at {:g} s: {}", outcome.time_reached, outcome.reason.data()) : outcome.reason.data();
}

Curve with_steps(std::string label, const std::string& entrant, const std::vector<double>& steps) {
  Curve curve{std::move(label), {}};
  for (const double dt : steps) curve.settings.push_back({entrant, dt});
  return curve;
}

Curve with_accuracies(std::string label, const std::string& entrant, const std::vector<double>& accuracies, double interval) {
  Curve curve{std::move(label), {}};
  for (const double accuracy : accuracies) curve.settings.push_back({fmt::format("{}{:g}", entrant, accuracy), interval});
  return curve;
}

Lap run_lap(const Race& race, const std::string& label, const Setting& setting) {
  Lap lap{.label = label, .setting = setting, .outcome = {}, .course = {}};
  const auto entrants = bench::entrants_named({setting.entrant});
  if (entrants.empty()) {
    lap.installed = false;
    bench::set_reason(lap.outcome, "not installed");
    return lap;
  }
  bench::Problem problem = race.problem;
  problem.dt = setting.dt;
  problem.steps = whole_steps(race.time, setting.dt);
  problem.exact_x.clear();
  const bench::RunPlan plan{.repetitions = race.repetitions, .sample_every = whole_steps(race.interval, setting.dt)};
  lap.outcome = bench::run_isolated(entrants[0].make, entrants[0].method, problem, plan, race.limit_seconds, &lap.course);
  if (lap.outcome.is_timed()) lap.seconds = lap.outcome.seconds_per_step() * problem.steps;
  compare(lap, race.reference);
  return lap;
}

std::vector<Lap> run(const Race& race) {
  std::vector<Lap> laps;
  for (const Curve& curve : race.curves) {
    for (const Setting& setting : curve.settings) laps.push_back(run_lap(race, curve.label, setting));
  }
  return laps;
}

std::optional<double> order_of(const std::vector<Lap>& laps, const std::string& label, double (*error)(const Lap&)) {
  std::vector<std::pair<double, double>> points;
  for (const Lap& lap : laps) {
    if (lap.label == label && lap.finished()) points.emplace_back(lap.setting.dt, error(lap));
  }
  return bench::log_log_slope(points);
}

std::optional<double> seconds_at(const std::vector<Lap>& laps, const std::string& label, double error_rms) {
  std::vector<std::pair<double, double>> points;  // log error, log seconds
  for (const Lap& lap : laps) {
    if (lap.label == label && lap.finished() && lap.error_rms > 0) {
      points.emplace_back(std::log(lap.error_rms), std::log(lap.seconds));
    }
  }
  std::sort(points.begin(), points.end());
  const double wanted = std::log(error_rms);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto [x0, y0] = points[i - 1];
    const auto [x1, y1] = points[i];
    if (x0 < x1 && x0 <= wanted && wanted <= x1) return std::exp(y0 + (y1 - y0) * (wanted - x0) / (x1 - x0));
  }
  return std::nullopt;
}

}  // namespace polhode::experiments
