// Bruedigam & Manchester, Fig. 5: what 1000 steps of open and closed chains cost.
#include <fmt/format.h>

#include "../../bench/step/problems.h"
#include "../all.h"
#include "../common/cost_lines.h"
#include "../common/lineup.h"
#include "../common/long_links.h"

namespace polhode::experiments {
namespace {

using bench::Problem;

constexpr double tilt = 0.5;       // of the straight chain from the vertical [rad]
constexpr double link_length = 5;  // so that 10 ms are stable for 1000 links, see stability() [m]
constexpr double sideways = 2;     // part of gravity that moves chains on balls out of their plane [m/s^2]
constexpr double linear = 1.1;     // exponents up to here
constexpr int exponent_from = 30;  // below that, fixed costs

/// The same on ball joints: it starts at rest in a plane that gravity pulls it out of.
Problem on_balls(Problem problem) {
  for (bench::Link& link : problem.links) {
    link.joint = bench::JointKind::ball;
    link.turn = bench::quaternion_about({0, 1, 0}, link.q[0]);
    link.q = {};
  }
  for (bench::Closure& closure : problem.closures) closure.kind = bench::Closure::Kind::point;
  problem.gravity = {0, sideways, -std::sqrt(bench::standard_gravity * bench::standard_gravity - sideways * sideways)};
  problem.name += " on balls";
  return problem;
}

Problem open_hinges(int n) { return with_long_links(bench::planar_chain(n, tilt), link_length); }
Problem open_balls(int n) { return on_balls(open_hinges(n)); }
Problem closed_hinges(int n) { return with_long_links(bench::closed_chain(n), link_length); }
Problem closed_balls(int n) { return on_balls(closed_hinges(n)); }

struct Kind {
  std::string name, title;
  Problem (*problem)(int n);
};
const std::vector<Kind> kinds{{"open_hinges", "Open chains on hinges", open_hinges},
                              {"open_balls", "Open chains on ball joints", open_balls},
                              {"closed_hinges", "Chains on hinges between two places (one loop)", closed_hinges},
                              {"closed_balls", "Chains on ball joints between two places (one loop)", closed_balls}};

// Order 1 is the paper's method, and the last one stands for its comparison.
const Labels ours{"maximal-variational", "maximal-variational, order 1", "tree-variational", "explicit RK, tree"};

std::vector<CostLine> measure(const Findings& findings, const Kind& kind) {
  const std::vector<int> sizes =
      findings.pick(std::vector{5, 10, 20, 50, 100, 200, 500, 1000}, std::vector{10, 30, 100, 300, 1000});
  const std::vector<int> peer_sizes = findings.pick(sizes, std::vector{10, 30, 100});
  std::vector<CostLine> lines;
  for (const std::string& label : ours) {
    lines.push_back(measure_line(
        label, sizes, kind.problem,
        {.budget = findings.pick(2.0, 0.5), .repetitions = findings.pick(3, 2), .most_steps = findings.pick(1000, 100)}));
  }
  for (const std::string& label : without(main_peer_labels(), {"Simbody Merson"})) {  // which has no steps to time
    lines.push_back(measure_line(label, peer_sizes, kind.problem, {.budget = findings.pick(0.25, 0.05), .repetitions = 2}));
  }
  return lines;
}

using AllLines = std::vector<std::vector<CostLine>>;  // by kind

std::optional<double> ratio(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a / *b) : std::nullopt;
}

void tell_iterations(Findings& findings, const AllLines& all) {
  std::string text = "Newton iterations per step of maximal-variational, from the shortest chain to the longest:";
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    text += k == 0 ? " " : "; ";
    text += kinds[k].name;
    for (const SizedCost& point : all[k][0].points) text += fmt::format(" {:.2f}", point.cost.iterations_per_step());
  }
  findings.note(text + ".");
}

void judge(Findings& findings, const AllLines& all) {
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    findings.judge(
        bench::at_most(kinds[k].title + ": exponent of maximal-variational's time", all[k][0].exponent(exponent_from), linear),
        About::speed);
    findings.judge(bench::at_most(kinds[k].title + ": the same, of one Newton iteration",
                                  all[k][0].exponent_per_iteration(exponent_from), linear),
                   About::speed);
  }
  for (const int n : {100, 1000}) {
    findings.judge(bench::at_most(fmt::format("maximal-variational, {} links: time on balls over time on hinges, open", n),
                                  ratio(all[1][0].at(n), all[0][0].at(n)), 1),
                   About::speed);
    findings.judge(bench::at_most(fmt::format("maximal-variational, {} links: time on balls over time on hinges, closed", n),
                                  ratio(all[3][0].at(n), all[2][0].at(n)), 1),
                   About::speed);
    findings.judge(
        bench::at_least(fmt::format("{} links on balls: explicit Runge-Kutta in tree coordinates over maximal-variational", n),
                        ratio(all[1][3].at(n), all[1][0].at(n)), 1),
        About::speed);
  }
}

/// All of the paper's 1000 steps of 10 ms at the paper's largest size, whatever they cost.
void judge_steps(Findings& findings) {
  for (const Kind& kind : kinds) {
    const Cost cost = cost_of("polhode maximal-variational", kind.problem(1000),
                              {.budget = 0, .repetitions = 1, .patience = 120, .least_steps = 1000});
    findings.judge(
        bench::at_most(kind.title + ", 1000 links: of 1000 steps of 10 ms, those that maximal-variational had to halve",
                       cost.finished ? std::optional(double(cost.counters.halved)) : std::nullopt, 0));
  }
}

/// Why the links are 5 m long.
void stability(Findings& findings) {
  struct Case {
    int n;
    double length, dt;
  };
  const std::vector<Case> cases = findings.pick(
      std::vector<Case>{{200, 1, 0.01}, {300, 1, 0.01}, {400, 1, 0.01}, {1000, 1, 0.01}, {1000, 1, 0.005}, {1000, 5, 0.01}},
      std::vector<Case>{{300, 1, 0.01}, {400, 1, 0.01}, {1000, 1, 0.005}});
  Table table{.name = "stability",
              .caption = "Chains on hinges, maximal-variational: how long steps may be under the chain's own weight"};
  table.columns = {"links", "length of a link [m]", "step [ms]", "h omega", "steps", "of these halved"};
  for (const Case& c : cases) {
    Problem problem = with_long_links(bench::planar_chain(c.n, tilt), c.length);
    problem.dt = c.dt;
    problem.steps = 100;
    const Cost cost =
        cost_of("polhode maximal-variational", problem, {.budget = 0, .repetitions = 1, .least_steps = problem.steps});
    const double omega = std::sqrt(12 * bench::standard_gravity * c.n / c.length);
    table.rows.push_back({double(c.n), c.length, 1000 * c.dt, c.dt * omega, double(cost.steps), double(cost.counters.halved)});
  }
  findings.table(std::move(table));
  findings.note(
      "Links of mass m, length L and inertia J = m L^2/12 under the tension T = n m g swing across it with the square of the "
      "frequency omega^2 = T L/J = 12 n g/L. As SHAKE and RATTLE, the method is stable while h omega is below about 2: with "
      "10 ms, 1000 links need to be 3 m long when they hang and somewhat more when they swing. Masses do not matter. All "
      "chains here have links of 5 m.");
}

void race_of_balls(Findings& findings) {
  const std::vector<double> steps = findings.pick(std::vector{0.01, 0.005, 0.0025, 0.001}, std::vector{0.01});
  const std::vector<double> accuracies = findings.pick(std::vector{1e-3, 1e-5, 1e-7}, std::vector{1e-5});
  Race race{
      .name = "balls", .problem = bench::ball_chain(10, tilt), .time = findings.pick(5.0, 2.0), .interval = 0.05, .curves = {}};
  race.repetitions = findings.pick(2, 1);
  race.curves = curves_of(joined(our_labels_of_more_orders(), main_peer_labels()), {steps, accuracies, race.interval});
  race.reference = reference_for(findings, race);
  show(findings, race, run(race));
}

void run_it(Findings& findings) {
  AllLines all;
  for (const Kind& kind : kinds) {
    all.push_back(measure(findings, kind));
    findings.plot(kind.name, kind.title + ", 1000 steps of 10 ms.", plot_of(kind.title, "links", all.back()));
    findings.table(table_of(kind.name + "_times", kind.title + ": seconds for 1000 steps of 10 ms, by number of links",
                            all.back(), exponent_from));
  }
  judge(findings, all);
  tell_iterations(findings, all);
  judge_steps(findings);
  stability(findings);
  race_of_balls(findings);
  findings.note(
      "Times are of steps from the start of the motion, the fastest of repetitions; where 1000 steps would take too long "
      "fewer were timed and the time scaled to 1000. The tables say how many.");
  findings.note(
      "Explicit Runge-Kutta in tree coordinates stands for the paper's red line: Merson's method of order four, five "
      "evaluations a step, fixed steps, with loops projected.");
  findings.note(
      "The paper's pendulums are not described. Here: rods of 5 m and 1 kg, straight at 0.5 rad from the vertical or as half "
      "of a polygon between two places, at rest; on balls gravity pulls them out of the plane.");
}

}  // namespace

extern const Experiment chain_cost{
    "chain_cost", "Long chains, open and closed", "Bruedigam & Manchester, Fig. 5a and 5b",
    "1000 steps of pendulums with n links, and of closed loops of them, take time in proportion to n by the "
    "maximal-coordinate integrator. It does ball joints faster than hinges, for they have fewer equations, and outdoes an "
    "explicit integrator in minimal coordinates on them, while that is faster on hinges.",
    run_it};

}  // namespace polhode::experiments
