// Bruedigam & Manchester, Fig. 4a: an hour of a double pendulum.
#include <fmt/format.h>

#include "../../bench/step/problems.h"
#include "../all.h"
#include "../common/lineup.h"
#include "../common/trend.h"

namespace polhode::experiments {
namespace {

constexpr double dt = 0.01;                // the paper's [s]
constexpr double start = 1.5707963267949;  // horizontal; the paper names neither masses nor lengths nor the start [rad]

// Maximal coordinates at order 1 are the paper's method, Heun is its comparison.
const Labels ours{"maximal-variational, order 1", "maximal-variational", "tree-variational", "Heun"};

/// An hour by everyone, at the paper's step.
Race the_hour(const Findings& findings) {
  Race race{.name = "hour",
            .problem = bench::planar_chain(2, start),
            .time = findings.pick(3600.0, 240.0),
            .interval = findings.pick(1.0, 0.1),
            .curves = {},
            .repetitions = 1,
            .limit_seconds = 300};
  race.curves = curves_of(joined(ours, main_peer_labels()), {{dt}, {1e-6}, race.interval});
  return race;
}

format::Plot energies(const std::string& title, const std::vector<Lap>& laps, std::size_t first, std::size_t last) {
  format::Plot plot{.title = title, .x_name = "time", .x_unit = "min", .y_name = "energy error", .y_unit = "%"};
  for (std::size_t i = first; i < std::min(last, laps.size()); ++i) {
    format::PlotSeries series = series_of(laps[i].label);
    for (std::size_t k = 0; k < laps[i].course.size(); ++k) {
      series.x.push_back(laps[i].course.t[k] / 60);
      series.y.push_back(100 * laps[i].course.energy[k]);
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

std::optional<Trend> trend_of_energy(const Lap& lap) {
  if (!lap.finished()) return std::nullopt;
  return trend_of(lap.course.t, lap.course.energy);
}

void judge_hour(Findings& findings, const std::vector<Lap>& laps) {
  for (const std::size_t i : {0u, 1u, 2u}) {
    const auto trend = trend_of_energy(laps[i]);
    // A motion without order: the mean of each part of the hour scatters by some hundredths of the swing.
    findings.judge(
        bench::at_most(fmt::format("{}: drift of the fitted line over all of the time, as part of the swing", laps[i].label),
                       trend ? std::optional(std::abs(trend->change) / trend->swing) : std::nullopt, 0.1));
  }
  const auto heun = trend_of_energy(laps[3]), paper = trend_of_energy(laps[0]), second = trend_of_energy(laps[1]);
  const auto size = [](const std::optional<Trend>& t) { return t ? std::optional(std::abs(t->change)) : std::nullopt; };
  const auto ratio = [&](const std::optional<Trend>& t) {
    return heun && t ? std::optional(std::abs(heun->change) / std::abs(t->change)) : std::nullopt;
  };
  findings.judge(bench::at_least("Heun: drift of the fitted line [of m g L n^2/2]", size(heun), findings.pick(0.1, 0.01)));
  findings.judge(bench::at_least("Heun's drift over that of maximal-variational, order 1", ratio(paper), 10));
  findings.judge(bench::at_least("Heun's drift over that of maximal-variational, order 2", ratio(second), 10));
}

void table_of_drifts(Findings& findings, const std::vector<Lap>& laps) {
  Table table{.name = "hour_drift",
              .caption = "Energy over all of the time: the straight line that fits best, and the swing about it"};
  table.columns = {"engine and method", "drift of the line [%]", "swing about it [%]", "wall time [s]", "remark"};
  for (const Lap& lap : laps) {
    const auto trend = trend_of_energy(lap);
    if (trend) {
      table.rows.push_back({lap.label, 100 * trend->change, 100 * trend->swing, lap.seconds, ""});
    } else {
      table.rows.push_back({lap.label, "-", "-", "-", lap.remark()});
    }
  }
  findings.table(std::move(table));
}

/// The motion is chaotic, so who is right can be told for some seconds only.
void race_of_seconds(Findings& findings) {
  const std::vector<double> steps = findings.pick(std::vector{0.01, 0.005, 0.0025, 0.001}, std::vector{0.01, 0.0025});
  const std::vector<double> accuracies = findings.pick(std::vector{1e-3, 1e-5, 1e-7, 1e-9}, std::vector{1e-3, 1e-6});
  Race race{.name = "seconds", .problem = bench::planar_chain(2, start), .time = 5, .interval = 0.05, .curves = {}};
  race.curves = curves_of(joined(our_labels_of_more_orders(), main_peer_labels()), {steps, accuracies, race.interval});
  race.reference = reference_for(findings, race);
  show(findings, race, run(race));
}

void run_it(Findings& findings) {
  const Race race = the_hour(findings);
  const std::vector<Lap> laps = run(race);
  findings.plot(
      "energy",
      "Energy error of an hour at 10 ms, relative to m g L n^2/2: above ours and the paper's comparison, below the peers.",
      {energies("Ours, and Heun's method", laps, 0, ours.size()), energies("Peers", laps, ours.size(), laps.size())});
  table_of_drifts(findings, laps);
  judge_hour(findings, laps);
  race_of_seconds(findings);
  findings.note(
      "The paper gives no data of its pendulum. Here: two rods of 1 m and 1 kg on hinges, let go from the horizontal.");
  findings.note(
      "Heun's method is tree-projected with integrator rk2 and fixed steps: second order, explicit, in joint angles.");
  if (findings.quick()) findings.note("Quick: four minutes instead of an hour.");
}

}  // namespace

extern const Experiment double_pendulum_hour{"double_pendulum_hour", "A double pendulum for an hour",
                                             "Bruedigam & Manchester, Fig. 4a",
                                             "With steps of 10 ms the energy of a double pendulum stays the same for 60 "
                                             "minutes by the variational integrator in maximal coordinates, though it is of "
                                             "first order only, while that of an explicit Runge-Kutta method of second order "
                                             "(Heun) goes off.",
                                             run_it};

}  // namespace polhode::experiments
