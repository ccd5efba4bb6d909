#pragma once
#include <optional>
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

// The parts of it, for readers of other tables.

/// The fields of one line, blanks around them left out; quotes may enclose commas, and two of them stand for one.
void split_fields(std::string_view line, std::vector<std::string>& fields);
/// The whole field as a finite number.
std::optional<double> number_of_field(std::string_view field);
/// Where a file is that a model in a folder names.
std::string path_in(const std::string& folder, const std::string& name);
/// The text of a regular file that is not too large. Throws std::runtime_error that says why it cannot be read.
std::string read_table_text(const std::string& file);

}  // namespace polhode::format
