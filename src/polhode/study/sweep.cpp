#include "polhode/study/sweep.h"

#include <fmt/format.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>

#include "polhode/study/parallel.h"

namespace polhode::study {
namespace {

using Clock = std::chrono::steady_clock;

/// Of the calling thread, without what other programs took from it [s].
double thread_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// One line, for a cell of a table.
std::string reason(const std::exception& error) {
  std::string text = error.what();
  if (const auto* model = dynamic_cast<const ModelError*>(&error)) {
    text.clear();
    for (const Problem& problem : model->problems()) text += (text.empty() ? "" : "; ") + problem.message;
  }
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

/// Says how far it is, a few times a second, whichever thread comes by.
class SharedProgress {
 public:
  SharedProgress(const Progress& progress, long all) : progress_(progress), all_(all) {}
  void one_more() {
    const long now = ++done_;
    if (!progress_) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || (now < all_ && Clock::now() - shown_ < std::chrono::milliseconds(100))) return;
    shown_ = Clock::now();
    progress_(double(now) / double(all_));
  }

 private:
  const Progress& progress_;
  long all_;
  std::atomic<long> done_ = 0;
  std::mutex mutex_;
  Clock::time_point shown_ = Clock::now();
};

}  // namespace

SweepRun run_once(const StartMaker& make_start, const SweepOptions& options, std::vector<double> values) {
  SweepRun run;
  run.values = std::move(values);
  try {
    const State start = make_start(run.values);
    std::vector<Meter> meters;
    for (const Measure& measure : options.measures) meters.emplace_back(start.mechanism(), measure);
    Reporter report;
    if (!meters.empty())
      report = [&meters](const State& state) {
        for (Meter& meter : meters) meter.add(state);
      };
    Checkpointing stopping;
    stopping.interrupted = options.interrupted;
    SimulateOptions simulation = options.simulate;
    for (const Meter& meter : meters)
      if (meter.quantity().must_be_recorded()) simulation.record.push_back(meter.quantity().name());
    const SimulateSummary s = simulate(start, simulation, report, {}, {}, stopping);
    run.completed = s.completed;
    run.interrupted = s.interrupted;
    run.failure = s.interrupted ? "interrupted" : s.failure;
    run.steps = s.steps.steps;
    run.time_end = s.time_end;
    run.energy_start = s.energy_start, run.energy_end = s.energy_end;
    run.constraint_error = s.constraint_error;
    if (run.completed)
      for (const Meter& meter : meters) run.measures.push_back(meter.value());
  } catch (const std::exception& error) {
    run.completed = false;
    run.failure = reason(error);
  }
  return run;
}

void require_possible(const StartMaker& make_start, const SweepOptions& options, const std::vector<double>& values) {
  if (options.threads < 0)
    throw std::invalid_argument(fmt::format("the number of threads cannot be {}; give 0 or more", options.threads));
  std::optional<State> start;
  try {
    start.emplace(make_start(values));
  } catch (const std::exception&) {
    return;
  }
  for (const Measure& measure : options.measures) Meter(start->mechanism(), measure);
  make_stepper(start->mechanism(), options.simulate);
}

SweepResult sweep(const Plan& plan, const StartMaker& start, const SweepOptions& options, const Progress& progress) {
  require_possible(start, options, plan.values(0));
  SweepResult result;
  result.threads = options.threads > 0 ? options.threads : available_threads();
  const auto n = std::size_t(plan.size());
  result.runs.resize(n);
  std::vector<double> processor_times(n);
  SharedProgress shared(progress, plan.size());

  const Clock::time_point began = Clock::now();
  for_each_index(n, result.threads, [&](std::size_t i) {
    const double before = thread_time();
    SweepRun run;  // written to the shared table once, when it is done, so that threads do not share cache lines meanwhile
    if (options.interrupted && options.interrupted()) {
      run.values = plan.values(long(i));
      run.interrupted = true;
      run.failure = "interrupted before it began";
    } else {
      run = run_once(start, options, plan.values(long(i)));
    }
    result.runs[i] = std::move(run);
    processor_times[i] = thread_time() - before;
    shared.one_more();
  });
  result.wall_time = std::chrono::duration<double>(Clock::now() - began).count();
  for (std::size_t i = 0; i < n; ++i) {
    result.processor_time += processor_times[i];
    result.interrupted += result.runs[i].interrupted ? 1 : 0;
    result.failures += result.runs[i].completed || result.runs[i].interrupted ? 0 : 1;
  }
  return result;
}

}  // namespace polhode::study
