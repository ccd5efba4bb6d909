#include "cost.h"

#include <algorithm>

#include "../../bench/step/entrants.h"
#include "../../bench/step/isolated.h"

namespace polhode::experiments {

Cost cost_of(const std::string& entrant, const bench::Problem& problem, const CostPlan& plan) {
  const auto found = bench::entrants_named({entrant});
  if (found.empty()) return {.reason = "not installed"};
  const auto run = [&](int repetitions, int steps) {
    return bench::run_isolated(found[0].make, found[0].method, problem,
                               {.trace = false, .repetitions = repetitions, .timed_steps = steps}, plan.patience);
  };
  const auto as_cost = [](const bench::RunOutcome& outcome) {
    Cost cost{.finished = outcome.is_timed(), .reason = outcome.reason.data(), .steps = outcome.timed_steps};
    cost.counters = outcome.counters;
    if (cost.finished) cost.seconds = outcome.seconds_per_step();
    return cost;
  };
  const int most = plan.most_steps > 0 ? std::min(plan.most_steps, problem.steps) : problem.steps;
  const int few = std::min(plan.least_steps, most);
  const Cost first = as_cost(run(1, few));
  const double affordable = plan.budget / (plan.repetitions * std::max(first.seconds, 1e-9));
  if (!first.finished || affordable <= few) return first;
  return as_cost(run(plan.repetitions, int(std::min(affordable, double(most)))));
}

}  // namespace polhode::experiments
