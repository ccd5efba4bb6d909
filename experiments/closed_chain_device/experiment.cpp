// Seed 000, Fig. 8: the closed-chain device, 120 s at 10 ms.
#include <fmt/format.h>

#include <algorithm>

#include "../../bench/step/measure.h"
#include "../../bench/step/problems.h"
#include "../all.h"
#include "../common/race.h"
#include "check_values.h"
#include "trend.h"

namespace polhode::experiments {
namespace {

constexpr double step = 0.01, whole_time = 120;  // as in the seed [s]
constexpr const char* ours = "polhode tree-variational";
constexpr const char* odes = "ode exact";

/// Everybody at the seed's step. Some are too slow for a quick look.
std::vector<std::string> entrants(bool quick) {
  std::vector<std::string> names{ours,
                                 "polhode tree-variational order=4",
                                 "polhode maximal-variational",
                                 "polhode tree-projected accuracy=1e-6",
                                 "polhode maximal-projected accuracy=1e-6",
                                 odes,
                                 "ode quick",
                                 "simbody merson-1e-3",
                                 "mujoco euler",
                                 "mujoco implicit",
                                 "mujoco rk4",
                                 "bullet euler",
                                 "dart euler"};
  if (!quick) names.insert(names.end(), {"simbody merson-1e-6", "simbody euler", "simbody verlet", "bullet rk4"});
  return names;
}

const Lap& lap_of(const std::vector<Lap>& laps, const std::string& entrant) {
  return *std::find_if(laps.begin(), laps.end(), [&](const Lap& lap) { return lap.setting.entrant == entrant; });
}

// ---------------------------------------------------------------------------------------------------- 120 s

Race whole_run(const Findings& findings) {
  Race race{.name = "whole_run",
            .problem = bench::closed_chain_device(),
            .time = whole_time,
            .interval = 0.02,
            .curves = {},
            .repetitions = findings.pick(3, 1),
            .limit_seconds = findings.pick(30.0, 6.0)};
  for (const std::string& name : entrants(findings.quick())) race.curves.push_back({name, {{name, step}}});
  return race;
}

format::PlotSeries energy_of(const Lap& lap, double start, double scale) {
  format::PlotSeries series{.name = lap.label, .x = lap.course.t, .y = lap.course.energy};
  for (double& energy : series.y) energy = start + scale * energy;
  return series;
}

void draw_energy(Findings& findings, const Race& race, const std::vector<Lap>& laps) {
  const double start = bench::Meter(race.problem).read(0, bench::start_of(race.problem)).energy;
  const double scale = race.problem.energy_scale;
  format::Plot empty{.x_name = "time", .x_unit = "s", .y_name = "energy", .y_unit = "J"};
  empty.marks = {{start - scale, "least possible"}};
  format::Plot figure = empty, other = empty, methods = empty;
  figure.title = "As in the seed: variational and ODE";
  for (const char* name : {ours, odes}) figure.series.push_back(energy_of(lap_of(laps, name), start, scale));
  other.title = "The peers";
  methods.title = "Polhode's methods";
  methods.marks.clear();
  for (const Lap& lap : laps) {
    if (lap.course.size() < 2) continue;
    const bool is_ours = lap.label.starts_with("polhode");
    if (lap.label == ours || !is_ours) other.series.push_back(energy_of(lap, start, scale));
    if (is_ours) methods.series.push_back(energy_of(lap, start, scale));
  }
  std::erase_if(other.series, [](const format::PlotSeries& series) {  // the second of two that cannot be told apart
    return series.name == "mujoco implicit" || series.name == "ode quick" || series.name == "simbody merson-1e-3" ||
           series.name == "bullet rk4";
  });
  findings.plot("energy", "Total energy of the device over two minutes at steps of 10 ms.", {figure, other, methods});
}

void tabulate_runtimes(Findings& findings, const std::vector<Lap>& laps) {
  const auto here = [&](const char* name) {
    const Lap& lap = lap_of(laps, name);
    return lap.finished() ? Cell(lap.seconds) : Cell("-");
  };
  findings.table({.name = "runtimes",
                  .caption = "120 s at 10 ms: the seed's runtimes and today's",
                  .columns = {"program", "seed, 2009 [s]", "here [s]"},
                  .rows = {{"ODE, exact step", 1.86, here(odes)},
                           {"trep, Python and C", 22.1, Cell("0.81, measured apart")},
                           {"Polhode tree-variational", "-", here(ours)},
                           {"Polhode maximal-variational", "-", here("polhode maximal-variational")}}});
}

void judge_whole_run(Findings& findings, const std::vector<Lap>& laps) {
  const Lap &mine = lap_of(laps, ours), &theirs = lap_of(laps, odes);
  const bool done = mine.finished();
  const auto measured = [done](double value) { return done ? std::optional(value) : std::nullopt; };
  const Trend trend = trend_of(mine.course.t, mine.course.energy);

  findings.judge(
      bench::at_most("seed: energy near constant, largest error at 10 ms [%]", measured(100 * mine.outcome.drift_largest), 5));
  findings.judge(bench::at_most("seed: no secular drift, linear trend of the energy over its standard error",
                                measured(std::abs(trend.slope) / trend.slope_error), 3));
  findings.judge(bench::at_least("seed: ODE dissipates, energy lost at 120 s [%]",
                                 theirs.finished() ? std::optional(-100 * theirs.outcome.drift_end) : std::nullopt, 10));
  findings.judge(bench::at_most("issue: energy error at the end [%]", measured(100 * std::abs(mine.outcome.drift_end)), 0.1));
  findings.judge(bench::at_most("issue: largest loop gap [m]", measured(mine.outcome.gap), 1e-9));
  const bool both = done && theirs.finished();
  findings.judge(bench::at_most("issue: wall time over that of ODE's exact step",
                                both ? std::optional(mine.seconds / theirs.seconds) : std::nullopt, 1),
                 About::speed);
  findings.note(
      fmt::format("The default method's energy swings by {:.2g} % of the {:.3g} J in play, as that of any symplectic "
                  "method does at such a step; its straight-line trend is {:.2g} +- {:.1g} % in {:g} s, and the mean "
                  "over the last tenth {:.2g} %.",
                  100 * mine.outcome.drift_largest, bench::closed_chain_device().energy_scale, 100 * trend.slope * whole_time,
                  100 * trend.slope_error * whole_time, whole_time, 100 * mine.outcome.drift_late));
}

// ---------------------------------------------------------------------------------------------------- 3 s, against the truth

Race short_race(const Findings& findings, const Lap& reference) {
  const std::vector<double> steps =
      findings.pick<std::vector<double>>({0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4}, {0.02, 0.01, 0.002, 5e-4});
  const std::vector<double> few = findings.pick<std::vector<double>>({0.02, 0.01, 0.005, 0.002, 0.001}, {0.01, 0.002});
  const std::vector<double> accuracies =
      findings.pick<std::vector<double>>({1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}, {1e-3, 1e-6});
  Race race{.name = "three_seconds", .problem = bench::closed_chain_device(), .time = 3, .interval = 0.02, .curves = {}};
  race.reference = reference.course;
  race.repetitions = findings.pick(2, 1);
  race.limit_seconds = findings.pick(20.0, 3.0);
  race.curves = {with_steps("Polhode tree-variational", ours, steps),
                 with_steps("Polhode order 4", "polhode tree-variational order=4", few),
                 with_steps("Polhode order 6", "polhode tree-variational order=6", few),
                 with_steps("Polhode maximal-variational", "polhode maximal-variational", steps),
                 with_accuracies("Polhode tree-projected", "polhode tree-projected accuracy=", accuracies, 0.02),
                 with_accuracies("Polhode maximal-projected", "polhode maximal-projected accuracy=", accuracies, 0.02),
                 with_steps("ODE exact", odes, steps),
                 with_steps("ODE quick", "ode quick", steps),
                 with_accuracies("Simbody Merson", "simbody merson-", accuracies, 0.02),
                 with_steps("Simbody Euler", "simbody euler", few),
                 with_steps("Simbody Verlet", "simbody verlet", few),
                 with_steps("MuJoCo Euler", "mujoco euler", steps),
                 with_steps("MuJoCo RK4", "mujoco rk4", steps),
                 with_steps("Bullet", "bullet euler", steps),
                 with_steps("DART", "dart euler", steps)};
  return race;
}

Lap exact_lap() {
  const Race race{.name = "reference",
                  .problem = bench::closed_chain_device(),
                  .time = 3,
                  .interval = 0.02,
                  .curves = {},
                  .repetitions = 0};
  return run_lap(race, "reference", {"polhode tree-projected integrator=rk8 accuracy=1e-12", 0.02});
}

void run(Findings& findings) {
  const Race long_race = whole_run(findings);
  const std::vector<Lap> long_laps = run(long_race);
  draw_energy(findings, long_race, long_laps);
  tabulate_runtimes(findings, long_laps);
  judge_whole_run(findings, long_laps);
  show(findings, long_race, long_laps);

  const Lap reference = exact_lap();
  check_values(findings, reference);
  const Race race = short_race(findings, reference);
  const std::vector<Lap> laps = run(race);
  show(findings, race, laps);

  findings.note(
      "The motion is chaotic: two computations that differ in the last digit differ in the first after half a minute or so. "
      "Errors "
      "of the motion are therefore taken over the first 3 s only; of the rest energy and gaps are judged.");
  findings.note(
      "The start is that of trep's example, with the loops closed to rounding. ODE cannot move bodies without inertia and gets "
      "1e-3 "
      "kg m^2 for each, MuJoCo 1e-6; the floor of their errors in the work-precision diagram is that difference.");
}

}  // namespace

const Experiment closed_chain_device{.name = "closed_chain_device",
                                     .title = "Closed-chain device",
                                     .source = "Seed 000, Fig. 8 and section VI-B",
                                     .claim =
                                         "Seven bodies in several closed chains, simulated for 120 s with steps of 10 ms. A "
                                         "simulator that balances forces must pull "
                                         "its loops together again and again, which takes energy out within seconds: ODE is "
                                         "ten times faster than trep but damps the "
                                         "motion away, while the variational integrator keeps the energy nearly constant.",
                                     .run = run};

}  // namespace polhode::experiments
