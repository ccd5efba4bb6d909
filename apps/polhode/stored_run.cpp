#include "stored_run.h"

#include <fmt/format.h>

#include <mutex>

#include "polhode/tree/realize.h"

namespace polhode::cli {
namespace {

/// HDF5 as Debian builds it is for one thread at a time.
std::mutex reading;

/// What a run file's summary says, for people; its names are those of `run --json`.
std::vector<std::pair<std::string, std::string>> lines_of(const nlohmann::json& summary) {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto line = [&](const char* field, const char* name, const char* unit) {
    if (!summary.is_object() || !summary.contains(field) || !summary[field].is_number()) return;
    lines.emplace_back(name, fmt::format("{:.9g}{}", summary[field].get<double>(), unit));
  };
  line("steps", "steps", "");
  line("wall_time", "wall time", " s");
  line("energy_start", "energy at the start", " J");
  line("energy_end", "energy at the end", " J");
  line("energy_drift", "energy drift", " J");
  line("constraint_error", "constraint error", "");
  return lines;
}

}  // namespace

StoredRun::StoredRun(const std::string& file, std::string label, std::size_t most_bytes)
    : ViewRun(file, std::move(label)), run_(file), model_(run_.model()), most_bytes_(most_bytes) {
  if (run_.rows() == 0)
    throw std::invalid_argument(fmt::format("{}: the run has no row yet, so there is nothing to show", file));
}

nlohmann::json StoredRun::summary() const {
  const nlohmann::json told = nlohmann::json::parse(run_.summary(), nullptr, false);
  return told.is_object() ? told : nlohmann::json::object();
}

std::string StoredRun::why_it_ends_early() const {
  if (run_.state() == format::RunState::finished) return {};
  if (run_.state() == format::RunState::failed) return run_.message().empty() ? "the run failed" : run_.message();
  return run_.is_being_written() ? "the run is still going on; this is what the file held when it was opened"
                                 : "the run was ended before its time; polhode run --resume continues it";
}

std::string StoredRun::make(RunFeed& feed) {
  State state = tree::initial_state(mechanism());
  std::vector<double> values;
  const auto load = [&](std::size_t row) {
    const std::lock_guard lock(reading);
    run_.load(row, state);
    values = run_.read(row, 1);
  };
  load(0);
  const format::RunRecord& record = run_.record();
  const std::size_t rows = run_.rows();
  format::RunStream stream(mechanism(),
                           {.label = feed.label(),
                            .model = std::filesystem::path(record.model_name).filename().string(),
                            .method = record.method,
                            .version = record.version,
                            .options = record.options,
                            .time_start = state.time(),
                            .time_end = record.time_end,
                            .recorded = run_.columns()},
                           most_bytes_);
  feed.append(stream.head());
  for (std::size_t row = 0; row < rows; ++row) {
    load(row);
    tree::realize(state, Stage::velocity);
    stream.add(state, values);
    hand_over(stream, double(row) / double(rows));
  }
  feed.append(stream.take_last_rows());
  const std::string early = why_it_ends_early();
  if (early.empty())
    feed.append(format::RunStream::status(format::RunState::finished, 1, stream.left_out(), lines_of(summary())));
  return early;
}

}  // namespace polhode::cli
