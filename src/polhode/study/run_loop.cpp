#include "polhode/study/run_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/study/failure.h"
#include "polhode/study/settle.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What a program adds comes after what the model has.
std::vector<Event> all_events(const Mechanism& mechanism, const std::vector<Event>& further) {
  std::vector<Event> all = events_of(mechanism);
  all.insert(all.end(), further.begin(), further.end());
  return all;
}

}  // namespace

RunLoop::RunLoop(const State& start, const SimulateOptions& options, Stepper& stepper, SimulateSummary& summary,
                 const Reporter& report, const Progress& progress, const std::vector<Event>& events,
                 const Checkpointing& checkpointing)
    : options_(options),
      method_(method_named(options.method)),
      checkpointing_(checkpointing),
      stepper_(stepper),
      summary_(summary),
      progress_(progress),
      inputs_(start.mechanism(), options.inputs, fixed_step(options)),
      inputs_now_(start.inputs().begin(), start.inputs().end()),
      events_(all_events(start.mechanism(), events), start, options.options.number("accuracy").value_or(1e-6), options.time),
      recorded_(Quantity::select(start.mechanism(), options.record)),
      account_(
          start, summary, report, recorded_.empty() ? Account::Preparer() : [this](State& state) { return record(state); }),
      state_(start),
      set_(start),
      before_(start),
      t_end_(start.time() + options.time) {
  for (const Quantity& quantity : recorded_) summary_.recorded.push_back({quantity.name(), quantity.unit()});
  if (!recorded_.empty()) for_recording_.emplace(start.mechanism());
  const auto is_work = [](const Quantity& quantity) { return quantity.is_work(); };
  if (events_.reads_work() || std::any_of(recorded_.begin(), recorded_.end(), is_work)) {
    work_.emplace(start.mechanism(), stepper);
    events_.watch_work(*work_);
  }
}

void RunLoop::go() {
  try {
    checkpointing_.from ? go_on() : begin();
    while (is_going() && stepper_.time() < t_end_) advance();
  } catch (const EventFailure& failure) {
    summary_.failure = failure.what();
  }
  if (checkpointing_.keep && summary_.failure.empty()) checkpointing_.keep(remembered());
  stepper_.get(state_);
  if (at_steps()) account_.measure(state_);
  // A run that is interrupted goes on from there some day: its table has no row for it, but its summary is up to there.
  if (summary_.interrupted) account_.measure(state_);
  if (!at_end_ && !summary_.interrupted) account_.add(state_);
  if (progress_) progress_(summary_.stopped_by.empty() ? done() : 1);
  summary_.event_counts = events_.counts();
  summary_.event_records = events_.records();
  summary_.events = events_.happened();
}

/// Into the summary; false where a number is none.
bool RunLoop::record(State& state) {
  tree::realize(state, *for_recording_, stage_of(recorded_));
  if (work_) work_->advance(state);
  for (std::size_t i = 0; i < recorded_.size(); ++i) {
    const double value = recorded_[i](state);
    RecordedRange& range = summary_.recorded[i];
    if (!std::isfinite(value)) {
      summary_.failure = fmt::format("t = {:.9g} s: {} is {}, which is not a finite number", state.time(), range.name, value);
      return false;
    }
    const bool first = summary_.reports == 0;
    range.least = first ? value : std::min(range.least, value);
    range.greatest = first ? value : std::max(range.greatest, value);
    range.last = value;
  }
  return true;
}

void RunLoop::sum_work_of_step() {
  if (!work_ || work_->time() == stepper_.time()) return;
  stepper_.get(state_);
  work_->advance(state_);
}

void RunLoop::begin() {
  if (work_) work_->go_on_from(state_);
  if (const EventRun::Instant& instant = events_.begin(state_); !instant.empty()) handle(instant);
  set_inputs();
  balance_fast();
  if (work_) work_->go_on_from(state_);
  account_.add(state_);
  while (next_report() <= summary_.time_start) ++reported_;  // the start has been reported
  if (checkpointing_.keep) checkpointing_.keep(remembered());
}

void RunLoop::advance() {
  const double t0 = stepper_.time();
  set_inputs();
  const StepReport step = stepper_.step(std::min(events_.limit(t_end_), inputs_.next_break(t0)));
  if (!step.ok()) {
    summary_.failure = failure_of(stepper_, state_.mechanism(), step);
    return;
  }
  note_drives();
  if (!handle_events_of_step(t0)) report_through(step.t);
  if (is_going() && by_step() && stepper_.statistics().steps % options_.every == 0) {
    stepper_.get(state_);
    account_.add(state_);
    at_end_ = stepper_.time() >= t_end_;
  }
  if (is_going() && at_steps()) {
    stepper_.get(state_);
    account_.measure(state_);
  }
  if (is_going()) sum_work_of_step();
  if (is_going()) checkpoint();
  if (progress_ && seconds_since(last_shown_) > 0.1) {
    last_shown_ = Clock::now();
    progress_(done());
  }
}

/// Of the table, for the next step.
void RunLoop::set_inputs() {
  if (inputs_.empty()) return;
  inputs_.put(stepper_.time(), inputs_now_);
  stepper_.set_inputs(inputs_now_);
}

void RunLoop::note_drives() {
  if (summary_.largest_drives.empty()) return;
  auto largest = summary_.largest_drives.begin();
  for (const DrivenSpeed& d : state_.mechanism().driven()) {
    if (d.drive == Drive::fast) continue;
    largest->second = std::max(largest->second, std::abs(stepper_.driving_forces()[std::size_t(d.u)]));
    ++largest;
  }
}

void RunLoop::set(const State& state) {
  require_supported(method_, state);
  stepper_.set(state);
  set_ = state;
}

/// The stepper is set as it was last, and then told what its steps since then have left in it.
void RunLoop::remember(Memory& memory) {
  memory(set_);
  if (memory.restores()) stepper_.set(set_);
  stepper_.remember(memory);
  double spent = summary_.wall_time + seconds_since(began_);
  double end = t_end_;
  memory(state_, reported_, at_end_, summary_.stopped_by, end, spent);
  if (memory.restores()) summary_.wall_time = spent;
  if (end != t_end_) {  // the run is to go on beyond its former end
    at_end_ = false;
    summary_.stopped_by.clear();
  }
  account_.remember(memory);
  events_.remember(memory);
  for (RecordedRange& range : summary_.recorded) memory(range.least, range.greatest, range.last);
  if (work_) work_->remember(memory);
}

std::string RunLoop::remembered() {
  Memory memory;
  remember(memory);
  return memory.bytes();
}

void RunLoop::go_on() {
  Memory memory(*checkpointing_.from);
  remember(memory);
  if (!memory.at_end()) throw std::runtime_error("the checkpoint belongs to another model or version");
}

void RunLoop::checkpoint() {
  if (checkpointing_.keep && checkpointing_.wanted && checkpointing_.wanted()) checkpointing_.keep(remembered());
  if (checkpointing_.interrupted && checkpointing_.interrupted()) summary_.interrupted = true;
}

/// True when one of them changed the state or ended the run, so that the step does not stand as it was.
bool RunLoop::handle_events_of_step(double t0) {
  if (events_.empty()) return false;
  for (;;) {
    const EventRun::Instant& instant = next_instant(t0);
    if (instant.empty()) return false;
    report_before(instant.t);
    if (!summary_.failure.empty()) return true;
    stepper_.interpolate(instant.t, state_);
    if (handle(instant)) return true;
  }
}

const EventRun::Instant& RunLoop::next_instant(double t0) {
  try {
    return events_.next(stepper_, t0, state_);
  } catch (const EventFailure& failure) {
    if (failure.time) {  // the rest of the step has not happened
      stepper_.interpolate(*failure.time, state_);
      if (work_) work_->advance(state_);
      set(state_);
    }
    throw;
  }
}

/// Fast coordinates are in balance as soon as the stepper has a state.
void RunLoop::balance_fast() {
  if (std::count(state_.drives().begin(), state_.drives().end(), Drive::fast) > 0) stepper_.get(state_);
}

/// The state is that of the instant. True when the step does not stand.
bool RunLoop::handle(const EventRun::Instant& instant) {
  if (work_) work_->advance(state_);
  before_ = state_;
  EventRun::Result result;
  try {
    result = events_.handle(instant, state_);
    if (!result.changed && !result.stop) return false;
    go_on_after(instant, result.changed);
    balance_fast();
    if (work_) work_->go_on_from(state_);
  } catch (...) {
    set(before_);  // what was reached is kept, and nothing beyond it
    throw;
  }
  if (result.changed) account_.jump(before_, state_);
  if (result.stop) summary_.stopped_by = result.reason;
  report_now();
  return true;
}

/// Where a step has ended and its event has changed what acts from outside alone, the method goes on as it is.
void RunLoop::go_on_after(const EventRun::Instant& instant, bool changed) {
  if (changed && instant.at_end && differ_outside_only(before_, state_)) {
    stepper_.set_inputs(state_.inputs());
    stepper_.set_applied_forces(state_.applied_forces());
    return;
  }
  try {
    set(state_);
  } catch (const std::exception& error) {
    throw EventFailure(fmt::format("t = {:.9g} s: after event \"{}\" the run cannot go on: {}", instant.t,
                                   events_.counts()[std::size_t(instant.events.front())].name, error.what()));
  }
}

double RunLoop::next_report() const {
  if (options_.interval && options_.times.empty()) return summary_.time_start + double(reported_ + 1) * *options_.interval;
  return reported_ < long(options_.times.size()) ? options_.times[std::size_t(reported_)]
                                                 : std::numeric_limits<double>::infinity();
}

void RunLoop::report(double at) {
  at_steps() ? account_.report(state_) : account_.add(state_);
  at_end_ = at >= t_end_ - slack();
  ++reported_;
}

/// From the last step, as it was taken.
void RunLoop::report_before(double t) {
  while (next_report() < t - slack() && summary_.failure.empty()) {
    stepper_.interpolate(next_report(), state_);
    report(next_report());
  }
}

void RunLoop::report_through(double t) {
  while (next_report() <= t + slack() && summary_.failure.empty()) {
    stepper_.interpolate(next_report(), state_);
    report(next_report());
  }
}

/// The state that events have left.
void RunLoop::report_now() {
  while (next_report() <= state_.time() + slack() && summary_.failure.empty()) report(next_report());
}

}  // namespace polhode::study
