#include "kinetic_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../../bench/numbers.h"

namespace polhode::experiments {
namespace {

/// Where a series has its peaks.
std::vector<std::size_t> peaks(const std::vector<double>& y) {
  std::vector<std::size_t> found;
  for (std::size_t k = 1; k + 1 < y.size(); ++k)
    if (y[k] > y[k - 1] && y[k] >= y[k + 1]) found.push_back(k);
  return found;
}

}  // namespace

void judge_growth(Findings& findings, const jets::JetRun& run) {
  const std::vector<std::size_t> tops = peaks(run.potential);
  double longest_growth = 0;  // of a period over the one before it
  for (std::size_t i = 2; i < tops.size(); ++i) {
    const double before = run.t[tops[i - 1]] - run.t[tops[i - 2]], after = run.t[tops[i]] - run.t[tops[i - 1]];
    longest_growth = std::max(longest_growth, after / before);
  }
  findings.judge(bench::at_least("the potential energy oscillates: peaks in 10 s", double(tops.size()), 3));
  findings.judge(bench::at_most("its periods get shorter: the largest ratio of one to the one before", longest_growth, 1));

  // Once a turn, where the mechanism is in the same place again, so that only the speed differs.
  std::vector<std::pair<double, double>> once_a_turn;
  format::Plot plot{.title = "Kinetic energy at the peaks of the potential one",
                    .x_name = "time",
                    .x_unit = "s",
                    .y_name = "kinetic energy",
                    .y_unit = "J",
                    .log_x = true,
                    .log_y = true};
  format::PlotSeries at_peaks{.name = "at peaks of the potential energy", .x = {}, .y = {}, .markers = true},
      line{.name = "", .x = {}, .y = {}};
  for (const std::size_t k : tops) {
    once_a_turn.emplace_back(run.t[k], run.kinetic[k]);
    at_peaks.x.push_back(run.t[k]);
    at_peaks.y.push_back(run.kinetic[k]);
  }
  const auto exponent = bench::log_log_slope(once_a_turn);
  if (!at_peaks.x.empty()) {
    line.name = "quadratic through the last one";
    for (const double t : at_peaks.x) {
      line.x.push_back(t);
      line.y.push_back(at_peaks.y.back() * std::pow(t / at_peaks.x.back(), 2));
    }
    plot.series = {at_peaks, line};
    findings.plot("kinetic_growth", "The quadratic tendency of the kinetic energy.", plot);
  }
  findings.judge(bench::at_most("the kinetic energy grows as t^p: |p - 2|",
                                exponent ? std::optional(std::abs(*exponent - 2)) : std::nullopt, 0.2));
}

}  // namespace polhode::experiments
