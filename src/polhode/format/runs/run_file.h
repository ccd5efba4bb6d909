#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/format/language/model.h"
#include "polhode/format/runs/columns.h"
#include "polhode/format/runs/run_record.h"

namespace polhode::format {

/// True when the first bytes of a file are HDF5's; false for any other file and for none.
bool is_hdf5(const std::filesystem::path& file);

/// A run file (docs/files.md), to read. One that is being written shows what it held when it was opened.
class RunFile {
 public:
  /// Throws std::invalid_argument that says what is wrong: no such file, not HDF5, damaged, not a run, of a later version.
  explicit RunFile(const std::filesystem::path& file);
  ~RunFile();
  RunFile(RunFile&&) noexcept;

  const RunRecord& record() const;     ///< what was run: model, method, options
  RunState state() const;              ///< whether it is over, and how it ended
  const std::string& message() const;  ///< why it failed, or empty
  const std::string& summary() const;  ///< JSON, or empty
  /// A process was writing to it when it was opened.
  bool is_being_written() const;

  const std::vector<Column>& columns() const;  ///< of the table of states
  std::size_t rows() const;                    ///< states in the table
  /// Index of a column; -1 when there is none of that name.
  int find(std::string_view name) const;
  /// Throws std::invalid_argument that lists the columns there are, when there is none of that name.
  std::vector<double> column(std::string_view name) const;
  std::vector<double> column(int index) const;
  /// Rows one after the other, from the first on.
  std::vector<double> read(std::size_t first, std::size_t count) const;

  /// The model, read from the text and files inside. Throws ModelFileError when this version cannot read it.
  Model model() const;
  /// Sets time, coordinates and speeds to those of a row. The state must be of a mechanism with the same columns.
  void load(std::size_t row, State& state) const;

  /// From which the run can be resumed; nothing when it was killed before the first.
  std::optional<RunCheckpoint> checkpoint() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace polhode::format
