#include "view_run.h"

#include <exception>
#include <filesystem>

#include "polhode/format/plots/run_facts.h"
#include "polhode/study/quantity.h"
#include "polhode/version.h"
#include "summary_json.h"
#include "usage.h"

namespace polhode::cli {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Ends a run from within.
struct Stopped {};

}  // namespace

void ViewRun::begin() {
  thread_ = std::thread([this] {
    try {
      failure_ = make(feed_);
    } catch (const Stopped&) {
      failure_ = "stopped by the user";
    } catch (const std::exception& error) {
      failure_ = error.what();
    }
    if (failure_.empty()) {
      done_ = 1;
    } else {
      feed_.append(format::RunStream::status(format::RunState::failed, done_, failure_));
    }
    feed_.finish();
  });
}

void ViewRun::stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void ViewRun::hand_over(format::RunStream& stream, double done) {
  if (stop_) throw Stopped();
  done_ = done;
  if (Clock::now() < next_) return;
  next_ = Clock::now() + 30ms;
  feed_.append(stream.take_rows());
  feed_.append(format::RunStream::status(format::RunState::running, done));
}

SimulatedRun::SimulatedRun(std::shared_ptr<const LoadedModel> model, State start, study::SimulateOptions options,
                           std::string label, std::size_t most_bytes)
    : ViewRun(model->model.file, std::move(label)),
      model_(std::move(model)),
      start_(std::move(start)),
      options_(std::move(options)),
      most_bytes_(most_bytes) {}

std::string SimulatedRun::make(RunFeed& feed) {
  const double begin = start_.time();
  const auto stepper = study::make_stepper(mechanism(), options_);
  const std::vector<study::Quantity> recorded = study::Quantity::select(mechanism(), options_.record);
  std::vector<format::Column> columns;
  for (const study::Quantity& quantity : recorded) columns.push_back({quantity.name(), quantity.unit()});
  std::vector<double> values(recorded.size());
  format::RunStream stream(mechanism(),
                           {.label = feed.label(),
                            .model = std::filesystem::path(file()).filename().string(),  // pages go to other people
                            .method = options_.method,
                            .version = version,
                            .options = told(stepper->resolved_options()),
                            .time_start = begin,
                            .time_end = begin + options_.time,
                            .recorded = std::move(columns)},
                           most_bytes_);
  feed.append(stream.head());
  summary_ = study::simulate(
      *stepper, start_, options_,
      [&](const State& state) {
        for (std::size_t i = 0; i < recorded.size(); ++i) values[i] = recorded[i](state);
        stream.add(state, values);
        hand_over(stream, (state.time() - begin) / options_.time);
      },
      [&](double fraction) { hand_over(stream, fraction); });
  feed.append(stream.take_last_rows());
  if (!summary_.completed) return with_flags(summary_.failure);
  feed.append(format::RunStream::status(format::RunState::finished, 1, stream.left_out(), format::run_facts(summary_)));
  return {};
}

nlohmann::json SimulatedRun::summary() const { return summary_json(summary_); }

}  // namespace polhode::cli
