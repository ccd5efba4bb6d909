#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace polhode::format {

/// Measured or computed values over time: a table whose first column is time, and increases, and that has no gaps.
struct DataTable {
  std::vector<std::string> columns;  ///< without time
  std::vector<double> times;
  std::vector<std::vector<double>> values;  ///< by column
};

/// Throws std::runtime_error that says what is wrong and in which line.
DataTable parse_data_table(std::string_view text);
DataTable read_data_table(const std::string& file);

}  // namespace polhode::format
