#include "cost_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../../bench/numbers.h"

namespace polhode::experiments {

std::optional<double> CostLine::at(int n) const {
  for (const SizedCost& point : points) {
    if (point.n == n && point.cost.finished) return point.cost.seconds;
  }
  return std::nullopt;
}

std::optional<double> CostLine::exponent(int from) const {
  std::vector<std::pair<double, double>> times;
  for (const SizedCost& point : points) {
    if (point.n >= from && point.cost.finished) times.emplace_back(point.n, point.cost.seconds);
  }
  return bench::log_log_slope(times);
}

std::optional<double> CostLine::exponent_per_iteration(int from) const {
  std::vector<std::pair<double, double>> times;
  for (const SizedCost& point : points) {
    const double iterations = point.cost.iterations_per_step();
    if (point.n >= from && point.cost.finished && iterations > 0) times.emplace_back(point.n, point.cost.seconds / iterations);
  }
  return bench::log_log_slope(times);
}

long CostLine::halved() const {
  long sum = 0;
  for (const SizedCost& point : points) sum += point.cost.counters.halved;
  return sum;
}

CostLine measure_line(const std::string& label, const std::vector<int>& sizes, bench::Problem (*problem)(int n),
                      const CostPlan& plan) {
  constexpr double too_long = 3;  // for the least steps [s]
  CostLine line{label, entrant_of(label)};
  for (const int n : sizes) {
    if (!line.points.empty()) {
      const SizedCost& last = line.points.back();
      if (last.cost.seconds * std::pow(double(n) / last.n, 3) * plan.least_steps > too_long) {
        line.points.push_back({n, {.reason = "would take too long"}});
        break;
      }
    }
    line.points.push_back({n, cost_of(line.entrant, problem(n), plan)});
    if (!line.points.back().cost.finished) break;
  }
  return line;
}

format::Plot plot_of(const std::string& title, const std::string& size_name, const std::vector<CostLine>& lines) {
  format::Plot plot{.title = title, .x_name = size_name, .y_name = "1000 steps", .y_unit = "s", .log_x = true, .log_y = true};
  for (const CostLine& line : lines) {
    format::PlotSeries series = series_of(line.label);
    series.markers = true;
    for (const SizedCost& point : line.points) {
      if (!point.cost.finished) continue;
      series.x.push_back(point.n);
      series.y.push_back(1000 * point.cost.seconds);
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

Table table_of(const std::string& name, const std::string& caption, const std::vector<CostLine>& lines, int exponent_from) {
  Table table{.name = name, .caption = caption};
  std::vector<int> sizes;
  for (const CostLine& line : lines) {
    for (const SizedCost& point : line.points) sizes.push_back(point.n);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  table.columns = {"engine and method"};
  for (const int n : sizes) table.columns.push_back(fmt::format("{}", n));
  table.columns.insert(table.columns.end(),
                       {fmt::format("exponent from {} on", exponent_from), "fewest steps timed", "remark"});
  for (const CostLine& line : lines) {
    std::vector<Cell> row{line.label};
    std::string remark;
    int fewest = 0;
    for (const int n : sizes) {
      const auto seconds = line.at(n);
      row.push_back(seconds ? Cell(1000 * *seconds) : Cell("-"));
    }
    for (const SizedCost& point : line.points) {
      if (!point.cost.finished) remark = fmt::format("at {}: {}", point.n, point.cost.reason);
      if (point.cost.finished) fewest = fewest == 0 ? point.cost.steps : std::min(fewest, point.cost.steps);
    }
    const auto slope = line.exponent(exponent_from);
    row.push_back(slope ? Cell(*slope) : Cell("-"));
    row.push_back(double(fewest));
    if (line.halved() > 0) remark = fmt::format("{} steps halved. {}", line.halved(), remark);
    row.push_back(remark);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace polhode::experiments
