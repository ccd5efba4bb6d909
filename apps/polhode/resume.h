#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "polhode/format/language/model.h"
#include "polhode/format/runs/run_record.h"
#include "polhode/study/simulate.h"
#include "run_output.h"

namespace polhode::cli {

/// A run that was stopped before its end, ready to go on.
struct ResumedRun {
  format::Model model;
  State start;
  study::SimulateOptions options;
  std::vector<std::string> track;
  format::RunCheckpoint checkpoint;
};

/// Throws std::invalid_argument that says why a file cannot be resumed: finished and no more time asked for, failed, being
/// written now, of another version. more: how long from where it stopped [s], instead of to its original end.
ResumedRun read_run(const std::string& file, std::optional<double> more);
/// Opens the file for writing after the checkpoint.
RunOutput output_of(const std::string& file, const ResumedRun& run);

/// Refuses, by name, options that the file already has the word on.
void refuse_with_resume(const CLI::App& run_command);

}  // namespace polhode::cli
