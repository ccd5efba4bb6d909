#include "view_run.h"

#include <chrono>
#include <exception>

#include "polhode/format/run_stream.h"
#include "polhode/version.h"
#include "summary_lines.h"

namespace polhode::cli {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Ends a simulation from within its reports.
struct Stopped {};

format::RunHeader header(const LoadedModel& model, const State& start, const study::SimulateOptions& options,
                         const std::string& label) {
  return {.label = label,
          .model = model.model.file,
          .method = options.method,
          .version = version,
          .options = study::make_stepper(model.model.mechanism, options)->resolved_options(),
          .time_start = start.time(),
          .time_end = start.time() + options.time};
}

}  // namespace

ViewRun::ViewRun(std::shared_ptr<const LoadedModel> model, State start, study::SimulateOptions options, std::string label,
                 std::size_t most_bytes)
    : model_(std::move(model)),
      start_(std::move(start)),
      options_(std::move(options)),
      most_bytes_(most_bytes),
      feed_(std::move(label)) {}

ViewRun::~ViewRun() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void ViewRun::begin() {
  thread_ = std::thread([this] {
    try {
      simulate();
    } catch (const Stopped&) {
      failure_ = "stopped by the user";
    } catch (const std::exception& error) {
      failure_ = error.what();
    }
    if (!failure_.empty()) feed_.append(format::RunStream::status(format::RunState::failed, done_, failure_));
    feed_.finish();
  });
}

void ViewRun::simulate() {
  format::RunStream stream(model_->model.mechanism, header(*model_, start_, options_, feed_.label()), most_bytes_);
  feed_.append(stream.head());
  // Rows go in small heaps, so that a page shows the first at once and a fast run is not slowed down.
  Clock::time_point next = Clock::now();
  const auto hand_over = [&] {
    if (stop_) throw Stopped();
    if (Clock::now() < next) return;
    next = Clock::now() + 30ms;
    feed_.append(stream.take_rows());
    feed_.append(format::RunStream::status(format::RunState::running, done_));
  };
  summary_ = study::simulate(
      start_, options_,
      [&](const State& state) {
        stream.add(state);
        hand_over();
      },
      [&](double fraction) {
        done_ = fraction;
        hand_over();
      });
  feed_.append(stream.take_last_rows());
  if (!summary_.completed) {
    failure_ = summary_.failure;
    return;
  }
  done_ = 1;
  feed_.append(format::RunStream::status(format::RunState::finished, 1, stream.left_out(), summary_lines(summary_)));
}

}  // namespace polhode::cli
