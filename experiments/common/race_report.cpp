#include <fmt/format.h>

#include <algorithm>

#include "lineup.h"

namespace polhode::experiments {
namespace {

using Measure = double (*)(const Lap&);

/// Time against an error, one line for each curve; nothing if nobody has a point there.
std::optional<format::Plot> diagram(const Race& race, const std::vector<Lap>& laps, const std::string& error_name,
                                    const std::string& unit, Measure error) {
  format::Plot plot{.title = "Time against " + error_name,
                    .x_name = error_name,
                    .x_unit = unit,
                    .y_name = "wall time",
                    .y_unit = "s",
                    .log_x = true,
                    .log_y = true,
                    .is_path = true};
  for (const Curve& curve : race.curves) {
    format::PlotSeries series = series_of(curve.label);
    series.markers = true;
    for (const Lap& lap : laps) {
      if (lap.label != curve.label || !lap.finished() || !(error(lap) > 0)) continue;
      series.x.push_back(error(lap));
      series.y.push_back(lap.seconds);
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  if (plot.series.empty()) return std::nullopt;
  return plot;
}

Table table_of(const Race& race, const std::vector<Lap>& laps) {
  const bool compared = race.reference.size() > 0, kept = race.problem.is_conservative();
  Table table{.name = race.name + "_runs", .caption = fmt::format("{}: {:g} s by every engine", race.problem.name, race.time)};
  table.columns = {"engine and method", "step or accuracy", "wall time [s]"};
  if (compared) table.columns.insert(table.columns.end(), {"error, rms [m]", "error, largest [m]"});
  if (kept) table.columns.insert(table.columns.end(), {"energy error, end [%]", "energy error, largest [%]"});
  table.columns.insert(table.columns.end(), {"gap, largest [m]", "remark"});
  for (const Lap& lap : laps) {
    const bool done = lap.finished();
    const auto number = [done](double value) { return done ? Cell(value) : Cell("-"); };
    std::vector<Cell> row{lap.label, fmt::format("{} @ {:g} s", lap.setting.entrant, lap.setting.dt), number(lap.seconds)};
    if (compared) row.insert(row.end(), {number(lap.error_rms), number(lap.error_largest)});
    if (kept) row.insert(row.end(), {number(100 * lap.outcome.drift_end), number(100 * lap.outcome.drift_largest)});
    row.push_back(number(lap.outcome.gap));
    row.emplace_back(lap.remark());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void show(Findings& findings, const Race& race, const std::vector<Lap>& laps) {
  std::vector<format::Plot> plots;
  const auto add = [&](const std::optional<format::Plot>& plot) {
    if (plot) plots.push_back(*plot);
  };
  if (race.reference.size() > 0) add(diagram(race, laps, "rms error", "m", [](const Lap& lap) { return lap.error_rms; }));
  if (race.problem.is_conservative()) {
    add(diagram(race, laps, "largest energy error", "%", [](const Lap& lap) { return 100 * lap.outcome.drift_largest; }));
  }
  add(diagram(race, laps, "largest gap", "m", [](const Lap& lap) { return lap.outcome.gap; }));
  if (!plots.empty()) findings.plot(race.name + "_work_precision", "What an error costs: lower left is better.", plots);
  findings.table(table_of(race, laps));
}

}  // namespace polhode::experiments
