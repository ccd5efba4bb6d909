#pragma once
#include <atomic>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "load.h"
#include "polhode/format/runs/run_stream.h"
#include "polhode/study/simulate.h"
#include "run_feed.h"

namespace polhode::cli {

/// A run that the viewer shows; its stream is made in a thread of its own.
class ViewRun {
 public:
  virtual ~ViewRun() = default;
  ViewRun(const ViewRun&) = delete;
  ViewRun& operator=(const ViewRun&) = delete;

  void begin();
  /// Ends what is under way, and waits for it.
  void stop();

  const RunFeed& feed() const { return feed_; }
  /// As it was given, for messages.
  const std::string& file() const { return file_; }
  virtual const Mechanism& mechanism() const = 0;
  double done() const { return done_; }

  bool finished() const { return feed_.finished(); }
  /// When finished: what kept the run from its end, in words; empty if nothing did.
  const std::string& failure() const { return failure_; }
  /// The same: what --json has of it.
  virtual nlohmann::json summary() const = 0;

 protected:
  ViewRun(std::string file, std::string label) : file_(std::move(file)), feed_(std::move(label)) {}

  /// Appends head and rows to the feed, and the last status unless it fails; calls hand_over() all the while. Returns what
  /// kept the run from its end.
  virtual std::string make(RunFeed& feed) = 0;
  /// Appends the rows so far, now and then, so that a page shows the first at once and a fast run is not slowed down.
  void hand_over(format::RunStream& stream, double done);

 private:
  std::string file_;
  RunFeed feed_;
  std::string failure_;
  std::atomic<double> done_ = 0;
  std::atomic<bool> stop_ = false;
  std::chrono::steady_clock::time_point next_{};
  std::thread thread_;
};

/// One that is simulated while it is shown.
class SimulatedRun final : public ViewRun {
 public:
  /// The start is to be assembled already, the method one that applies. Bytes of rows beyond the most are left out.
  SimulatedRun(std::shared_ptr<const LoadedModel> model, State start, study::SimulateOptions options, std::string label,
               std::size_t most_bytes);
  ~SimulatedRun() override { stop(); }
  const Mechanism& mechanism() const override { return model_->model.mechanism; }
  nlohmann::json summary() const override;

 private:
  std::string make(RunFeed& feed) override;

  std::shared_ptr<const LoadedModel> model_;
  State start_;
  study::SimulateOptions options_;
  std::size_t most_bytes_;
  study::SimulateSummary summary_;
};

}  // namespace polhode::cli
