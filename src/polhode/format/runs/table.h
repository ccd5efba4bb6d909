#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace polhode::format {

/// A table of comma-separated numbers below a line of names.
struct Table {
  std::vector<std::string> columns;  ///< their names
  std::vector<double> values;        ///< row after row; NaN for a field that is empty

  /// Lines of numbers.
  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  /// One number.
  double at(std::size_t row, int column) const { return values[row * columns.size() + std::size_t(column)]; }
  /// -1 when there is no such column.
  int find(std::string_view column) const;
  /// The same, but throws std::runtime_error that lists those there are.
  int column(std::string_view name) const;
};

/// Throws std::runtime_error that says what is wrong and in which line: a missing header, a name twice, a line of another
/// length, a field that is no finite number (empty ones are allowed), no line at all.
Table parse_table(std::string_view text);
/// The same from a file; the message begins with its name.
Table read_table(const std::string& file);

}  // namespace polhode::format
