#pragma once
#include <optional>

#include "polhode/study/events.h"
#include "polhode/study/trigger_search.h"
#include "polhode/tree/assembly_memory.h"

namespace polhode::study {

/// The events of one run: which are due when, and handling them.
///
/// Steps end exactly at scheduled times, so limit() goes to the stepper. After a step, next() gives the instants of that step
/// one after the other, the earliest first; handle() calls the handlers of one, in the order in which the events were declared.
/// What one handler does may trigger other events, which then happen at the same instant, after it.
class EventRun {
 public:
  /// Everything that happens at one time.
  struct Instant {
    double t = 0;
    bool at_end = false;  ///< of the step
    std::vector<int> events;
    bool empty() const { return events.empty(); }
  };
  struct Result {
    bool changed = false, stop = false;
    std::string reason;  ///< why it stopped
  };
  static constexpr std::size_t most_records = 1000;

  EventRun(std::vector<Event> events, const State& start, double accuracy, double run_time);
  EventRun(const EventRun&) = delete;

  bool empty() const { return events_.empty(); }
  /// A witness reads work, which the run then sums up and lets be watched.
  bool reads_work() const;
  void watch_work(WorkMeter& work) { search_.watch_work(work); }
  /// What is scheduled for the start itself; must be called first.
  const Instant& begin(State& state);
  /// The next scheduled time, if it is before t_end.
  double limit(double t_end) const;
  /// In the step that the stepper took last, from t0 on. The state's values that steps do not change must be those of the run.
  const Instant& next(const Stepper& stepper, double t0, const State& of_run);
  /// Throws EventFailure when the run cannot go on.
  Result handle(const Instant& instant, State& state);

  /// What has happened so far and what is to come, to be kept or given back.
  void remember(Memory& memory);

  const std::vector<EventCount>& counts() const { return counts_; }
  const std::vector<EventRecord>& records() const { return records_; }
  long happened() const { return happened_; }

 private:
  /// When a scheduled event happens next.
  struct Schedule {
    int event;
    std::vector<double> times;  ///< sorted; for periods empty
    double period = 0, from = 0;
    long next = 0;  ///< which of them
    double time() const;
  };
  void due(double t, bool every_step);
  void call(int event, State& state, Result& result);
  void note(int event, double t, const std::string& text);
  void watch_for_chattering(int event, double t);
  std::string label(int event) const;

  std::vector<Event> events_;
  TriggerSearch search_;
  std::optional<tree::AssemblyMemory> memory_;  ///< where there are events
  double shortest_;                             ///< for so many events as chattering_ has [s]
  std::vector<Schedule> schedules_;
  bool has_every_step_ = false;
  double end_handled_ = 0;      ///< the end of the last step whose scheduled events were given
  std::vector<double> latest_;  ///< times of triggered events: when it is full, a ring that begins at oldest_
  std::size_t oldest_ = 0;
  std::vector<EventCount> counts_;
  std::vector<EventRecord> records_;
  long happened_ = 0;
  // What events share, so that one that happens allocates nothing.
  Instant instant_;
  std::vector<int> now_, then_;
  State before_call_, before_all_;
};

}  // namespace polhode::study
