#pragma once
#include <memory>
#include <string>
#include <vector>

#include "polhode/format/language/model.h"
#include "polhode/format/runs/run_file_writer.h"
#include "polhode/format/runs/run_record.h"
#include "polhode/study/simulate.h"

namespace polhode::cli {

/// What a run writes while it goes on: nothing, a table (.csv), or a run file (.h5) that it can be resumed from.
class RunOutput {
 public:
  RunOutput() = default;
  /// By the suffix of the file's name.
  RunOutput(const std::string& file, const format::RunRecord& record, const Mechanism& mechanism,
            const std::vector<int>& tracked, const std::vector<study::Quantity>& recorded);
  /// A run file that is gone on with.
  explicit RunOutput(std::unique_ptr<format::RunFileWriter> resumed);

  void write(const State& state) const;
  /// Checkpoints where they can be kept, and stopping when the user asks for it.
  study::Checkpointing checkpointing() const;
  /// A run that was interrupted stays `running` in its file.
  void finish(const study::SimulateSummary& summary, const std::string& json) const;

 private:
  std::unique_ptr<format::TrajectoryWriter> writer_;
  format::RunFileWriter* run_file_ = nullptr;
};

/// What goes into a run file about the run. in_force: the options, as the stepper has them.
format::RunRecord record_of(const format::Model& model, const format::ParameterValues& set,
                            const std::vector<std::string>& track, const study::SimulateOptions& options, double start,
                            const ResolvedOptions& in_force);

}  // namespace polhode::cli
