#include "minimum_reporter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace polhode::bench {

void Progress::tick(const std::string& what) {
  ++done_;
  if (isatty(STDERR_FILENO)) {
    fmt::print(stderr, "\r{:>4} of {}  {:<40}", done_, total_, what);
    std::fflush(stderr);
  } else if (const int tenth = std::max(1, total_ / 10); done_ % tenth == 0) {
    fmt::print(stderr, "{} of {} runs done\n", done_, total_);
  }
}

void Progress::finish() const {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r{:60}\r", "");
}

void MinimumReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration) continue;  // means and deviations: not wanted here
    if (run.error_occurred) {
      fmt::print(stderr, "{}: {}\n", run.benchmark_name(), run.error_message);
      continue;
    }
    // Real time, not that of this thread, so that an engine with worker threads gains nothing from hiding them.
    results_.record(cases_.at(run.run_name.function_name), run.real_accumulated_time / static_cast<double>(run.iterations));
  }
}

}  // namespace polhode::bench
