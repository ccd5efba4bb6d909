#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "polhode/format/columns.h"
#include "polhode/format/trajectory_writer.h"

namespace polhode::format {

/// Writes reported states as a table (docs/files.md): Columns with x, y, z of each tracked frame. SI units. Numbers are the
/// shortest that read back to the same double.
class CsvWriter final : public TrajectoryWriter {
 public:
  /// Opens the file and writes the header; throws std::runtime_error when it cannot be written.
  CsvWriter(const std::filesystem::path& file, const Mechanism& mechanism, std::vector<int> tracked_frames);

  /// Adds one line; needs stage velocity. Throws when the disk is full.
  void write(const State& state) override;
  /// Makes sure that everything has reached the file.
  void close() override;

 private:
  void put(double value);
  void end_line();

  std::filesystem::path file_;
  std::ofstream out_;
  Columns columns_;
  std::string line_;
};

/// A name as a CSV field: quoted when it holds a comma, a quote or a line break.
std::string csv_field(const std::string& name);

}  // namespace polhode::format
