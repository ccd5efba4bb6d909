#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../../bench/numbers.h"
#include "../../bench/step/problems.h"
#include "../common/lineup.h"
#include "lift.h"
#include "parts.h"

namespace polhode::experiments {
namespace {

constexpr double whole_time = 10, interval = 0.01;  // [s]

struct CheckValue {
  double t, x;
};
constexpr std::array<CheckValue, 5> known{
    {{0.5, 0.850569120665}, {1, -0.786199675842}, {2, -0.896176313345}, {5, -0.950741803776}, {10, 0.643647153921}}};

double slider_at(const bench::Course& course, double t) {
  return course.centres.at(std::size_t(std::lround(t / interval)))[0][0];
}

struct Method {
  std::string label;
  int order;
  std::vector<double> steps;
  double tolerance = 1e-12;
};

/// The finest steps of the higher orders are as fine as rounding and Newton's tolerance leave anything to see.
std::vector<Method> methods(const Findings& findings) {
  using Steps = std::vector<double>;
  const Steps few{0.005, 0.0025, 0.00125};
  std::vector<Method> all{{"tree-variational", 2, findings.pick<Steps>({0.005, 0.0025, 0.00125, 6.25e-4, 3.125e-4}, few)},
                          {"tree-variational, order 4", 4, few}};
  if (!findings.quick()) {
    all.push_back({"maximal-variational", 2, {0.005, 0.0025, 0.00125, 6.25e-4}});
    all.push_back({"maximal-variational, order 4", 4, few});
    all.push_back({"maximal-variational, order 6", 6, few, 1e-13});
  }
  return all;
}

}  // namespace

void show_convergence(Findings& findings) {
  const bench::Course exact = exact_course({}, interval, int(std::lround(whole_time / interval)));
  double largest = 0;
  for (const CheckValue& value : known) largest = std::max(largest, std::abs(slider_at(exact, value.t) - value.x));
  findings.judge(bench::at_most("issue: the exact motion's check values at 0.5, 1, 2, 5 and 10 s, off by [m]", largest, 1e-11));

  const Race race{.name = "convergence",
                  .problem = bench::scissor_lift(),
                  .time = whole_time,
                  .interval = interval,
                  .curves = {},
                  .repetitions = 0};
  format::Plot plot{.title = "The slider's error against the step",
                    .x_name = "step",
                    .x_unit = "s",
                    .y_name = "rms error",
                    .y_unit = "m",
                    .log_x = true,
                    .log_y = true,
                    .is_path = true};
  Table table{.name = "convergence",
              .caption = "Towards the check values, through six singular positions",
              .columns = {"method", "step [s]", "x(1), error [m]", "x(10), error [m]", "rms error, 10 s [m]"}};
  for (const Method& method : methods(findings)) {
    std::vector<std::pair<double, double>> points;
    format::PlotSeries series = series_of(method.label);
    series.markers = true;
    const std::string entrant = fmt::format("{} tolerance={:g}", entrant_of(method.label), method.tolerance);
    for (const double dt : method.steps) {
      const Lap lap = run_lap(race, method.label, {entrant, dt});
      if (!lap.finished()) {
        table.rows.push_back({method.label, dt, "-", "-", std::string(lap.outcome.reason.data())});
        continue;
      }
      const double rms = slider_error(lap.course, exact).rms;
      table.rows.push_back(
          {method.label, dt, slider_at(lap.course, 1) - known[1].x, slider_at(lap.course, 10) - known[4].x, rms});
      points.emplace_back(dt, rms);
      series.x.push_back(dt);
      series.y.push_back(rms);
    }
    plot.series.push_back(std::move(series));
    findings.judge(bench::at_least(fmt::format("{}: order through the singular positions", method.label),
                                   bench::log_log_slope(points), method.order - 0.3));
  }
  findings.plot("convergence", "How the slider's error falls with the step, method by method.", plot);
  findings.table(std::move(table));
}

}  // namespace polhode::experiments
