#pragma once
/// Polhode beside Simbody on one problem, one accuracy at a time: cost, and error against a reference.

#include <optional>
#include <vector>

#include "subject.h"

namespace polhode::bench {

bool simbody_is_there();

/// One engine in a race.
struct Lane {
  bool finished = false;
  double seconds = 0;  // for the problem's time, the least of all rounds
  long steps = 0, evaluations = 0;
  double error = 0;  // after the problem's error time: the largest distance of a link's centre from where it belongs [m]
};

struct Race {
  LoopProblem problem;
  double accuracy;
  Lane ours;
  std::optional<Lane> theirs;  // nothing where Simbody is not installed

  std::optional<double> ratio() const;        // their time over ours
  std::optional<double> error_ratio() const;  // our error over theirs
};

/// The largest distance between links of two runs [m].
double distance(const ProjectedRun& a, const ProjectedRun& b);
/// rk8 at 1e-13: what is left is rounding.
ProjectedRun reference_run(const LoopProblem& problem);

Race hold_race(const LoopProblem& problem, double accuracy, int rounds);

/// Every integrator of ours over the problem's error time.
struct IntegratorRun {
  std::string integrator;
  Lane lane;
};
std::vector<IntegratorRun> try_integrators(const LoopProblem& problem, double accuracy, int rounds);

}  // namespace polhode::bench
