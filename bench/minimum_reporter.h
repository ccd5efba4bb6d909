#pragma once
/// What stands between Google Benchmark and Results.

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

#include "results.h"

namespace polhode::bench {

/// Says on stderr how far the measuring is.  Google Benchmark reports a case only when its last repetition is done,
/// which with interleaving is near the end, so the measured functions themselves call `tick`.
class Progress {
 public:
  explicit Progress(int total) : total_(total) {}
  void tick(const std::string& what);
  void finish() const;

 private:
  int total_;
  int done_ = 0;
};

/// Keeps the least time per iteration over the repetitions of each case; prints nothing unless a case fails.
class MinimumReporter final : public benchmark::BenchmarkReporter {
 public:
  /// `cases`: what each benchmark name stands for.
  MinimumReporter(std::map<std::string, Case> cases, Results& results) : cases_(std::move(cases)), results_(results) {}

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override;

 private:
  std::map<std::string, Case> cases_;
  Results& results_;
};

}  // namespace polhode::bench
