// Johnson & Murphey, Fig. 1: a pendulum for 5000 s. Who keeps its energy?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../all.h"
#include "../common/lineup.h"
#include "../common/link_pendulum.h"
#include "../common/trend.h"
#include "exact.h"

namespace polhode::experiments {
namespace {

constexpr double h = 0.01;  // the paper's step [s]

/// theta'' = -rate^2 sin(theta): m g L over the inertia about the pin.
const double rate = std::sqrt(bench::standard_gravity / 1.1);
const double swing = 1 - std::cos(link_pendulum_angle);  // energy of the start above the lowest, in units of the scale

/// What is left of a long run: half a million samples are too many to keep for everybody.
struct LongRun {
  std::string label;
  bool finished = false;
  std::string reason{};
  format::PlotSeries region{};     // energy [J], least and greatest of each stretch of time
  format::PlotSeries errors{};     // largest in each stretch, of the energy of the start [%]
  double slope = 0;                // of the fitted line times the time, of the scale
  double first = 0, last = 0;      // mean error of the first and the last tenth, of the scale
  double least = 0, greatest = 0;  // error, of the scale
  double period = 0;               // mean [s]
};

/// From the first to the last passage from left to right. Straight between samples: the acceleration is zero there.
double mean_period(const bench::Course& course) {
  double first = 0, last = 0;
  int passages = 0;
  for (std::size_t i = 1; i < course.size(); ++i) {
    const double before = course.centres[i - 1][0][0], now = course.centres[i][0][0];
    if (before >= 0 || now < 0) continue;
    last = course.t[i] - (course.t[i] - course.t[i - 1]) * now / (now - before);
    if (passages++ == 0) first = last;
  }
  return passages > 1 ? (last - first) / (passages - 1) : 0;
}

/// Every stretch up and down once, so that a line looks like the region that the paper draws.
format::PlotSeries region_of(const std::string& label, const bench::Course& course, double scale) {
  constexpr std::size_t stretches = 500;
  format::PlotSeries region = series_of(label);
  const std::size_t length = std::max<std::size_t>(1, course.size() / stretches);
  for (std::size_t begin = 0; begin + length <= course.size(); begin += length) {
    const auto [least, greatest] =
        std::minmax_element(course.energy.begin() + long(begin), course.energy.begin() + long(begin + length));
    for (const double error : {*least, *greatest}) {
      region.x.push_back(course.t[begin]);
      region.y.push_back(scale * (swing + error));
    }
  }
  return region;
}

/// Flat lines are bounded errors, rising ones are drift.
format::PlotSeries errors_of(const std::string& label, const bench::Course& course) {
  constexpr std::size_t stretches = 100;
  format::PlotSeries errors = series_of(label);
  const std::size_t length = std::max<std::size_t>(1, course.size() / stretches);
  for (std::size_t begin = 0; begin + length <= course.size(); begin += length) {
    double largest = 0;
    for (std::size_t i = begin; i < begin + length; ++i) largest = std::max(largest, std::abs(course.energy[i]));
    errors.x.push_back(course.t[begin + length / 2]);
    errors.y.push_back(100 * largest / swing);
  }
  return errors;
}

LongRun long_run(const Race& race, const std::string& label, const Setting& setting) {
  const Lap lap = run_lap(race, label, setting);
  LongRun result{.label = label, .finished = lap.finished(), .reason = lap.remark()};
  if (!result.finished) return result;
  const std::vector<double>& energy = lap.course.energy;
  const std::size_t tenth = energy.size() / 10;
  result.region = region_of(label, lap.course, race.problem.energy_scale);
  result.errors = errors_of(label, lap.course);
  result.slope = trend_of(lap.course.t, energy).change;
  result.first = mean(energy, 0, tenth);
  result.last = mean(energy, energy.size() - tenth, energy.size());
  const auto [least, greatest] = std::minmax_element(energy.begin(), energy.end());
  result.least = *least;
  result.greatest = *greatest;
  result.period = mean_period(lap.course);
  return result;
}

std::vector<LongRun> long_runs(double time) {
  const Race race{.name = "long", .problem = link_pendulum(1), .time = time, .interval = h, .curves = {}, .repetitions = 0};
  std::vector<Curve> everybody = curves_of(our_labels(), {{h}, {1e-6}, h});
  for (Curve& curve : curves_of(peer_labels(), {{h}, {1e-3}, h})) everybody.push_back(std::move(curve));
  std::vector<LongRun> runs;
  for (const Curve& curve : everybody) runs.push_back(long_run(race, curve.label, curve.settings[0]));
  return runs;
}

const LongRun* find(const std::vector<LongRun>& runs, const std::string& label) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const LongRun& run) { return run.label == label; });
  return found != runs.end() && found->finished ? &*found : nullptr;
}

/// In the paper's colours.
format::Plot paper_plot(const std::vector<LongRun>& runs) {
  format::Plot plot{.title = "As in the paper: the variational integrator and ODE",
                    .x_name = "time",
                    .x_unit = "s",
                    .y_name = "energy above the lowest",
                    .y_unit = "J"};
  for (const char* label : {"ODE exact", "tree-variational"}) {
    if (const LongRun* run = find(runs, label)) plot.series.push_back(run->region);
  }
  return plot;
}

format::Plot error_plot(const std::vector<LongRun>& runs) {
  format::Plot plot{.title = "Everybody: energy error",
                    .x_name = "time",
                    .x_unit = "s",
                    .y_name = "largest in a stretch of time",
                    .y_unit = "%",
                    .log_y = true};
  for (const LongRun& run : runs) {
    if (run.finished) plot.series.push_back(run.errors);
  }
  return plot;
}

void show_long_runs(Findings& findings, const std::vector<LongRun>& runs, double exact_period) {
  findings.plot("energy",
                "The paper's figure: total energy of the pendulum. Lines look like regions because the energy varies within "
                "each swing. Below it everybody's error: a flat line is a bounded one, a rising one is drift.",
                {paper_plot(runs), error_plot(runs)});
  Table table{.name = "energy_runs",
              .caption = "Energy errors in % of the energy of the start, and the mean period against the exact one of " +
                         fmt::format("{:.9f} s", exact_period)};
  table.columns = {"engine and method",
                   "change of the fitted line [%]",
                   "mean of the last tenth less the first [%]",
                   "least [%]",
                   "greatest [%]",
                   "period, relative error",
                   "remark"};
  for (const LongRun& run : runs) {
    const auto number = [&](double value) { return run.finished ? Cell(value) : Cell("-"); };
    const double percent = 100 / swing;
    table.rows.push_back({run.label, number(percent * run.slope), number(percent * (run.last - run.first)),
                          number(percent * run.least), number(percent * run.greatest), number(run.period / exact_period - 1),
                          run.reason});
  }
  findings.table(std::move(table));
}

void judge_long_runs(Findings& findings, const std::vector<LongRun>& runs, double exact_period, double time) {
  const LongRun* own = find(runs, "tree-variational");
  const LongRun* ode = find(runs, "ODE exact");
  const auto of = [](const LongRun* run, double value) { return run ? std::optional<double>(value) : std::nullopt; };
  // An oscillation of amplitude a and period P alone gives a fitted line a change of at most 6 a P / (pi time): 2e-7 at 500 s.
  findings.judge(bench::at_most(fmt::format("tree-variational: secular change of the energy over {:g} s, of m g L", time),
                                of(own, own ? std::abs(own->slope) : 0), 1e-6));
  findings.judge(bench::at_most("tree-variational: mean energy of the last tenth against the first, of m g L",
                                of(own, own ? std::abs(own->last - own->first) : 0), 1e-6));
  // The midpoint rule keeps H - h^2/24 (V'' p^2/I^2 + V'^2/I) up to h^4. With E the energy of the start, the bracket is
  // rate^2 (2 cos(theta) (E - V) + (1 + cos(theta)) V), between 0 and 2 rate^2 E: H varies by at most (rate h)^2 E / 12.
  findings.judge(bench::at_most("tree-variational: largest energy error, of the energy of the start",
                                of(own, own ? std::max(-own->least, own->greatest) / swing : 0), std::pow(rate * h, 2) / 12));
  // Small swings of the midpoint rule: tan(w h / 2) = rate h / 2, hence slow by (rate h)^2 / 12; 45 degrees are softer.
  findings.judge(bench::at_most("tree-variational: relative error of the period",
                                of(own, own ? std::abs(own->period / exact_period - 1) : 0), std::pow(rate * h, 2) / 12));
  findings.judge(
      bench::at_most(fmt::format("ODE dissipates: change of its energy over {:g} s, of the energy of the start", time),
                     of(ode, ode ? ode->last / swing : 0), -0.1));
}

bench::Course exact_course(const ExactPendulum& exact, double time, double interval) {
  bench::Course course{.links = 1};
  for (int i = 0; i <= int(std::lround(time / interval)); ++i) {
    const double t = i * interval, angle = exact.angle(t);
    course.t.push_back(t);
    course.centres.push_back({{-std::sin(angle), 0, -std::cos(angle)}});
  }
  return course;
}

void race(Findings& findings, const ExactPendulum& exact) {
  constexpr double interval = 0.04;
  Race race{.name = "race", .problem = link_pendulum(1), .time = 20, .interval = interval, .curves = {}};
  const auto steps =
      findings.pick<std::vector<double>>({0.04, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002}, {0.02, 0.01, 0.002});
  const auto accuracies =
      findings.pick<std::vector<double>>({1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}, {1e-2, 1e-4, 1e-6, 1e-8});
  race.curves = curves_of(joined(our_labels(), peer_labels()), {steps, accuracies, interval});
  race.reference = exact_course(exact, race.time, race.interval);
  race.repetitions = findings.pick(3, 1);
  const std::vector<Lap> laps = run(race);
  show(findings, race, laps);

  const auto order = order_of(laps, "tree-variational");
  findings.judge(bench::at_most("tree-variational is of second order: error against the step, exponent off 2",
                                order ? std::optional(std::abs(*order - 2)) : std::nullopt, 0.05));
  constexpr double error = 2e-3;  // [m]
  const auto our_time = fastest(laps, our_labels(), error), peer_time = fastest(laps, peer_labels(), error);
  const auto ode_time = seconds_at(laps, "ODE exact", error);
  const auto ratio = our_time && ode_time ? std::optional(our_time->seconds / *ode_time) : std::nullopt;
  findings.judge(bench::at_most("time at 2 mm rms error over 20 s, ours over ODE's", ratio, 1), About::speed);
  if (our_time && peer_time) {
    findings.note(
        fmt::format("20 s to an rms error of 2 mm cost {:.3g} ms with our {} and {:.3g} ms with {}, the cheapest peer.",
                    1e3 * our_time->seconds, our_time->label, 1e3 * peer_time->seconds, peer_time->label));
  }
}

void run_it(Findings& findings) {
  const double time = findings.pick(5000.0, 500.0);
  const ExactPendulum exact(link_pendulum_angle, rate);
  const std::vector<LongRun> runs = long_runs(time);
  show_long_runs(findings, runs, exact.period());
  judge_long_runs(findings, runs, exact.period(), time);
  race(findings, exact);
  findings.note(
      "The paper gives no data for its pendulum. We took a link of 1 m with 1 kg and 0.1 kg m^2 at its lower end, released at "
      "45 degrees, as in its section VI-A.");
  findings.note(
      "A pendulum has one coordinate and a constant mass matrix: semi-implicit Euler (MuJoCo, DART, Bullet, Simbody) is "
      "symplectic on it and keeps its mean energy too, with an oscillation of first order in the step. Mechanisms with more "
      "coordinates (planar_human, closed_chain_device) show what becomes of that.");
}

}  // namespace

extern const Experiment pendulum_energy{
    "pendulum_energy", "Energy of a pendulum over 5000 s", "Johnson & Murphey, Fig. 1",
    "A single pendulum is simulated for 5000 s with steps of 10 ms. The variational integrator does not keep the energy from "
    "step to step but keeps its mean; ODE, a force-balance method, loses energy slowly and ends with an implausible motion.",
    run_it};

}  // namespace polhode::experiments
