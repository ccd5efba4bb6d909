#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "polhode/format/runs/columns.h"
#include "polhode/format/runs/run_record.h"

namespace polhode::format {

/// What a run says about itself before its first row.
struct RunHeader {
  std::string label;  ///< short, telling the runs of one page apart
  std::string model, method, version;
  std::vector<std::pair<std::string, std::string>> options;  ///< as they are in force
  double time_start = 0, time_end = 0;                       ///< [s]
  /// What is recorded beside the columns that every stream has; those among it are left out.
  std::vector<Column> recorded{};
};

/// A run as the bytes that the viewer reads, from a server or from an exported page (docs/stream.md): blocks of a tag of four
/// letters, the length of what follows in four bytes, and that. All numbers are little endian.
///
///   HEAD  JSON: the header, the columns and the scene; first, and once
///   ROWS  rows of the columns as float64, then x y z qw qx qy qz of each body but Ground as float32
///   STAT  JSON: how far the run has come
class RunStream {
 public:
  /// Rows that would make more bytes than the limit, spread evenly over the time of the run, are left out.
  RunStream(const Mechanism& mechanism, RunHeader header, std::size_t most_bytes = std::size_t(256) << 20);

  std::string head() const;
  /// Takes a state's row; it needs stage velocity. The numbers are those of what is recorded, in the header's order.
  void add(const State& state, std::span<const double> recorded = {});
  /// The rows since the last call, in as few blocks as go; empty when there are none. A block is 1 MiB at most, or one row.
  std::string take_rows();
  /// The same at the end of the run: the last row is among them even if it was to be left out.
  std::string take_last_rows();
  static std::string status(RunState state, double done, const std::string& message = {},
                            const std::vector<std::pair<std::string, std::string>>& summary = {});

  std::size_t row_bytes() const { return row_bytes_; }
  /// In words, when rows were left out; else empty.
  std::string left_out() const;

 private:
  RunHeader header_;
  Columns columns_;
  std::vector<Column> all_columns_;
  std::vector<char> is_new_;  // of what is recorded: not among the columns
  std::size_t row_bytes_;
  double least_distance_;            // of two rows [s]
  std::optional<double> last_time_;  // of a row that was not left out
  std::uint64_t left_out_ = 0;
  std::string rows_;     // whole ones, to be taken
  std::string waiting_;  // the row that was left out last; empty if a later one was not
};

}  // namespace polhode::format
