// Johnson & Murphey 2008, Fig. 2: a marionette on strings whose upper ends are moved.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "../../bench/numbers.h"
#include "../all.h"
#include "../common/lineup.h"
#include "balance.h"

namespace polhode::experiments {
namespace {

constexpr double h = 0.01;  // [s]

void count(Findings& findings, const bench::OwnModel& own, const bench::Problem& problem) {
  const Mechanism& mechanism = own.mechanism;
  const int free = mechanism.num_u() - int(mechanism.kinematic().size()), strings = int(problem.closures.size());
  Table table{.name = "size", .caption = "The marionette"};
  table.columns = {"bodies", "speeds of its own", "strings", "degrees of freedom left", "moved coordinates of the hooks"};
  table.rows.push_back({double(problem.links.size()), double(free), double(strings), double(free - strings),
                        double(mechanism.kinematic().size())});
  findings.table(std::move(table));
  findings.judge(bench::at_least("degrees of freedom with all strings taut (paper: typically 40 or more)", free - strings, 40));
}

format::PlotSeries height(const Lap& lap, const std::string& name, std::size_t link) {
  format::PlotSeries series{.name = name, .x = lap.course.t, .y = {}};
  for (const auto& centres : lap.course.centres) series.y.push_back(centres[link][2]);
  return series;
}

/// The whole show at 10 ms: is the figure's motion there, who holds the strings, and how fast.
void perform(Findings& findings, const bench::Problem& problem) {
  const double time = findings.pick(10.0, 3.0);
  Race race{.name = "show", .problem = problem, .time = time, .interval = h, .curves = {}, .repetitions = 1};
  race.limit_seconds = findings.pick(60, 8);
  race.curves = curves_of(our_labels(), {{h}, {1e-4}, h});
  for (Curve& curve : curves_of(peer_labels(), {{h}, {1e-3}, h})) race.curves.push_back(std::move(curve));
  const std::vector<Lap> laps = run(race);

  format::Plot motion{.title = "Heights (tree-variational)", .x_name = "time", .x_unit = "s", .y_name = "z", .y_unit = "m"};
  format::Plot strings{.title = "Largest error of a string or joint",
                       .x_name = "time",
                       .x_unit = "s",
                       .y_name = "error",
                       .y_unit = "m",
                       .log_y = true};
  Table table{.name = "show_runs", .caption = fmt::format("{:g} s of the show with steps of 10 ms", time)};
  table.columns = {"engine and method", "string or joint, largest error [m]", "wall time [s]", "times real time", "remark"};
  for (const Lap& lap : laps) {
    const auto number = [&](double value) { return lap.finished() ? Cell(value) : Cell("-"); };
    table.rows.push_back({lap.label, number(lap.outcome.gap), number(lap.seconds), number(time / lap.seconds), lap.remark()});
    if (lap.label == "tree-variational") {
      findings.judge(bench::at_most("tree-variational: strings and joints keep their lengths and places [m]",
                                    lap.finished() ? lap.outcome.gap : std::numeric_limits<double>::infinity(), 1e-10));
    }
    if (!lap.finished()) continue;
    strings.series.push_back(series_of(lap.label));
    strings.series.back().x = lap.course.t;
    strings.series.back().y = lap.course.gap;
    if (lap.label != "tree-variational") continue;
    // Links are bodies in the model's order.
    motion.series = {height(lap, "head", 4), height(lap, "left hand", 7), height(lap, "right hand", 10),
                     height(lap, "left foot", 13), height(lap, "right foot", 16)};
    findings.judge(bench::at_least("tree-variational: times real time at 10 ms", time / lap.seconds, 1), About::speed);
  }
  findings.plot("show", "The motion, and how well everybody holds the strings.", {motion, strings});
  findings.table(std::move(table));
}

void balance(Findings& findings, const bench::OwnModel& own) {
  const double time = findings.pick(4.0, 2.0);
  std::vector<std::pair<double, double>> errors;
  EnergyBalance finest{};
  for (const double dt : {0.01, 0.005, 0.0025}) {
    finest = energy_balance(own, dt, int(std::lround(time / dt)));
    errors.emplace_back(dt, finest.largest_error());
  }
  format::Plot plot{
      .title = "Energy balance (tree-variational, 2.5 ms)", .x_name = "time", .x_unit = "s", .y_name = "energy", .y_unit = "J"};
  format::PlotSeries rest{.name = "energy less work plus friction", .x = finest.t, .y = {}};
  for (std::size_t i = 0; i < finest.t.size(); ++i) rest.y.push_back(finest.energy[i] - finest.work[i] + finest.friction[i]);
  plot.series = {{.name = "change of energy", .x = finest.t, .y = finest.energy},
                 {.name = "work of the hooks", .x = finest.t, .y = finest.work},
                 {.name = "lost to friction", .x = finest.t, .y = finest.friction},
                 rest};
  findings.plot("balance", "Energy comes from the hooks and goes into friction.", plot);
  findings.judge(bench::at_most("tree-variational: energy less work plus friction at 2.5 ms, over the work's turnover",
                                errors.back().second, 1e-3));
  findings.judge(bench::at_least("tree-variational: order with which the balance closes", bench::log_log_slope(errors), 1.8));
}

std::optional<double> least_error(const std::vector<Lap>& laps, const std::string& label) {
  std::optional<double> least;
  for (const Lap& lap : laps) {
    if (lap.label == label && lap.finished()) least = least ? std::min(*least, lap.error_rms) : lap.error_rms;
  }
  return least;
}

void race(Findings& findings, const bench::Problem& problem) {
  constexpr double interval = 0.02;
  Race race{.name = "race", .problem = problem, .time = findings.pick(1.0, 0.6), .interval = interval, .curves = {}};
  race.limit_seconds = findings.pick(60, 8);
  const auto steps = findings.pick<std::vector<double>>({0.02, 0.01, 0.005, 0.0025, 0.001, 0.0005}, {0.01, 0.005, 0.001});
  const auto accuracies = findings.pick<std::vector<double>>({1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}, {1e-3, 1e-6});
  race.curves = curves_of(joined(our_labels(), peer_labels()), {steps, accuracies, interval});
  race.reference = reference_for(findings, race, 1e-11);
  race.repetitions = findings.pick(3, 1);
  const std::vector<Lap> laps = run(race);
  show(findings, race, laps);

  const auto off_two = [&](const char* label) {
    const auto order = order_of(laps, label);
    return order ? std::optional(std::abs(*order - 2)) : std::nullopt;
  };
  findings.judge(
      bench::at_most("tree-variational converges with second order: exponent off 2", off_two("tree-variational"), 0.2));
  findings.judge(
      bench::at_most("maximal-variational converges with second order: exponent off 2", off_two("maximal-variational"), 0.2));
  for (const char* method : {"tree-projected", "maximal-projected"}) {
    findings.judge(
        bench::at_most(fmt::format("{} with its finest accuracy agrees [m rms]", method), least_error(laps, method), 1e-5));
  }
  for (const Lap& lap : laps) {
    if (lap.finished() || is_ours(lap.label) || lap.setting.dt != race.curves[0].settings[0].dt) continue;
    findings.note(fmt::format("{} does not get through with steps of {:g} ms: {}.", lap.label, 1e3 * lap.setting.dt,
                              lap.outcome.reason.data()));
  }
}

void run_it(Findings& findings) {
  const auto own = bench::load_own_model(POLHODE_MODELS "/marionette.pol");
  const bench::Problem problem = bench::problem_of(own);
  count(findings, *own, problem);
  perform(findings, problem);
  balance(findings, *own);
  race(findings, problem);
  findings.note(
      "The paper shows a picture and gives no data. models/marionette.pol is ours: limbs of wood, ball and universal joints "
      "with friction, nine strings of fixed length whose hooks follow signals. A string here pushes as well as it pulls.");
  findings.note(
      "The neck is light (1.4e-6 kg m^2 about its length) and has friction at both ends (0.001 N m s): its spin dies away at "
      "some 1400/s. Explicit methods are stable for that with steps below about 2 ms only, whatever accuracy is asked for. "
      "This is probably why those with fixed steps that stop at 10 ms do so, and why methods that choose their steps gain "
      "little from a coarse accuracy. The variational methods and MuJoCo's Euler take friction implicitly.");
}

}  // namespace

extern const Experiment marionette{"marionette", "A marionette on nine strings", "Johnson & Murphey 2008, Fig. 2",
                                   "Marionettes have forty degrees of freedom and more and strongly coupled dynamics. The "
                                   "variational integrator on the tree simulates one with friction, and with strings as "
                                   "constraints to hooks that are moved kinematically, without change to the method.",
                                   run_it};

}  // namespace polhode::experiments
