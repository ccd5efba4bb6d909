#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "../../bench/step/problems.h"
#include "../common/lineup.h"
#include "lift.h"
#include "parts.h"

namespace polhode::experiments {
namespace {

constexpr double whole_time = 10, interval = 0.01, wide_interval = 0.1;  // [s]
const std::string ours = "tree-variational", odes = "ODE exact";

using Numbers = std::vector<double>;

/// Steps for the figure are among those of the race.
std::vector<Curve> curves_with_steps(const Findings& findings) {
  const Numbers steps = findings.pick<Numbers>({0.01, 0.005, 0.0025, 0.001, 5e-4, 2e-4, 1e-4}, {0.01, 0.005, 0.0025, 0.001});
  const Numbers few = findings.pick<Numbers>({0.01, 0.005, 0.0025, 0.001}, {0.01, 0.0025});
  const Numbers odes_steps = findings.pick<Numbers>({0.01, 0.005, 0.0025, 0.001, 5e-4, 2e-4, 1e-4, 5e-5}, {0.01, 0.001, 1e-4});
  const Numbers cheap = findings.pick<Numbers>({0.01, 0.005, 0.0025, 0.001, 5e-4, 1e-4}, {0.01, 0.0025, 0.001});
  const Numbers dear = findings.pick<Numbers>({0.01, 0.005, 0.0025, 0.001}, {0.01, 0.0025});
  const Numbers third = findings.pick<Numbers>({0.01, 0.0025, 0.001}, {0.01});
  const auto with = [](const char* label, const Numbers& dts) { return curve_of(label, {dts, {}, interval}); };
  return {with("tree-variational", steps),
          with("tree-variational, order 4", few),
          with("tree-variational, order 6", few),
          with("maximal-variational", steps),
          with("ODE exact", odes_steps),
          with("ODE quick", dear),
          with("MuJoCo Euler", cheap),
          with("MuJoCo RK4", findings.pick<Numbers>({0.01, 0.0025, 0.001, 2e-4}, {0.01, 0.0025})),
          with("Bullet Euler", dear),
          with("DART Euler", dear),
          with("Simbody Euler", third),
          with("Simbody Verlet", third)};
}

/// Those that choose their steps: looked at less often, for that costs some of them a step.
std::vector<Curve> curves_with_accuracies(const Findings& findings) {
  const Numbers accuracies = findings.pick<Numbers>({1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}, {1e-3, 1e-5, 1e-7});
  const Numbers simbodys = findings.pick<Numbers>({1e-2, 1e-3, 1e-4, 1e-6}, {1e-3, 1e-6});
  return {curve_of("tree-projected", {{}, accuracies, wide_interval}),
          curve_of("maximal-projected", {{}, accuracies, wide_interval}),
          curve_of("Simbody Merson", {{}, simbodys, wide_interval})};
}

Race race_with(const Findings& findings, double every, std::vector<Curve> curves) {
  Race race{.name = "ten_seconds",
            .problem = bench::scissor_lift(),
            .time = whole_time,
            .interval = every,
            .curves = std::move(curves),
            .reference = exact_course({}, every, int(std::lround(whole_time / every)))};
  race.repetitions = findings.pick(2, 1);
  race.limit_seconds = findings.pick(60.0, 30.0);
  return race;
}

const Lap* find_lap(const std::vector<Lap>& laps, const std::string& label, double dt) {
  const auto found =
      std::find_if(laps.begin(), laps.end(), [&](const Lap& lap) { return lap.label == label && lap.setting.dt == dt; });
  return found == laps.end() ? nullptr : &*found;
}

// ---------------------------------------------------------------------------------------------------- Fig. 11

void add_angle(format::Plot& plot, const std::string& name, const bench::Course& course) {
  if (course.size() < 2) return;
  plot.series.push_back(series_of(name));
  plot.series.back().x = course.t;
  plot.series.back().y = angles(course);
}

void add_error(format::Plot& plot, const std::string& name, const bench::Course& course, const bench::Course& exact) {
  if (course.size() < 2) return;
  format::PlotSeries series = series_of(name);
  for (std::size_t k = 1; k < std::min(course.size(), exact.size()); ++k) {
    series.x.push_back(course.t[k]);
    series.y.push_back(std::max(1e-8, std::abs(course.centres[k][0][0] - exact.centres[k][0][0])));
  }
  plot.series.push_back(std::move(series));
}

void draw(Findings& findings, const std::vector<Lap>& laps, const bench::Course& exact) {
  const format::Plot angle{.x_name = "time", .x_unit = "s", .y_name = "angle", .y_unit = "rad"};
  format::Plot figure = angle, peers = angle;
  format::Plot errors{.title = "Distance of the slider from the exact motion",
                      .x_name = "time",
                      .x_unit = "s",
                      .y_name = "error",
                      .y_unit = "m",
                      .log_y = true};
  errors.marks = {{0.05, "lost"}};
  figure.title = "As in the paper: variational and ODE";
  const double peers_step = findings.pick(0.001, 0.0025);
  peers.title = "The other peers";
  const auto add = [&](format::Plot* plot, const std::string& label, double dt) {
    const Lap* lap = find_lap(laps, label, dt);
    if (!lap) return;
    const std::string name = fmt::format("{}, {:g} ms", label, 1e3 * dt);
    add_angle(*plot, name, lap->course);
    add_error(errors, name, lap->course, exact);
  };
  for (const double dt : {0.01, 0.001, 1e-4}) add(&figure, odes, dt);
  for (const char* name : {"MuJoCo Euler", "MuJoCo RK4", "Bullet Euler", "DART Euler"}) add(&peers, name, peers_step);
  const Race finely = race_with(findings, interval, {});
  const Lap simbody = run_lap(finely, "Simbody Merson, 1e-3", {"simbody merson-1e-3", interval});
  add_angle(peers, simbody.label, simbody.course);
  add_error(errors, simbody.label, simbody.course, exact);
  for (format::Plot* plot : {&figure, &peers}) add_angle(*plot, "exact", exact);
  add(&figure, ours, 0.01);  // last, so that it is seen upon the exact motion
  for (format::Plot* plot : {&figure, &peers, &errors}) tell_apart(*plot);
  findings.plot("angle", "The angle of the links below the horizontal. At pi/2 they stand upright, and the lift is singular.",
                {figure, peers, errors});
}

void tabulate(Findings& findings, const std::vector<Lap>& laps, const bench::Course& exact, const bench::Course& exact_seldom) {
  Table table{.name = "slider",
              .caption = "The slider against the exact motion, 10 s",
              .columns = {"engine and method", "step or accuracy", "wall time [s]", "rms error [m]", "largest error [m]",
                          "farther than 0.05 m from [s]", "energy error, end [%]", "remark"}};
  for (const Lap& lap : laps) {
    const SliderError error = slider_error(lap.course, lap.setting.dt < wide_interval ? exact : exact_seldom);
    const bool done = lap.finished(), moved = lap.course.size() > 1;
    table.rows.push_back({lap.label, fmt::format("{} @ {:g} s", lap.setting.entrant, lap.setting.dt),
                          done ? Cell(lap.seconds) : Cell("-"), moved ? Cell(error.rms) : Cell("-"),
                          moved ? Cell(error.largest) : Cell("-"), error.left ? Cell(*error.left) : Cell(done ? "never" : "-"),
                          done ? Cell(100 * lap.outcome.drift_end) : Cell("-"), lap.remark()});
  }
  findings.table(std::move(table));
  const auto here = [&](const std::string& label, double dt) {
    const Lap* lap = find_lap(laps, label, dt);
    return lap && lap->finished() ? Cell(lap->seconds) : Cell("-");
  };
  findings.table({.name = "runtimes",
                  .caption = "10 s: the paper's runtimes and today's",
                  .columns = {"program", "paper, 2009 [s]", "here [s]", "quoted: measured once, on another machine [s]"},
                  .rows = {{"trep at 10 ms", 1.74, "-", 0.184},
                           {"tree-variational at 10 ms", "-", here(ours, 0.01), "-"},
                           {"ODE at 10 ms", 0.19, here(odes, 0.01), "-"},
                           {"ODE at 1 ms", 1.85, here(odes, 0.001), "-"},
                           {"ODE at 0.1 ms", 18.47, here(odes, 1e-4), "-"}}});
}

// ---------------------------------------------------------------------------------------------------- verdicts

void judge_motion(Findings& findings, const std::vector<Lap>& laps, const bench::Course& exact) {
  const Lap *mine = find_lap(laps, ours, 0.01), *coarse = find_lap(laps, odes, 0.01), *fine = find_lap(laps, odes, 0.001);
  const auto when = [](const Lap* lap, double value) { return lap->finished() ? std::optional(value) : std::nullopt; };
  findings.judge(bench::at_most("paper: variational at 10 ms follows the exact motion, rms slider error [m]",
                                when(mine, slider_error(mine->course, exact).rms), 0.02));
  findings.judge(
      bench::at_most("paper: its energy after 10 s, error [%]", when(mine, 100 * std::abs(mine->outcome.drift_end)), 0.1));
  findings.judge(bench::at_most("loops stay closed, largest gap [m]", when(mine, mine->outcome.gap), 1e-9));
  findings.judge(
      bench::at_least("paper: ODE at 10 ms loses most of the energy [%]", when(coarse, -100 * coarse->outcome.drift_end), 50));
  constexpr double never = std::numeric_limits<double>::infinity();
  findings.judge(bench::at_most("paper: ODE at 1 ms leaves the motion, at [s]",
                                when(fine, slider_error(fine->course, exact).left.value_or(never)), whole_time));
  const Lap* finest = find_lap(laps, odes, 1e-4);
  if (finest->finished() && !slider_error(finest->course, exact).left) {
    findings.note(
        "In the paper's figure ODE leaves the motion with steps of 0.1 ms too; today's ODE, with these data, does not.");
  }
}

/// Laps' errors are those of the slider here.
void judge_cost(Findings& findings, const std::vector<Curve>& curves, const std::vector<Lap>& laps) {
  constexpr double wanted = 4e-4;  // [m], what ODE reaches at 0.1 ms
  const auto needed = [&](const std::string& label) { return seconds_at(laps, label, wanted); };
  const auto times_cheaper = [&](const std::string& label) {
    const auto theirs = needed(odes), seconds = needed(label);
    return theirs && seconds ? std::optional(*theirs / *seconds) : std::nullopt;
  };
  findings.judge(bench::at_least("issue: ODE's time over ours at an rms slider error of 4e-4 m", times_cheaper(ours), 40),
                 About::speed);
  Table table{.name = "at_equal_error",
              .caption = "Time for 10 s at an rms slider error of 4e-4 m, read off between two runs",
              .columns = {"engine and method", "wall time [s]", "ODE's time over it"}};
  for (const Curve& curve : curves) {
    const auto seconds = needed(curve.label), ratio = times_cheaper(curve.label);
    table.rows.push_back(
        {curve.label, seconds ? Cell(*seconds) : Cell("not among its runs"), ratio ? Cell(*ratio) : Cell("-")});
  }
  findings.table(std::move(table));
}

}  // namespace

void show_ten_seconds(Findings& findings) {
  Race race = race_with(findings, interval, curves_with_steps(findings));
  const Race own_steps = race_with(findings, wide_interval, curves_with_accuracies(findings));
  std::vector<Lap> laps = run(race);
  for (Lap& lap : run(own_steps)) laps.push_back(std::move(lap));
  race.curves.insert(race.curves.end(), own_steps.curves.begin(), own_steps.curves.end());

  draw(findings, laps, race.reference);
  tabulate(findings, laps, race.reference, own_steps.reference);
  judge_motion(findings, laps, race.reference);
  show(findings, race, laps);
  for (Lap& lap : laps) {
    lap.error_rms = slider_error(lap.course, lap.setting.dt < wide_interval ? race.reference : own_steps.reference).rms;
  }
  judge_cost(findings, race.curves, laps);
}

}  // namespace polhode::experiments
