#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace polhode::format {

/// Times and values from a table of comma-separated numbers: the first column is time, another one the value.
struct SampledColumn {
  std::vector<double> times, values;
};

/// Which column: by its name in the header, or by its number, the first being 1.
using ColumnChoice = std::variant<int, std::string>;

/// Reads a column. The first line may be a header. Throws std::runtime_error that says what is wrong and in which line.
SampledColumn read_column(const std::string& file, const ColumnChoice& column);
/// The same from text.
SampledColumn parse_column(std::string_view text, const ColumnChoice& column);

}  // namespace polhode::format
