#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "polhode/study/plan.h"
#include "polhode/study/quantity.h"
#include "polhode/study/simulate.h"

/// Many runs of one model with different values, on all cores.
namespace polhode::study {

/// Makes the state that a run starts from, of a mechanism with these values; called from several threads at once. What it
/// throws is the reason why the run failed.
using StartMaker = std::function<State(std::span<const double> values)>;

/// How to run each of them, and what to measure.
struct SweepOptions {
  SimulateOptions simulate{};       ///< for every run
  std::vector<Measure> measures{};  ///< of every run
  int threads = 0;                  ///< 0: as many as there are cores
  /// True as soon as runs are to end; asked at every step, by all threads.
  std::function<bool()> interrupted{};
};

/// One run.
struct SweepRun {
  std::vector<double> values;                   ///< of the plan's variables
  bool completed = false, interrupted = false;  ///< how it ended
  std::string failure;                          ///< in words, when not completed
  long steps = 0;                               ///< that it took
  double time_end = 0;                          ///< what was reached [s]
  double energy_start = 0, energy_end = 0;      ///< [J]
  double constraint_error = 0;                  ///< largest at reports
  std::vector<double> measures;                 ///< of a completed run, in the order asked for; else empty
};

/// One run with these values. What goes wrong is its `failure`.
SweepRun run_once(const StartMaker& start, const SweepOptions& options, std::vector<double> values);
/// Finds what no run can do before a thousand of them say it: throws std::invalid_argument for options or measures that no run
/// could have. A run that cannot start with these values says nothing about others.
void require_possible(const StartMaker& start, const SweepOptions& options, const std::vector<double>& values);

/// All runs.
struct SweepResult {
  std::vector<SweepRun> runs;                ///< in the plan's order; the same whatever the number of threads, bit for bit
  long failures = 0;                         ///< those that were interrupted are not among them
  long interrupted = 0;                      ///< runs that were asked to end, or did not begin because of that
  int threads = 0;                           ///< that were used
  double wall_time = 0, processor_time = 0;  ///< of all runs together [s]
};

/// A run that fails is an entry with its reason. Throws std::invalid_argument for options or measures that no run could have.
SweepResult sweep(const Plan& plan, const StartMaker& start, const SweepOptions& options, const Progress& progress = {});

}  // namespace polhode::study
