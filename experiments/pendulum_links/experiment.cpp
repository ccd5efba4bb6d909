// Johnson & Murphey, Fig. 7, and Johnson & Murphey 2008, Fig. 3: what one more link costs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../all.h"
#include "../common/lineup.h"
#include "../common/link_pendulum.h"
#include "cost.h"

namespace polhode::experiments {
namespace {

std::vector<int> up_to(int most) {
  std::vector<int> links;
  for (int n = 1; n <= most; ++n) links.push_back(n);
  return links;
}

struct Costs {
  CostCurve uncached, cached, linear;
  std::vector<CostCurve> peers;

  std::vector<const CostCurve*> all() const {
    std::vector<const CostCurve*> result{&uncached, &cached, &linear};
    for (const CostCurve& peer : peers) result.push_back(&peer);
    return result;
  }
};

Costs measure(const Findings& findings) {
  const double budget = findings.pick(30.0, 0.1);
  const Budget for_peers = findings.pick(Budget{2, 30, 10}, Budget{0.05, 5, 1});
  const std::vector<int> few = up_to(10);
  const auto many = findings.pick<std::vector<int>>({1, 2, 3, 5, 10, 19, 30, 100, 300, 1000}, {1, 3, 10, 30, 100, 300});
  const auto own = findings.pick<std::vector<int>>(
      {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 19, 30, 50, 100, 200, 300, 500, 1000}, {1, 3, 5, 7, 10, 19, 30, 100, 300, 1000});
  std::vector<int> to_19 = few;
  to_19.insert(to_19.end(), {13, 16, 19});
  Costs costs{literal_cost(false, few, budget),
              literal_cost(true, to_19, budget),
              engine_cost("tree-variational", own, Budget{findings.pick(10.0, 0.2), 1e3, 1e3}),
              {}};
  for (const char* label : {"ODE exact", "ODE quick", "MuJoCo Euler", "Simbody Verlet", "Bullet Euler", "DART Euler"}) {
    costs.peers.push_back(engine_cost(label, many, for_peers));
  }
  return costs;
}

format::Plot cost_plot(const std::string& title, const std::vector<const CostCurve*>& curves, int most, double share) {
  format::Plot plot{.title = title, .x_name = "pendulum links", .y_name = "runtime", .y_unit = "s"};
  for (const CostCurve* curve : curves) {
    format::PlotSeries series = series_of(curve->label);
    series.markers = true;
    for (const CostPoint& point : curve->points) {
      if (point.links > most) continue;
      series.x.push_back(point.links);
      series.y.push_back(share * point.seconds);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Table cost_table(const Costs& costs) {
  Table table{.name = "runtimes", .caption = "Runtime of 20 s at 10 ms [s], by number of links"};
  table.columns = {"links"};
  const auto all = costs.all();
  for (const CostCurve* curve : all) table.columns.push_back(curve->label);
  for (const int n : {1, 2, 3, 5, 10, 19, 30, 100, 300, 1000}) {
    std::vector<Cell> row{double(n)};
    for (const CostCurve* curve : all) {
      const auto seconds = curve->at(n);
      row.push_back(seconds ? Cell(*seconds) : Cell("-"));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table paper_table(const Costs& costs) {
  Table table{.name = "paper", .caption = "The papers' own runtimes beside ours [s]"};
  table.columns = {"what", "paper", "literal, uncached", "literal, cached", "tree-variational"};
  const auto cell = [](const CostCurve& curve, int links, double share) {
    const auto seconds = curve.at(links);
    return seconds ? Cell(share * *seconds) : Cell("-");
  };
  const auto row = [&](const char* what, const char* paper, int links, double share) {
    table.rows.push_back(
        {what, paper, cell(costs.uncached, links, share), cell(costs.cached, links, share), cell(costs.linear, links, share)});
  };
  row("10 links, 20 s (Johnson & Murphey, Fig. 7)", "axis ends at 50", 10, 1);
  row("19 links, 10 s (Johnson & Murphey 2008, Fig. 3)", "cached: less than 20", 19, 0.5);
  return table;
}

void show_costs(Findings& findings, const Costs& costs) {
  const std::vector<const CostCurve*> own{&costs.uncached, &costs.cached, &costs.linear};
  format::Plot everybody = cost_plot("To 1000 links, with the peers: 20 s at 10 ms", costs.all(), 1000, 1);
  everybody.log_x = everybody.log_y = true;
  findings.plot(
      "runtime",
      "The papers' figures: runtime against the number of links. The papers' printed equations without and with memory "
      "for what was computed before, and the linear-time form of the same integrator; then everybody.",
      {cost_plot("Johnson & Murphey, Fig. 7: 20 s at 10 ms", own, 10, 1),
       cost_plot("Johnson & Murphey 2008, Fig. 3: 10 s at 10 ms", own, 19, 0.5), everybody});
  findings.table(cost_table(costs));
  findings.table(paper_table(costs));
  std::string scaled;
  for (const CostCurve* curve : costs.all()) {
    if (!curve->remark.empty()) findings.note(fmt::format("{}: {}.", curve->label, curve->remark));
    const auto first = std::find_if(curve->points.begin(), curve->points.end(), [](auto& point) { return point.share < 1; });
    if (first == curve->points.end()) continue;
    scaled += fmt::format("{}{} from {} links on", scaled.empty() ? "" : "; ", curve->label, first->links);
  }
  if (!scaled.empty()) findings.note("Of long runs only the first part was timed, and its time scaled up: " + scaled + '.');
}

std::optional<double> difference(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a - *b;
}
std::optional<double> ratio(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a / *b;
}

void judge_costs(Findings& findings, const Costs& costs) {
  // Fewer than four links: fixed costs still show.
  const CostOfStart start = cost_of_start({30, 100, 300, 1000}, findings.pick(5, 2));
  findings.note(
      fmt::format("Newton's iterations per step of tree-variational in the first 2 s, to 1e-10: {}. As that depends on the "
                  "links, the time of one iteration is judged too.",
                  start.of_iteration.remark));
  const auto uncached = exponent(costs.uncached, 4, 10), cached = exponent(costs.cached, 4, 19),
             linear = exponent(start.whole, 30, 1000), iteration = exponent(start.of_iteration, 30, 1000);
  Table table{.name = "growth", .caption = "Runtime grows with the number of links to the power of"};
  table.columns = {"method", "links", "exponent"};
  const auto row = [&](const CostCurve& curve, const char* range, std::optional<double> value) {
    table.rows.push_back({curve.label, range, value ? Cell(*value) : Cell("-")});
  };
  row(costs.uncached, "4 to 10", uncached);
  row(costs.cached, "4 to 19", cached);
  row(costs.linear, "30 to 1000, first 2 s", linear);
  row(start.of_iteration, "30 to 1000, first 2 s", iteration);
  row(costs.linear, "30 to 1000", exponent(costs.linear, 30, 1000));
  for (const CostCurve& peer : costs.peers) row(peer, "30 to 1000", exponent(peer, 30, 1000));
  findings.table(std::move(table));

  findings.judge(
      bench::at_least("caching: runtime grows slower, exponent uncached less cached", difference(uncached, cached), 0.5),
      About::speed);
  findings.judge(bench::at_least("caching: drastically faster, uncached over cached at 10 links",
                                 ratio(costs.uncached.at(10), costs.cached.at(10)), 5),
                 About::speed);
  const auto at_19 = costs.cached.at(19);
  findings.judge(bench::at_most("19 links, 10 s, cached: seconds (Johnson & Murphey 2008: less than 20)",
                                at_19 ? std::optional(*at_19 / 2) : std::nullopt, 20),
                 About::speed);
  findings.judge(bench::at_most("tree-variational: exponent of N, 30 to 1000 links, over the first 2 s", linear, 1.05),
                 About::speed);
  findings.judge(bench::at_most("tree-variational: exponent of N, time of one Newton iteration", iteration, 1.05),
                 About::speed);
}

void judge_trajectories(Findings& findings) {
  const auto worst = [](bool cached, const std::vector<int>& links) {
    std::optional<double> largest = 0;
    for (const int n : links) {
      const auto distance = literal_distance(cached, n);
      largest = distance && largest ? std::optional(std::max(*largest, *distance)) : std::nullopt;
    }
    return largest;
  };
  findings.judge(bench::at_most("linear-time and uncached literal equations, 1 to 5 links: largest distance after 1 s [m]",
                                worst(false, {1, 2, 3, 4, 5}), 1e-9));
  findings.judge(bench::at_most("linear-time and cached literal equations, 1 to 10 links: largest distance after 1 s [m]",
                                worst(true, {1, 2, 3, 5, 7, 10}), 1e-9));
}

void race(Findings& findings) {
  constexpr double interval = 0.04;
  Race race{.name = "race", .problem = link_pendulum(5), .time = 2, .interval = interval, .curves = {}};
  race.problem.name = "pendulum of 5 links";
  const auto steps =
      findings.pick<std::vector<double>>({0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002}, {0.01, 0.004, 0.001});
  const auto accuracies =
      findings.pick<std::vector<double>>({1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}, {1e-3, 1e-5, 1e-7});
  race.curves = curves_of(joined(our_labels(), peer_labels()), {steps, accuracies, interval});
  race.reference = reference_for(findings, race);
  race.repetitions = findings.pick(3, 1);
  show(findings, race, run(race));
  findings.note(
      "The race is run with 5 links for 2 s, against tree-projected with an accuracy of 1e-12: longer runs of pendulums with "
      "several links are chaotic, and no engine's error would mean anything.");
}

void run_it(Findings& findings) {
  const Costs costs = measure(findings);
  show_costs(findings, costs);
  judge_trajectories(findings);
  judge_costs(findings, costs);
  race(findings);
  findings.note(
      "The papers give no lengths and masses: links of 1 m, each with 1 kg and 0.1 kg m^2 at its lower end. Johnson & Murphey "
      "2008 give no "
      "step: 10 ms as in Johnson & Murphey. The papers' processors are not named; their curves can be compared by shape only.");
}

}  // namespace

extern const Experiment pendulum_links{
    "pendulum_links", "What one more link costs", "Johnson & Murphey, Fig. 7; Johnson & Murphey 2008, Fig. 3",
    "Pendulums of N links, aligned at 45 degrees at the start, are simulated for 20 s (Johnson & Murphey 2008: 10 s) with a "
    "variational "
    "integrator on the tree's recursive equations. With caching of intermediate results the runs are drastically faster and "
    "grow slower with N than without; even 19 links for 10 s take less than 20 s. The same integrator in a form whose cost is "
    "linear in N is set beside them.",
    run_it};

}  // namespace polhode::experiments
