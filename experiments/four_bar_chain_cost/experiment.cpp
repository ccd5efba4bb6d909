// Bruedigam & Manchester, Fig. 6: chains of four-link loops, which go through singular places.
#include <fmt/format.h>

#include "../../bench/step/problems.h"
#include "../all.h"
#include "../common/cost_lines.h"
#include "../common/lineup.h"
#include "../common/long_links.h"

namespace polhode::experiments {
namespace {

using bench::Problem;

constexpr double link_length = 10;  // so that 10 ms are stable for 1000 segments (see chain_cost) [m]
constexpr double energy_bound = 5;  // who is off by more has lost the motion [%]

Problem segments(int n) { return with_long_links(bench::four_bar_chain(n), link_length); }

// Order 1 is the paper's method.
const Labels ours{"maximal-variational", "maximal-variational, order 1", "tree-variational"};

Labels others() { return without(main_peer_labels(), {"Bullet RK4"}); }

void cost(Findings& findings) {
  const std::vector<int> sizes =
      findings.pick(std::vector{1, 2, 5, 10, 25, 50, 100, 250, 500, 1000}, std::vector{1, 2, 5, 25, 100, 250});
  const std::vector<int> few = findings.pick(std::vector{1, 2, 5, 10, 25, 50, 100, 250}, std::vector{1, 5, 25});
  std::vector<CostLine> lines;
  for (const std::string& label : ours) {
    const bool linear = lines.size() < 2;
    lines.push_back(
        measure_line(label, linear ? sizes : few, segments,
                     {.budget = findings.pick(3.0, 0.5), .repetitions = 2, .most_steps = findings.pick(1000, 100)}));
  }
  for (const std::string& label : without(others(), {"Simbody Merson"})) {  // which has no steps to time
    lines.push_back(measure_line(label, few, segments, {.budget = findings.pick(0.5, 0.05), .repetitions = 2}));
  }
  findings.plot("cost", "1000 steps of 10 ms of chains of four-link segments.",
                plot_of("Chains of four-link segments", "segments", lines));
  findings.table(table_of("cost_times", "Seconds for 1000 steps of 10 ms, by number of segments", lines, 5));
  findings.judge(bench::at_most("exponent of maximal-variational's time from 5 segments on", lines[0].exponent(5), 1.1),
                 About::speed);
  findings.judge(bench::at_most("the same, of one Newton iteration", lines[0].exponent_per_iteration(5), 1.1), About::speed);
  const auto last = lines[0].at(sizes.back());
  findings.judge(
      bench::at_least("segments that maximal-variational got to", last ? sizes.back() : 0.0, findings.pick(1000.0, 250.0)));
}

/// Whether engines keep the motion of chains of few segments: links of 1 m, 10 s, through singular places.
void reliability(Findings& findings) {
  const std::vector<int> sizes = findings.pick(std::vector{1, 2, 3, 5, 10}, std::vector{1, 2, 5});
  Table table{.name = "reliability",
              .caption =
                  "10 s at 10 ms through singular places, links of 1 m: largest energy error [%]. Those that choose their "
                  "steps have an accuracy of 1e-6."};
  table.columns = {"engine and method"};
  for (const int n : sizes) table.columns.push_back(fmt::format("{} segment{}", n, n == 1 ? "" : "s"));
  std::vector<Curve> all =
      curves_of(joined(joined(ours, {"tree-projected", "maximal-projected"}), others()), {{0.01}, {1e-6}, 0.1});
  all.push_back({"Simbody Merson, 1e-3", {{"simbody merson-1e-3", 0.1}}});
  std::string reliable;
  for (const Curve& curve : all) {
    const std::string& label = curve.label;
    std::vector<Cell> row{label};
    double worst = 0;
    int unfinished = 0;
    for (const int n : sizes) {
      Race race{.name = "reliability", .problem = bench::four_bar_chain(n), .time = 10, .interval = 0.1, .curves = {}};
      race.repetitions = 0;
      race.limit_seconds = findings.pick(30.0, 4.0);
      const Lap lap = run_lap(race, label, curve.settings[0]);
      unfinished += !lap.finished();
      worst = std::max(worst, lap.finished() ? 100 * lap.outcome.drift_largest : 100.0);
      row.push_back(lap.finished() ? Cell(100 * lap.outcome.drift_largest) : Cell(lap.remark()));
    }
    table.rows.push_back(std::move(row));
    if (label == ours[1]) {  // of first order: its energy swings with the step, by as much as the motion wants
      findings.judge(bench::at_most(label + ": chains that did not finish", double(unfinished), 0));
    } else if (label == ours[0] || label == ours[2]) {
      findings.judge(
          bench::at_most(label + ": largest energy error of all of these [%]; 100 if one did not finish", worst, energy_bound));
    } else if (unfinished == 0 && worst <= energy_bound) {
      reliable += (reliable.empty() ? "" : ", ") + label;
    }
  }
  findings.note(
      fmt::format("Besides ours that are judged, these finish all of them with an energy error of at most {:g} %: {}.",
                  energy_bound, reliable.empty() ? "none" : reliable));
  findings.table(std::move(table));
}

void work_precision(Findings& findings) {
  const std::vector<double> steps = findings.pick(std::vector{0.01, 0.005, 0.0025, 0.001}, std::vector{0.01, 0.005});
  const std::vector<double> accuracies = findings.pick(std::vector{1e-3, 1e-5, 1e-7}, std::vector{1e-5});
  Race race{.name = "two_segments", .problem = bench::four_bar_chain(2), .time = 2, .interval = 0.05, .curves = {}};
  race.repetitions = findings.pick(2, 1);
  race.limit_seconds = findings.pick(60.0, 4.0);
  race.curves = curves_of(joined(our_labels_of_more_orders(), main_peer_labels()), {steps, accuracies, race.interval});
  Race alone = race;
  alone.repetitions = 0;
  const Lap reference = run_lap(alone, "reference", {"polhode tree-variational order=6 tolerance=1e-12", 0.001});
  race.reference = reference.course;
  alone.reference = reference.course;
  const Lap check = run_lap(alone, "check", {"polhode maximal-variational order=6 tolerance=1e-12", 0.001});
  findings.note(
      fmt::format("The reference of the race is tree-variational of order 6 with steps of 1 ms; maximal-variational of order 6 "
                  "differs from it by {:.2g} m (rms).",
                  check.error_rms));
  show(findings, race, run(race));
}

void run_it(Findings& findings) {
  cost(findings);
  reliability(findings);
  work_precision(findings);
  findings.note(
      "Rhombi of four rods of 1 kg that hang from one another by their corners, at 0.6 rad from the vertical, at rest. Gravity "
      "folds them, so that links lie on each other, where the loops' equations lose their rank.");
  findings.note(
      "In the figure of cost rods are 10 m long, so that 1000 segments are stable at 10 ms (chain_cost tells why); elsewhere 1 "
      "m.");
  findings.note("Times are scaled to 1000 steps where fewer were timed; the table says how many.");
}

}  // namespace

extern const Experiment four_bar_chain_cost{
    "four_bar_chain_cost", "Chains of four-link loops", "Bruedigam & Manchester, Fig. 6",
    "Chains of four-link segments, which have singular places, are stepped in linear time and without failures in maximal "
    "coordinates. An integrator in minimal coordinates could not do two or more segments reliably, with small steps neither.",
    run_it};

}  // namespace polhode::experiments
