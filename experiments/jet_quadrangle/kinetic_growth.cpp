#include "kinetic_growth.h"

#include <algorithm>
#include <cmath>

namespace polhode::experiments {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Times at which the mechanism is in its place of the start again, and what its speed has come to. With only the speed
/// different, kinetic energies compare.
struct Turns {
  std::vector<double> t{}, root{};  // [s], of the kinetic energy [J^1/2]
};

Turns turns_of(const jets::JetRun& run) {
  const double work_of_turn = 2 * pi * std::abs(run.torque);
  Turns turns;
  for (std::size_t k = 1; k < run.t.size(); ++k) {
    const double next = double(turns.t.size() + 1) * work_of_turn;
    if (run.work[k] < next) continue;
    const double part = (next - run.work[k - 1]) / (run.work[k] - run.work[k - 1]);
    turns.t.push_back(run.t[k - 1] + part * (run.t[k] - run.t[k - 1]));
    turns.root.push_back(std::sqrt(run.kinetic[k - 1] + part * (run.kinetic[k] - run.kinetic[k - 1])));
  }
  return turns;
}

/// y = slope x + offset by least squares.
struct Line {
  double slope, offset, correlation;
};

Line line_through(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = double(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  return {xy / xx, mean_y - xy / xx * mean_x, xy / std::sqrt(xx * yy)};
}

void draw(Findings& findings, const jets::JetRun& run, const Turns& turns, const Line& line) {
  format::PlotSeries whole{.name = "kinetic energy", .x = run.t, .y = {}}, once{.name = "once a turn", .x = turns.t, .y = {}},
      fit{.name = "quadratic through these", .x = {}, .y = {}};
  once.markers = true;
  for (const double T : run.kinetic) whole.y.push_back(1e-3 * T);
  for (const double root : turns.root) once.y.push_back(1e-3 * root * root);
  for (double t = 0; t <= run.t.back(); t += 0.1) {
    fit.x.push_back(t);
    fit.y.push_back(1e-3 * std::pow(line.slope * t + line.offset, 2));
  }
  findings.plot("kinetic_growth", "Kinetic energy over time, and the quadratic that fits its values of once a turn.",
                format::Plot{.title = "Kinetic energy and a quadratic",
                             .x_name = "time",
                             .x_unit = "s",
                             .y_name = "kinetic energy",
                             .y_unit = "kJ",
                             .series = {whole, once, fit}});
}

}  // namespace

void judge_growth(Findings& findings, const jets::JetRun& run) {
  const Turns turns = turns_of(run);
  findings.judge(bench::at_least("the potential energy oscillates: turns in 10 s", double(turns.t.size()), 3));
  if (turns.t.size() < 3) return;
  double longest_growth = 0, before = turns.t[0];
  for (std::size_t i = 1; i < turns.t.size(); ++i) {
    const double period = turns.t[i] - turns.t[i - 1];
    longest_growth = std::max(longest_growth, period / before);
    before = period;
  }
  findings.judge(bench::at_most("its period gets shorter: the largest ratio of one to the one before", longest_growth, 1));
  const Line line = line_through(turns.t, turns.root);
  draw(findings, run, turns, line);
  findings.judge(bench::at_least("the kinetic energy grows quadratically: correlation of its root with time, once a turn",
                                 line.correlation, 0.995));
}

}  // namespace polhode::experiments
