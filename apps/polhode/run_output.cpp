#include "run_output.h"

#include <fmt/format.h>

#include "polhode/format/runs/csv.h"
#include "polhode/version.h"
#include "run_record.h"
#include "run_settings.h"
#include "stop_request.h"

namespace polhode::cli {

RunOutput::RunOutput(const std::string& file, const format::RunRecord& record, const Mechanism& mechanism,
                     const std::vector<int>& tracked, const std::vector<study::Quantity>& recorded) {
  if (file.ends_with(".h5")) {
    auto run_file = std::make_unique<format::RunFileWriter>(file, record, mechanism, tracked, recorded);
    run_file_ = run_file.get();
    writer_ = std::move(run_file);
  } else {
    writer_ = std::make_unique<format::CsvWriter>(file, mechanism, tracked, recorded);
  }
}

RunOutput::RunOutput(std::unique_ptr<format::RunFileWriter> resumed) : run_file_(resumed.get()) {
  writer_ = std::move(resumed);
}

void RunOutput::write(const State& state) const {
  if (writer_) writer_->write(state);
}

study::Checkpointing RunOutput::checkpointing() const {
  study::Checkpointing result;
  result.interrupted = StopRequest::asked;
  if (run_file_ == nullptr) return result;
  result.wanted = [file = run_file_] { return file->wants_checkpoint(); };
  result.keep = [file = run_file_](const std::string& bytes) { file->checkpoint(bytes); };
  return result;
}

void RunOutput::finish(const study::SimulateSummary& s, const std::string& json) const {
  if (!run_file_) {
    if (writer_) writer_->close();
    return;
  }
  using format::RunState;
  const RunState state = s.completed ? RunState::finished : s.interrupted ? RunState::running : RunState::failed;
  run_file_->finish(state, s.interrupted ? fmt::format("interrupted at t = {:.9g} s", s.time_end) : s.failure, json);
}

format::RunRecord record_of(const format::Model& model, const format::ParameterValues& set,
                            const std::vector<std::string>& track, const study::SimulateOptions& options, double start,
                            const ResolvedOptions& in_force) {
  format::RunRecord record;
  record.model_text = model.text;
  record.model_name = model.file;
  record.model_files = model.files;
  record.parameters = set;
  record.method = options.method;
  for (const ResolvedOption& option : in_force) record.options.emplace_back(option.name, text_of(option.value));
  record.settings = words_of(options);
  record.version = version;
  record.date = date();
  record.command_line = command_line();
  record.tracked = track;
  record.time_end = start + options.time;
  return record;
}

}  // namespace polhode::cli
