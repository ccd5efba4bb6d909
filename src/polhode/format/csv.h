#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "polhode/format/state_table.h"
#include "polhode/format/trajectory_writer.h"

namespace polhode::format {

/// Writes reported states as a table (docs/files.md): the columns of StateTable. Numbers are the shortest that read back to the
/// same double.
class CsvWriter final : public TrajectoryWriter {
 public:
  /// Opens the file and writes the header; throws std::runtime_error when it cannot be written.
  CsvWriter(const std::filesystem::path& file, const Mechanism& mechanism, std::vector<int> tracked_frames);

  /// Adds one line; needs stage velocity. Throws when the disk is full.
  void write(const State& state) override;
  /// Makes sure that everything has reached the file.
  void close() override;

 private:
  void end_line();

  StateTable table_;  // first: frames are checked before the file is opened, which empties it
  std::filesystem::path file_;
  std::ofstream out_;
  std::string line_;
};

/// A name as a CSV field: quoted when it holds a comma, a quote or a line break.
std::string csv_field(const std::string& name);

}  // namespace polhode::format
