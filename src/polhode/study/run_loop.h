#pragma once
#include <chrono>

#include "polhode/study/account.h"
#include "polhode/study/event_run.h"
#include "polhode/study/quantity.h"
#include "polhode/study/simulate.h"
#include "polhode/study/work_meter.h"

namespace polhode::study {

/// One simulation: steps, the events in them, and reports, which disturb neither. For simulate() only.
class RunLoop {
 public:
  /// The stepper is set to the start. All but the start must outlive the loop.
  RunLoop(const State& start, const SimulateOptions& options, Stepper& stepper, SimulateSummary& summary,
          const Reporter& report, const Progress& progress, const std::vector<Event>& events,
          const Checkpointing& checkpointing);

  /// To the end of the run, into the summary.
  void go();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_going() const { return summary_.failure.empty() && summary_.stopped_by.empty() && !summary_.interrupted; }
  double done() const { return (stepper_.time() - summary_.time_start) / options_.time; }
  void begin();
  void advance();
  void set_inputs();
  void note_drives();
  // What is recorded.
  bool record(State& state);
  void sum_work_of_step();
  void set(const State& state);

  // Checkpoints.
  void remember(Memory& memory);
  std::string remembered();
  void go_on();
  void checkpoint();

  // Events.
  bool handle_events_of_step(double t0);
  const EventRun::Instant& next_instant(double t0);
  bool handle(const EventRun::Instant& instant);
  void go_on_after(const EventRun::Instant& instant, bool changed);
  void balance_fast();

  // Reports at multiples of the interval, or at given times; a little rounding must not lose the one that falls on the end.
  bool by_step() const { return !options_.interval && options_.times.empty(); }
  /// The account is kept apart from the reports.
  bool at_steps() const { return options_.account_at_steps && !by_step(); }
  double next_report() const;
  double slack() const { return options_.times.empty() ? 1e-9 * options_.interval.value_or(0) : 1e-12 * options_.time; }
  void report(double at);
  void report_before(double t);
  void report_through(double t);
  void report_now();

  const SimulateOptions& options_;
  const MethodEntry& method_;
  const Checkpointing& checkpointing_;
  Stepper& stepper_;
  SimulateSummary& summary_;
  const Progress& progress_;
  InputSchedule inputs_;
  std::vector<double> inputs_now_;  // by input
  EventRun events_;
  std::vector<Quantity> recorded_;
  std::optional<WorkMeter> work_;                 // where work is recorded, or watched
  std::optional<tree::Workspace> for_recording_;  // where anything is recorded
  Account account_;
  State state_, set_, before_;  // set_: as the stepper was set last; before_: an event
  double t_end_;
  long reported_ = 0;    // intervals
  bool at_end_ = false;  // the last state has been reported
  Clock::time_point began_ = Clock::now(), last_shown_ = began_;
};

}  // namespace polhode::study
