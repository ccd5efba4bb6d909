#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "polhode/format/runs/columns.h"
#include "polhode/format/runs/trajectory_writer.h"

namespace polhode::format {

/// Held from when a file is opened until it is closed, so that no two writers mix their lines.
class FileLock {
 public:
  /// Makes the file where there is none. Only regular files are locked; where a file system has no locks there is none.
  /// Throws std::invalid_argument when another process has it.
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;

 private:
  int descriptor_ = -1;
};

/// Writes reported states as a table (docs/files.md): Columns with x, y, z of each tracked frame, and what is recorded. SI
/// units. Numbers are the shortest that read back to the same double.
class CsvWriter final : public TrajectoryWriter {
 public:
  /// Opens the file and writes the header; throws std::runtime_error when it cannot be written, and std::invalid_argument when
  /// another process is writing it, which then goes on undisturbed.
  CsvWriter(const std::filesystem::path& file, const Mechanism& mechanism, std::vector<int> tracked_frames,
            const std::vector<study::Quantity>& recorded = {});

  /// Adds one line; needs stage velocity. Throws when the disk is full.
  void write(const State& state) override;
  /// Makes sure that everything has reached the file.
  void close() override;

 private:
  void put(double value);
  void end_line();

  std::filesystem::path file_;
  FileLock lock_;
  std::ofstream out_;
  Columns columns_;
  std::string line_;
};

/// A name as a CSV field: quoted when it holds a comma, a quote, a line break or blanks at its ends.
std::string csv_field(const std::string& name);

}  // namespace polhode::format
