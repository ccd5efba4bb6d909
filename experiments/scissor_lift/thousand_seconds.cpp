#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../../bench/step/problems.h"
#include "../common/lineup.h"
#include "lift.h"
#include "parts.h"

namespace polhode::experiments {
namespace {

constexpr double whole_time = 1000, interval = 0.01, at_the_end = 10;  // [s]

/// What the paper says stays right.
struct Swing {
  double period = 0;     // mean of the whole run [s]
  double amplitude = 0;  // of the angle, in the last ten seconds [rad]
  double shift = 0;      // of the last passage of the middle that the exact motion has too [s]
  double shape = 0;      // rms distance of the slider over the last ten seconds, when the shift is taken out [m]
};

double x_at(const bench::Course& course, double t) {
  const double k = std::clamp(t / interval, 0.0, double(course.size() - 1));
  const std::size_t i = std::min(std::size_t(k), course.size() - 2);
  return course.centres[i][0][0] + (k - double(i)) * (course.centres[i + 1][0][0] - course.centres[i][0][0]);
}

Swing swing_of(const bench::Course& course, const bench::Course& exact) {
  const std::vector<double> mine = passages(course), theirs = passages(exact);
  if (mine.size() < 3 || theirs.size() < 3) return {};
  Swing swing;
  swing.period = 2 * (mine.back() - mine.front()) / double(mine.size() - 1);
  const std::size_t last = std::min(mine.size(), theirs.size()) - 1;
  swing.shift = mine[last] - theirs[last];
  const std::vector<double> angle = angles(course);
  const auto late = std::size_t((course.t.back() - at_the_end) / interval);
  const auto [least, most] = std::minmax_element(angle.begin() + std::ptrdiff_t(late), angle.end());
  swing.amplitude = (*most - *least) / 2;
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t k = late; k < course.size(); ++k) {
    const double t = exact.t[k] + swing.shift;
    if (t > course.t.back()) continue;
    const double off = x_at(course, t) - exact.centres[k][0][0];
    sum += off * off;
    ++count;
  }
  swing.shape = std::sqrt(sum / double(std::max<std::size_t>(1, count)));
  return swing;
}

Lap long_lap(const std::string& label, double dt, double time) {
  const Race race{.name = "thousand_seconds",
                  .problem = bench::scissor_lift(),
                  .time = time,
                  .interval = interval,
                  .curves = {},
                  .repetitions = 0,
                  .limit_seconds = 60};
  return run_lap(race, fmt::format("{}, {:g} ms", label, 1e3 * dt), {entrant_of(label), dt});
}

format::PlotSeries last_seconds(const std::string& name, const bench::Course& course) {
  format::PlotSeries series = series_of(name);
  const std::vector<double> angle = angles(course);
  for (std::size_t k = 0; k < course.size(); ++k) {
    if (course.t[k] < whole_time - at_the_end - 1e-9) continue;
    series.x.push_back(course.t[k]);
    series.y.push_back(angle[k]);
  }
  return series;
}

/// A method of second order that errs by e in the period with a quarter of the step may err by 16 e with the whole one; twice
/// that leaves room for the terms of higher order at a step that is a fifth of the swing through the upright position.
void judge(Findings& findings, const Swing& mine, const Swing& finer, const Swing& exact, bool done) {
  const auto measured = [done](double value) { return done ? std::optional(value) : std::nullopt; };
  const double period_error = std::abs(mine.period / exact.period - 1), finer_error = std::abs(finer.period / exact.period - 1);
  findings.judge(bench::at_most("paper: after 1000 s the frequency is right, error [%]", measured(100 * period_error),
                                100 * 32 * finer_error));
  findings.judge(bench::at_most("paper: so is the amplitude, error [%]",
                                measured(100 * std::abs(mine.amplitude / exact.amplitude - 1)), 0.1));
  findings.judge(
      bench::at_most("paper: so is the shape, rms distance of the last 10 s less the shift [m]", measured(mine.shape), 0.02));
}

/// Slight is what can hardly be seen in a figure of three periods: a fiftieth of one after 1000 s. The shift grows with time,
/// so that a shorter run is allowed less.
void judge_shift(Findings& findings, const Lap& lap, double time, double period, const bench::Course& exact, About about) {
  const double slight = 2 * time / whole_time;  // [%]
  const bool done = lap.finished();
  findings.judge(
      bench::at_most(fmt::format("paper: only a slight phase shift, {}, after {:g} s, of a period [%]", lap.label, time),
                     done ? std::optional(100 * std::abs(swing_of(lap.course, exact).shift) / period) : std::nullopt, slight),
      about);
}

}  // namespace

void show_thousand_seconds(Findings& findings) {
  const bench::Course exact = exact_course({}, interval, int(std::lround(whole_time / interval)));
  const Swing true_swing = swing_of(exact, exact);
  const Lap mine = long_lap("tree-variational", 0.01, whole_time);
  const double finer_time = findings.pick(whole_time, whole_time / 10);
  const Lap finer = long_lap("tree-variational", 0.0025, finer_time);

  std::vector<Lap> others;
  const Labels labels = findings.pick<Labels>(
      {"tree-variational, order 4", "maximal-variational", "ODE exact", "MuJoCo Euler", "MuJoCo RK4"}, {"MuJoCo Euler"});
  for (const std::string& label : labels) others.push_back(long_lap(label, 0.01, whole_time));

  format::Plot plot{.title = "The last ten seconds", .x_name = "time", .x_unit = "s", .y_name = "angle", .y_unit = "rad"};
  plot.series = {last_seconds("exact", exact), last_seconds(mine.label, mine.course)};
  if (!findings.quick()) plot.series.push_back(last_seconds(finer.label, finer.course));
  for (const Lap& lap : others) {
    if (lap.finished() && lap.label.starts_with("ODE exact")) plot.series.push_back(last_seconds(lap.label, lap.course));
  }
  tell_apart(plot);
  findings.plot("thousand_seconds", "The last of 1000 s: how far each motion is shifted, and whether it still is the same.",
                plot);

  Table table{.name = "thousand_seconds",
              .caption = "1000 s: what is left of the swing",
              .columns = {"engine and method", "mean period [s]", "error [%]", "amplitude at the end [rad]",
                          "shift at the end [s]", "energy error, last tenth [%]", "remark"}};
  table.rows.push_back({"exact", true_swing.period, 0.0, true_swing.amplitude, 0.0, 0.0, ""});
  const auto add = [&](const Lap& lap) {
    if (!lap.finished()) {
      table.rows.push_back({lap.label, "-", "-", "-", "-", "-", lap.remark()});
      return;
    }
    const Swing swing = swing_of(lap.course, exact);
    const bool follows = std::abs(swing.period / true_swing.period - 1) < 0.05;
    table.rows.push_back({lap.label, swing.period, 100 * (swing.period / true_swing.period - 1), swing.amplitude,
                          follows ? Cell(swing.shift) : Cell("-"), 100 * lap.outcome.drift_late,
                          follows ? "" : "another motion"});
  };
  add(mine);
  add(finer);
  for (const Lap& lap : others) add(lap);
  findings.table(std::move(table));

  findings.note(
      "Bullet, DART and Simbody are not run for a thousand seconds: the table of ten seconds says when they leave the motion.");
  const bool done = mine.finished() && finer.finished();
  judge(findings, swing_of(mine.course, exact), swing_of(finer.course, exact), true_swing, done);
  // At 10 ms the error of the period adds up to more: 0.06 % of 320 periods.
  judge_shift(findings, mine, whole_time, true_swing.period, exact, About::aim);
  if (!findings.quick()) judge_shift(findings, others[0], whole_time, true_swing.period, exact, About::aim);
  judge_shift(findings, finer, finer_time, true_swing.period, exact, About::mechanics);
}

}  // namespace polhode::experiments
