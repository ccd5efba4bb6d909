#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace polhode::format {

/// A table of comma-separated numbers with a header; the first column is time, and increases.
struct DataTable {
  std::vector<std::string> columns;  ///< without time
  std::vector<double> times;
  std::vector<std::vector<double>> values;  ///< by column
};

/// Throws std::runtime_error that says what is wrong and in which line.
DataTable parse_table(std::string_view text);
DataTable read_table(const std::string& file);

}  // namespace polhode::format
