#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "polhode/format/runs/run_record.h"
#include "polhode/format/runs/trajectory_writer.h"
#include "polhode/study/quantity.h"

namespace polhode::format {

/// Writes a run file (docs/files.md): HDF5, with what was run, the table of states, and checkpoints from which it can be
/// resumed.
///
/// Rows are gathered and go to the file at least once a second while states come in. A process that is killed at any moment
/// leaves a file that holds everything up to then and opens without repair; until its head is complete, a new file has another
/// name (FILE.part) and does not touch an old one.
class RunFileWriter final : public TrajectoryWriter {
 public:
  /// Starts a new file. Throws std::runtime_error when it cannot be written, std::invalid_argument when another process writes
  /// to one of that name.
  RunFileWriter(const std::filesystem::path& file, const RunRecord& record, const Mechanism& mechanism,
                std::vector<int> tracked_frames, const std::vector<study::Quantity>& recorded = {});
  /// Goes on with a file after the first rows of it; the others are written over. The run now ends at time_end [s].
  RunFileWriter(const std::filesystem::path& file, const Mechanism& mechanism, std::vector<int> tracked_frames,
                const RunCheckpoint& from, double time_end, const std::vector<study::Quantity>& recorded = {});
  /// Leaves the file as it is, still `running`, as a kill would.
  ~RunFileWriter() override;

  void write(const State& state) override;  ///< one row of the table
  std::size_t rows() const;                 ///< that were written so far

  /// Whether it is time for a checkpoint: half a second after the last one, or when half a megabyte of rows has gathered.
  bool wants_checkpoint() const;
  /// All rows so far and then this reach the file.
  void checkpoint(const std::string& bytes);
  /// All rows so far reach the file.
  void flush();

  /// The run is over. The message is for people: why it failed, or empty; the summary is JSON.
  void finish(RunState state, const std::string& message, const std::string& summary);
  /// The same for a run that nobody says more about than that it is finished.
  void close() override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace polhode::format
