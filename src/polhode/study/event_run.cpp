#include "polhode/study/event_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/study/settle.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

constexpr std::size_t too_many = 1000;  // events in no time
constexpr double most_scheduled = 1e7;  // of one event in a run
constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

double EventRun::Schedule::time() const {
  if (period > 0) return from + double(next) * period;  // multiples, not sums: these would drift
  return std::size_t(next) < times.size() ? times[std::size_t(next)] : never;
}

EventRun::EventRun(std::vector<Event> events, const State& start, double accuracy, double run_time)
    : events_((validate(events), std::move(events))),
      search_(events_, start.mechanism(), accuracy),
      shortest_(1e-6 * run_time),
      before_call_(start),
      before_all_(start) {
  if (!events_.empty()) {
    memory_.emplace(start.mechanism());
    records_.reserve(most_records);
    latest_.reserve(too_many);
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    counts_.push_back({events_[i].name, 0, 0, 0});
    has_every_step_ = has_every_step_ || std::holds_alternative<EveryStep>(events_[i].when);
    Schedule schedule{int(i), {}, 0, 0, 0};
    if (const auto* at = std::get_if<AtTimes>(&events_[i].when)) {
      schedule.times = at->times;
      std::sort(schedule.times.begin(), schedule.times.end());
      schedule.times.erase(std::unique(schedule.times.begin(), schedule.times.end()), schedule.times.end());
      // A run that goes on from a later time has some behind it; before 0 s there is none.
      if (!schedule.times.empty() && schedule.times.front() < std::min(0.0, start.time()))
        throw std::invalid_argument(fmt::format("event \"{}\": time {} s is before the start of the run, so it never comes",
                                                events_[i].name, schedule.times.front()));
    } else if (const auto* every = std::get_if<EveryPeriod>(&events_[i].when)) {
      // Times that cannot be told apart would be waited for without end.
      const double reach = std::max({std::abs(start.time()), std::abs(start.time() + run_time), std::abs(every->from)});
      if (every->period < 4 * std::numeric_limits<double>::epsilon() * reach)
        throw std::invalid_argument(fmt::format("event \"{}\": period {} s is too small: times near {} s cannot be told apart",
                                                events_[i].name, every->period, reach));
      if (run_time / every->period > most_scheduled)
        throw std::invalid_argument(fmt::format(
            "event \"{}\": period {} s is too small: it would happen {:.2g} times in a run of {} s, {:g} are allowed",
            events_[i].name, every->period, run_time / every->period, run_time, most_scheduled));
      schedule.period = every->period, schedule.from = every->from;
      schedule.next = std::max(0L, long(std::floor((start.time() - every->from) / every->period)));
    } else {
      continue;
    }
    while (schedule.time() < start.time()) ++schedule.next;
    schedules_.push_back(std::move(schedule));
  }
}

std::string EventRun::label(int event) const { return fmt::format("event \"{}\"", events_[std::size_t(event)].name); }

bool EventRun::reads_work() const {
  return std::any_of(events_.begin(), events_.end(), [](const Event& event) {
    const auto* trigger = std::get_if<Trigger>(&event.when);
    return trigger != nullptr && trigger->reads_work;
  });
}

const EventRun::Instant& EventRun::begin(State& state) {
  if (!search_.empty()) search_.start(state);
  end_handled_ = state.time();
  due(state.time(), false);
  return instant_;
}

double EventRun::limit(double t_end) const {
  for (const Schedule& schedule : schedules_) t_end = std::min(t_end, schedule.time());
  return t_end;
}

/// What is scheduled for this time or before it, and, if asked for, what happens after every step.
void EventRun::due(double t, bool every_step) {
  Instant& instant = instant_;
  instant.t = t, instant.at_end = true;
  instant.events.clear();
  for (Schedule& schedule : schedules_) {
    if (schedule.time() > t) continue;
    instant.events.push_back(schedule.event);
    while (schedule.time() <= t) ++schedule.next;
  }
  for (std::size_t i = 0; every_step && i < events_.size(); ++i)
    if (std::holds_alternative<EveryStep>(events_[i].when)) instant.events.push_back(int(i));
  std::sort(instant.events.begin(), instant.events.end());
}

const EventRun::Instant& EventRun::next(const Stepper& stepper, double t0, const State& of_run) {
  const TriggerSearch::Crossed& crossed = search_.next(stepper, t0, of_run);
  const bool before_end = !crossed.events.empty() && crossed.t < stepper.time();
  if (before_end || end_handled_ >= stepper.time()) {
    instant_.t = before_end ? crossed.t : stepper.time();
    instant_.at_end = !before_end;
    instant_.events = crossed.events;
    return instant_;
  }
  end_handled_ = stepper.time();
  due(stepper.time(), has_every_step_);
  instant_.events.insert(instant_.events.end(), crossed.events.begin(), crossed.events.end());
  std::sort(instant_.events.begin(), instant_.events.end());
  return instant_;
}

void EventRun::note(int event, double t, const std::string& text) {
  EventCount& count = counts_[std::size_t(event)];
  if (count.count++ == 0) count.first = t;
  count.last = t;
  ++happened_;
  if (records_.size() < most_records) records_.push_back({t, event, text});
}

void EventRun::remember(Memory& memory) {
  search_.remember(memory);
  for (Schedule& schedule : schedules_) memory(schedule.next);
  memory(end_handled_, latest_, oldest_, happened_, records_);
  for (EventCount& count : counts_) memory(count.count, count.first, count.last);
}

void EventRun::watch_for_chattering(int event, double t) {
  if (latest_.size() < too_many) {
    latest_.push_back(t);
    return;
  }
  latest_[oldest_] = t;
  oldest_ = (oldest_ + 1) % too_many;
  const double first = latest_[oldest_];
  if (t - first > shortest_) return;
  throw EventFailure(fmt::format(
      "t = {:.9g} s: {} events have happened within {:.2g} s, {} the last of them; their handlers trigger each other "
      "without end. Make one of them wait, or hold the motion by a constraint or a lock",
      t, too_many, t - first, label(event)));
}

void EventRun::call(int event, State& state, Result& result) {
  const double t = state.time();
  EventAction action;
  const auto fail = [&](const std::string& why) {
    return EventFailure(fmt::format("t = {:.9g} s: {}: {}", t, label(event), why));
  };
  if (const Handler& handle = events_[std::size_t(event)].handle) {
    State& before = before_call_;
    before = state;
    try {
      tree::realize(state, memory_->workspace, Stage::velocity);
      action = handle(state);
      settle(before, state, *memory_);
    } catch (const EventFailure& error) {
      state = before;
      throw fail(error.what());
    } catch (const std::exception& error) {
      state = before;
      throw fail(fmt::format("its handler failed: {}", error.what()));
    } catch (...) {
      state = before;
      throw fail("its handler threw something that is not a std::exception");
    }
  }
  note(event, t, action.text);
  if (!action.stop || result.stop) return;
  result.stop = true;
  result.reason = fmt::format("{} at t = {:.9g} s{}", label(event), t, action.text.empty() ? "" : ": " + action.text);
}

EventRun::Result EventRun::handle(const Instant& instant, State& state) {
  Result result;
  now_ = instant.events;
  while (!now_.empty()) {
    before_all_ = state;
    for (const int event : now_) {
      call(event, state, result);
      if (std::holds_alternative<Trigger>(events_[std::size_t(event)].when)) watch_for_chattering(event, state.time());
    }
    if (!differ(before_all_, state)) break;
    result.changed = true;
    if (search_.empty()) break;
    search_.resume(state, now_, then_);
    std::swap(now_, then_);
  }
  return result;
}

}  // namespace polhode::study
