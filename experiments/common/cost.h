#pragma once
#include <string>

#include "../../bench/step/run.h"

/// What a step costs, without following the motion.
namespace polhode::experiments {

struct Cost {
  bool finished = false;
  std::string reason{};  ///< why not
  double seconds = 0;    ///< per step of the problem
  int steps = 0;         ///< that were timed
  bench::StepCounters counters{};

  double iterations_per_step() const { return steps > 0 ? double(counters.newton_iterations) / steps : 0; }
};

struct CostPlan {
  double budget = 1;     ///< wall time that all timed steps together may take, about [s]
  int repetitions = 3;   ///< the fastest of which count
  double patience = 20;  ///< wall time after which an engine counts as unable, setting up included [s]
  int least_steps = 5;   ///< even if they take longer
  int most_steps = 0;    ///< so that all sizes are timed over the same motion; 0: the problem's
};

/// A few steps tell how many more the budget allows, at most the problem's own; these are timed from the start of the motion,
/// in a child process.
Cost cost_of(const std::string& entrant, const bench::Problem& problem, const CostPlan& plan);

}  // namespace polhode::experiments
