// Johnson & Murphey, Fig. 8: the closed-chain device, 120 s at 10 ms.
#include <fmt/format.h>

#include <algorithm>

#include "../../bench/step/measure.h"
#include "../../bench/step/problems.h"
#include "../all.h"
#include "../common/lineup.h"
#include "check_values.h"
#include "drift.h"

namespace polhode::experiments {
namespace {

constexpr double step = 0.01, whole_time = 120;         // as in the paper [s]
constexpr double interval = 0.02, wide_interval = 0.1;  // between samples [s]
const std::string ours = "tree-variational", odes = "ODE exact";

/// Everybody at the paper's step, or looked at seldom if they choose their own. Some are too slow for a quick look.
std::vector<Curve> everybody(bool quick) {
  Labels labels = without(joined(our_labels(), peer_labels()), {"Bullet RK4", "Simbody Merson"});
  if (quick) labels = without(labels, {"Simbody Euler", "Simbody Verlet"});
  std::vector<Curve> all = curves_of(labels, {{step}, {1e-6}, wide_interval});
  all.push_back({"Simbody Merson, 1e-3", {{"simbody merson-1e-3", wide_interval}}});
  if (!quick) all.push_back({"Simbody Merson, 1e-6", {{"simbody merson-1e-6", wide_interval}}});
  return all;
}

const Lap& lap_of(const std::vector<Lap>& laps, const std::string& label) {
  return *std::find_if(laps.begin(), laps.end(), [&](const Lap& lap) { return lap.label == label; });
}

Race race_over(double time, double every) {
  return {.name = "", .problem = bench::closed_chain_device(), .time = time, .interval = every, .curves = {}};
}

/// Those that choose their steps are looked at less often, for that costs some of them a step.
std::vector<Lap> run_all(Race race) {
  std::vector<Lap> laps;
  for (const Curve& curve : race.curves) {
    for (const Setting& setting : curve.settings) {
      race.interval = std::max(interval, setting.dt);
      laps.push_back(run_lap(race, curve.label, setting));
    }
  }
  return laps;
}

// ---------------------------------------------------------------------------------------------------- 120 s

Race whole_run(const Findings& findings) {
  Race race = race_over(whole_time, interval);
  race.name = "whole_run";
  race.curves = everybody(findings.quick());
  race.repetitions = findings.pick(2, 1);
  race.limit_seconds = findings.pick(60.0, 10.0);
  return race;
}

format::PlotSeries energy_of(const Lap& lap, double start, double scale) {
  format::PlotSeries series = series_of(lap.label);
  series.x = lap.course.t;
  for (const double energy : lap.course.energy) series.y.push_back(start + scale * energy);
  return series;
}

void draw_energy(Findings& findings, const Race& race, const std::vector<Lap>& laps) {
  const double start = bench::Meter(race.problem).read(0, bench::start_of(race.problem)).energy;
  const double scale = race.problem.energy_scale;
  format::Plot figure{.x_name = "time", .x_unit = "s", .y_name = "energy", .y_unit = "J"};
  format::Plot methods = figure;
  figure.marks = {{start - scale, "least possible"}};
  figure.y_low = start - 1.2 * scale;
  figure.y_high = start + 0.2 * scale;
  format::Plot peers = figure;
  figure.title = "As in the paper: variational and ODE";
  peers.title = "All the peers";
  methods.title = "Our methods, enlarged";
  for (const std::string& label : {ours, odes}) figure.series.push_back(energy_of(lap_of(laps, label), start, scale));
  for (const Lap& lap : laps) {
    if (lap.course.size() < 2) continue;
    if (lap.label == ours || !is_ours(lap.label)) peers.series.push_back(energy_of(lap, start, scale));
    if (is_ours(lap.label)) methods.series.push_back(energy_of(lap, start, scale));
  }
  tell_apart(peers);
  findings.plot(
      "energy",
      "Total energy of the device over two minutes, with steps of 10 ms or an accuracy of 1e-6 where a label says no other.",
      {figure, peers, methods});
}

void tabulate_runtimes(Findings& findings, const std::vector<Lap>& laps) {
  const auto here = [&](const std::string& label) {
    const Lap& lap = lap_of(laps, label);
    return lap.finished() ? Cell(lap.seconds) : Cell("-");
  };
  findings.table({.name = "runtimes",
                  .caption = "120 s at 10 ms: the paper's runtimes and today's",
                  .columns = {"program", "paper, 2009 [s]", "here [s]", "quoted: measured once, on another machine [s]"},
                  .rows = {{"ODE, exact step", 1.86, here(odes), "-"},
                           {"trep, Python and C", 22.1, "-", 0.81},
                           {"tree-variational", "-", here(ours), "-"},
                           {"maximal-variational", "-", here("maximal-variational"), "-"}}});
}

void judge_whole_run(Findings& findings, const Lap& mine, const Lap& theirs) {
  const auto of = [](const Lap& lap, double value) { return lap.finished() ? std::optional(value) : std::nullopt; };
  const bench::RunOutcome &us = mine.outcome, &them = theirs.outcome;
  findings.judge(
      bench::at_most("paper: energy nearly constant, largest error at 10 ms [%]", of(mine, 100 * us.drift_largest), 5));
  findings.judge(bench::at_least("paper: ODE dissipates, energy lost at 120 s [%]", of(theirs, -100 * them.drift_end), 10));
  findings.judge(bench::at_most("issue: largest loop gap [m]", of(mine, us.gap), 1e-9));
  const bool both = mine.finished() && theirs.finished();
  findings.judge(bench::at_most("issue: wall time over that of ODE's exact step",
                                both ? std::optional(mine.seconds / theirs.seconds) : std::nullopt, 1),
                 About::speed);
}

/// What the issue asks of the default method, of the one of ours that is sure to do it.
void judge_projected(Findings& findings, const Lap& mine, const Lap& theirs) {
  if (!mine.finished()) throw std::runtime_error("tree-projected does not finish: " + mine.remark());
  findings.judge(bench::at_most("tree-projected, 1e-6: largest energy error [%]", 100 * mine.outcome.drift_largest, 0.1));
  findings.judge(bench::at_most("tree-projected, 1e-6: largest loop gap [m]", mine.outcome.gap, 1e-9));
  findings.judge(bench::at_most("tree-projected, 1e-6: wall time over that of ODE's exact step",
                                theirs.finished() ? std::optional(mine.seconds / theirs.seconds) : std::nullopt, 1),
                 About::speed);
}

// ---------------------------------------------------------------------------------------------------- 3 s, against the truth

Race short_race(const Findings& findings, const Lap& reference) {
  using Numbers = std::vector<double>;
  const Numbers steps = findings.pick<Numbers>({0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4}, {0.02, 0.01, 0.002, 5e-4});
  const Numbers few = findings.pick<Numbers>({0.02, 0.01, 0.005, 0.002, 0.001}, {0.01, 0.002});
  const Numbers accuracies = findings.pick<Numbers>({1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}, {1e-3, 1e-6});
  Race race = race_over(3, interval);
  race.name = "three_seconds";
  race.reference = reference.course;
  race.repetitions = findings.pick(2, 1);
  race.limit_seconds = findings.pick(20.0, 3.0);
  const auto add = [&](const Labels& labels, const Numbers& at) {
    for (Curve& curve : curves_of(labels, {at, accuracies, interval})) race.curves.push_back(std::move(curve));
  };
  add({ours}, steps);
  add({"tree-variational, order 4", "tree-variational, order 6"}, few);
  add({"maximal-variational", "tree-projected", "maximal-projected"}, steps);
  add({odes, "ODE quick", "MuJoCo Euler", "MuJoCo RK4", "Bullet Euler", "DART Euler", "Simbody Merson"}, steps);
  add({"Simbody Euler", "Simbody Verlet"}, few);
  return race;
}

void run(Findings& findings) {
  const Race long_race = whole_run(findings);
  const std::vector<Lap> long_laps = run_all(long_race);
  draw_energy(findings, long_race, long_laps);
  tabulate_runtimes(findings, long_laps);
  judge_whole_run(findings, lap_of(long_laps, ours), lap_of(long_laps, odes));
  judge_projected(findings, lap_of(long_laps, "tree-projected"), lap_of(long_laps, odes));
  show_drift(findings, lap_of(long_laps, ours));
  show(findings, long_race, long_laps);

  const Lap reference = reference_lap(race_over(3, interval), interval);
  check_values(findings, reference);
  const Race race = short_race(findings, reference);
  show(findings, race, run(race));

  findings.note(
      "The motion is chaotic: two computations that differ in the last digit differ in the first after half a minute or so. "
      "Errors of the motion are therefore taken over the first 3 s only; of the rest energy and gaps are judged.");
  findings.note(
      "The start is that of trep's example, with the loops closed to rounding. ODE cannot move bodies without inertia: its "
      "exact step gets 1e-6 kg m^2 for each; quickstep, which diverges with so little, 1e-3, which is the floor of its errors "
      "in the work-precision diagram. MuJoCo needs some too, and gets a millionth of what its joints feel.");
}

}  // namespace

const Experiment closed_chain_device{
    "closed_chain_device", "Closed-chain device", "Johnson & Murphey, Fig. 8 and section VI-B",
    "Seven bodies in several closed chains, simulated for 120 s with steps of 10 ms. A simulator that balances forces must "
    "pull its loops together again and again, which takes energy out within seconds: ODE is ten times faster than trep but "
    "damps the motion away, while the variational integrator keeps the energy nearly constant.",
    run};

}  // namespace polhode::experiments
