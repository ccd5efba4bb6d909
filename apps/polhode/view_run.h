#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "load.h"
#include "polhode/study/simulate.h"
#include "run_feed.h"

namespace polhode::cli {

/// A run that the viewer shows: simulated in a thread of its own, its stream growing meanwhile.
class ViewRun {
 public:
  /// The start is to be assembled already, the method one that applies. Bytes of rows beyond the most are left out.
  ViewRun(std::shared_ptr<const LoadedModel> model, State start, study::SimulateOptions options, std::string label,
          std::size_t most_bytes);
  /// Stops a simulation that is under way.
  ~ViewRun();
  ViewRun(const ViewRun&) = delete;
  ViewRun& operator=(const ViewRun&) = delete;

  void begin();
  const RunFeed& feed() const { return feed_; }
  const LoadedModel& model() const { return *model_; }
  double done() const { return done_; }
  bool finished() const { return feed_.finished(); }

  /// When finished.
  const study::SimulateSummary& summary() const { return summary_; }
  /// The same: what stopped it before its time, in words; empty if nothing did.
  const std::string& failure() const { return failure_; }

 private:
  void simulate();

  std::shared_ptr<const LoadedModel> model_;
  State start_;
  study::SimulateOptions options_;
  std::size_t most_bytes_;
  RunFeed feed_;
  study::SimulateSummary summary_;
  std::string failure_;
  std::atomic<double> done_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace polhode::cli
