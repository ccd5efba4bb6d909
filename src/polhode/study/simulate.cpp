#include "polhode/study/simulate.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "polhode/mechanism/conservation.h"
#include "polhode/study/run_loop.h"
#include "polhode/study/start.h"
#include "polhode/version.h"

namespace polhode::study {
namespace {

/// What is known of a run before its first step.
SimulateSummary summary_of_start(const Stepper& stepper, const State& start) {
  SimulateSummary summary;
  summary.method = stepper.method();
  summary.version = version;
  summary.conservative = keeps_energy(start.mechanism());
  summary.time_start = start.time();
  if (!stepper.driving_forces().empty())
    for (const DrivenSpeed& d : start.mechanism().driven())
      if (d.drive != Drive::fast)
        summary.largest_drives.emplace_back(d.q >= 0 ? start.mechanism().coordinate_names()[std::size_t(d.q)]
                                                     : start.mechanism().speed_names()[std::size_t(d.u)],
                                            0.0);
  return summary;
}

}  // namespace

SimulateSummary simulate(Stepper& stepper, const State& given, const SimulateOptions& options, const Reporter& report,
                         const Progress& progress, const std::vector<Event>& events, const Checkpointing& checkpointing) {
  if (const std::string why = objection_to_times(given.time(), options); !why.empty()) throw std::invalid_argument(why);
  State start = given;
  if (!checkpointing.from) assemble_start(start);
  require_supported(method_named(options.method), start);
  stepper.set(start);

  SimulateSummary summary = summary_of_start(stepper, start);
  const auto began = std::chrono::steady_clock::now();
  RunLoop(start, options, stepper, summary, report, progress, events, checkpointing).go();
  summary.completed = summary.failure.empty() && !summary.interrupted;
  summary.time_end = stepper.time();
  summary.options = stepper.resolved_options();  // after the run: what a method finds out for itself may change at an event
  summary.steps = stepper.statistics();
  summary.counters = stepper.counters();
  summary.wall_time += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  summary.real_time_factor = (summary.time_end - summary.time_start) / std::max(summary.wall_time, 1e-9);
  return summary;
}

SimulateSummary simulate(const State& start, const SimulateOptions& options, const Reporter& report, const Progress& progress,
                         const std::vector<Event>& events, const Checkpointing& checkpointing) {
  const auto stepper = make_stepper(start.mechanism(), options);
  return simulate(*stepper, start, options, report, progress, events, checkpointing);
}

}  // namespace polhode::study
