#include "cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "../../bench/numbers.h"
#include "../../bench/step/entrants.h"
#include "../../bench/step/isolated.h"
#include "../common/lineup.h"
#include "../common/link_pendulum.h"
#include "tests/oracle/trep_integrator.h"

namespace polhode::experiments {
namespace {

namespace trep = oracle::trep;

constexpr int all_steps = int(cost_time / cost_step + 0.5);

Eigen::VectorXd literal_start(int links) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(links);
  q[0] = link_pendulum_angle;
  return q;
}

trep::Caching caching(bool cached) { return cached ? trep::Caching::on : trep::Caching::off; }

/// As many steps as the budget allows, from what the first few took.
int affordable(double seconds_of_few, int few, double budget_seconds) {
  const double steps = budget_seconds / (seconds_of_few / few + 1e-9);
  return std::clamp(int(std::min(steps, double(all_steps))), few, all_steps);
}

bench::RunOutcome timed(const bench::Entrant& entrant, int links, int steps, int repetitions) {
  bench::Problem problem = link_pendulum(links);
  problem.dt = cost_step;
  problem.steps = all_steps;
  const bench::RunPlan plan{.trace = false, .repetitions = repetitions, .timed_steps = steps};
  return bench::run_isolated(entrant.make, entrant.method, problem, plan, 120);
}

}  // namespace

std::optional<double> CostCurve::at(int links) const {
  for (const CostPoint& point : points) {
    if (point.links == links) return point.seconds;
  }
  return std::nullopt;
}

CostCurve literal_cost(bool cached, const std::vector<int>& links, double budget_seconds) {
  CostCurve curve{cached ? "literal, cached" : "literal, uncached"};
  for (const int n : links) {
    const auto seconds = [&](int steps) {
      return trep::seconds_for(trep::link_pendulum(n), literal_start(n), cost_step, steps, caching(cached));
    };
    constexpr int few = 2;
    const int steps = affordable(seconds(few), few, budget_seconds);
    const double share = double(steps) / all_steps;
    curve.points.push_back({n, seconds(steps) / share, share});
  }
  return curve;
}

CostCurve engine_cost(const std::string& label, const std::vector<int>& links, const Budget& budget) {
  using Clock = std::chrono::steady_clock;
  CostCurve curve{label};
  const auto found = bench::entrants_named({entrant_of(label)});
  if (found.empty()) {
    curve.remark = "not installed";
    return curve;
  }
  constexpr int few = 10;
  for (const int n : links) {
    const auto before = Clock::now();
    bench::RunOutcome outcome = timed(found[0], n, few, 1);
    const double until_ready = std::chrono::duration<double>(Clock::now() - before).count() - outcome.seconds_per_step() * few;
    if (outcome.finished) {
      const int steps = affordable(outcome.seconds_per_step() * few, few, budget.timed);
      outcome = timed(found[0], n, steps, until_ready < budget.timed ? 2 : 1);
    }
    if (!outcome.is_timed()) {
      curve.remark = fmt::format("{} links: {}", n, outcome.reason.data());
      break;
    }
    const double seconds = outcome.seconds_per_step() * all_steps;
    curve.points.push_back({n, seconds, double(outcome.timed_steps) / all_steps});
    if (n == links.back()) break;
    if (seconds > budget.computed) curve.remark = fmt::format("{} links take {:.2g} s; more were not tried", n, seconds);
    if (until_ready > budget.set_up)
      curve.remark = fmt::format("{} links took {:.2g} s to set up; more were not tried", n, until_ready);
    if (!curve.remark.empty()) break;
  }
  return curve;
}

CostOfStart cost_of_start(const std::vector<int>& links, int repetitions) {
  CostOfStart cost{{"tree-variational, first 2 s"}, {"tree-variational, one iteration"}};
  const auto entrant = bench::entrants_named({"polhode tree-variational"}).at(0);
  constexpr int steps = all_steps / 10;
  for (const int n : links) {
    const bench::RunOutcome outcome = timed(entrant, n, steps, repetitions);
    if (!outcome.is_timed()) continue;
    const double seconds = outcome.seconds_per_step() * steps, iterations = outcome.iterations_per_step(steps);
    cost.whole.points.push_back({n, seconds, 0.1});
    cost.of_iteration.points.push_back({n, seconds / (steps * iterations), 0.1});
    cost.of_iteration.remark +=
        fmt::format("{}{:.2f} at {} links", cost.of_iteration.remark.empty() ? "" : ", ", iterations, n);
  }
  return cost;
}

std::optional<double> exponent(const CostCurve& curve, int fewest, int most) {
  std::vector<std::pair<double, double>> points;
  for (const CostPoint& point : curve.points) {
    if (point.links >= fewest && point.links <= most) points.emplace_back(point.links, point.seconds);
  }
  return bench::log_log_slope(points);
}

std::optional<double> literal_distance(bool cached, int links) {
  constexpr double time = 1;
  const Race race{.name = "", .problem = link_pendulum(links), .time = time, .interval = time, .curves = {}, .repetitions = 0};
  const Lap lap = run_lap(race, "", {"polhode tree-variational tolerance=1e-12", cost_step});
  if (!lap.finished()) return std::nullopt;

  trep::Integrator integrator(trep::link_pendulum(links), cost_step, {.caching = caching(cached)});
  const trep::State start = integrator.start_from_rates(literal_start(links), Eigen::VectorXd::Zero(links));
  const trep::State end = integrator.run(start, int(std::lround(time / cost_step)));
  trep::Kinematics& tree = integrator.kinematics();
  tree.write(end.q, Eigen::VectorXd::Zero(links));
  double largest = 0;
  for (int i = 0; i < links; ++i) {
    const bench::Triple& centre = lap.course.centres.back()[std::size_t(i)];
    const Eigen::Vector3d off = tree.p(2 * i + 1) - Eigen::Vector3d(centre[0], centre[1], centre[2]);
    largest = std::max(largest, off.norm());
  }
  return largest;
}

}  // namespace polhode::experiments
