#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../../bench/step/from_mechanism.h"
#include "../common/lineup.h"
#include "jet_case.h"

// Every engine on the paper's mechanisms.
namespace polhode::experiments::jets {
namespace {

constexpr double interval = exact_interval;

/// The course's places against the exact ones. A link is the body that is where the link is at the start.
double largest_difference(const bench::Course& course, const ExactMotion& exact) {
  using bench::operator-;
  double largest = 0;
  for (std::size_t i = 0; i < course.links; ++i) {
    const auto off = [&](std::size_t k, std::size_t body) {
      return bench::length(course.centres[k][i] - exact.centres[k][body]);
    };
    std::size_t nearest = 0;
    for (std::size_t b = 0; b < exact.centres[0].size(); ++b)
      if (off(0, b) < off(0, nearest)) nearest = b;
    for (std::size_t k = 0; k < course.size(); ++k) largest = std::max(largest, off(k, nearest));
  }
  return largest;
}

using Numbers = std::vector<double>;

const Labels fixed_step_peers{"MuJoCo RK4", "MuJoCo implicit", "ODE exact", "DART Euler", "Bullet RK4"};

std::vector<Curve> curves(const Findings& findings, double look) {
  const Numbers steps = findings.pick(Numbers{0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002}, Numbers{0.01, 0.002});
  const Numbers long_steps = findings.pick(Numbers{0.05, 0.02, 0.01, 0.005, 0.002, 0.001}, Numbers{0.02, 0.005});
  const Numbers coarse = findings.pick(Numbers{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}, Numbers{1e-4, 1e-6});
  const Numbers accuracies = findings.pick(Numbers{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}, Numbers{1e-4, 1e-6, 1e-8});
  Numbers fine = accuracies;
  fine.push_back(1e-11);
  const auto chosen = [&](const char* label, const Numbers& values) { return curve_of(label, {{}, values, look}); };
  const auto fixed = [&](const std::string& label, const Numbers& values) { return curve_of(label, {values, {}, look}); };
  std::vector<Curve> all{chosen("maximal-projected", accuracies), chosen("tree-projected", fine),
                         fixed("tree-variational", steps),        fixed("tree-variational, order 4", long_steps),
                         fixed("maximal-variational", steps),     chosen("Simbody Merson", coarse)};
  for (const std::string& label : fixed_step_peers) all.push_back(fixed(label, steps));
  return all;
}

/// Ours must come nearer to the reference as they are made finer.
void judge_ours(Findings& findings, const std::vector<Lap>& laps) {
  for (const std::string& label : our_labels()) {
    std::vector<double> errors;
    bool finished = true;
    for (const Lap& lap : laps) {
      if (lap.label != label) continue;
      errors.push_back(lap.error_rms);
      finished = finished && lap.finished();
    }
    std::optional<double> ratio;
    if (finished && errors.size() > 1) ratio = errors.back() / errors.front();
    findings.judge(bench::at_most(fmt::format("{}: its finest run's error over that of its coarsest one", label), ratio, 0.2));
  }
}

/// How much faster ours is than each peer at the peer's smallest error. Below `floor` the reference itself is not exact enough.
void judge_peers(Findings& findings, const std::vector<Lap>& laps, double floor) {
  for (const std::string& label : joined({"Simbody Merson"}, fixed_step_peers)) {
    const Lap* best = nullptr;
    for (const Lap& lap : laps)
      if (lap.label == label && lap.finished() && lap.error_rms >= floor && (!best || lap.error_rms < best->error_rms))
        best = &lap;
    if (!best) continue;
    std::optional<double> ours;  // the fastest of ours that is at least as near
    for (const Lap& lap : laps)
      if (is_ours(lap.label) && lap.finished() && lap.error_rms <= best->error_rms)
        ours = std::min(ours.value_or(lap.seconds), lap.seconds);
    findings.judge(
        bench::at_least(fmt::format("at the smallest error of {} ({:.2g} m rms), times faster than it", label, best->error_rms),
                        ours ? std::optional(best->seconds / *ours) : std::nullopt, 1),
        About::speed);
  }
}

/// All of the paper's time with fixed steps, where the race is shorter: whether a peer still knows where the mechanism is.
void show_whole_time(Findings& findings, Race race) {
  const double time_of_race = race.time;
  race.time = time_of_runs;
  race.repetitions = 1;
  Table table{.name = "whole_time",
              .caption = fmt::format("{}: {:g} s, all of the paper's run; Simbody with an accuracy of 1e-5", race.problem.name,
                                     race.time),
              .columns = {"engine and method", "step, or time between looks [s]", "wall time [s]", "error, rms [m]",
                          "energy error, end [%]", "gap, largest [m]", "remark"}};
  const double dt = findings.pick(0.0005, 0.002);
  for (const Curve& curve : curves_of(joined({"Simbody Merson"}, fixed_step_peers), {{dt}, {1e-5}, race.interval / 5})) {
    const std::string& label = curve.label;
    const Setting& setting = curve.settings[0];
    const Lap lap = run_lap(race, label, setting);
    const auto number = [&](double value) { return lap.finished() ? Cell(value) : Cell("-"); };
    table.rows.push_back({label, setting.dt, number(lap.seconds), number(lap.error_rms), number(100 * lap.outcome.drift_end),
                          number(lap.outcome.gap), lap.remark()});
  }
  findings.table(table);
  findings.note(
      fmt::format("The race is over {:g} s only. The mechanism turns faster and faster, which probably is why engines with "
                  "fixed steps lose the motion later, and errors of the size of the mechanism say nothing more. What became of "
                  "them after {:g} s stands in a table of its own.",
                  time_of_race, time_of_runs));
}

}  // namespace

void hold_race(Findings& findings, const JetCase& the_case, const ExactMotion& exact) {
  Race race{.name = "race",
            .problem = bench::problem_of(bench::load_own_model(std::string(POLHODE_MODELS) + "/" + the_case.model)),
            .time = time_of_runs,
            .interval = interval,
            .curves = curves(findings, the_case.look),
            .repetitions = 1,
            .limit_seconds = findings.pick(20.0, 4.0)};
  const Lap finest = reference_lap(race, the_case.look);
  std::optional<double> off;
  if (finest.finished()) off = largest_difference(finest.course, exact);
  findings.judge(bench::at_most("the reference, tree-projected of order 8 at 1e-12, against the exact motion [m]", off, 1e-8));
  if (!off) return;
  race.time = the_case.race_time;
  race.reference = finest.course;  // samples after the race's time are not looked at
  const std::vector<Lap> laps = run(race);
  show(findings, race, laps);
  judge_ours(findings, laps);
  judge_peers(findings, laps, 10 * *off);
  if (the_case.race_time < time_of_runs) show_whole_time(findings, race);
}

}  // namespace polhode::experiments::jets
