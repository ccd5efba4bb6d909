#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace polhode::format {

/// The reported states of a run, column by column, from a file that `polhode run --out` wrote.
struct RunTable {
  struct Column {
    std::string name;
    std::string unit;  ///< empty where there is none, or the file does not tell
    std::vector<double> values;
  };
  std::vector<Column> columns;  ///< the first is time

  const Column& time() const { return columns.front(); }
  /// Throws std::invalid_argument that lists the columns there are, or some that look like it.
  const Column& column(std::string_view name) const;
};

/// Throws std::invalid_argument that says what is wrong with the file.
RunTable read_run_table(const std::string& file);

}  // namespace polhode::format
