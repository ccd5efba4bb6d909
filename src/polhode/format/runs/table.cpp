#include "polhode/format/runs/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "polhode/format/language/diagnostics.h"
#include "polhode/format/language/sample_file.h"
#include "polhode/format/language/utf8.h"
#include "polhode/mechanism/problem.h"

namespace polhode::format {
namespace {

std::string shown(std::string_view field) { return format::quoted(utf8_prefix(field, 40)); }

void require_header(const std::vector<std::string>& columns) {
  if (number_of_field(columns.front()))
    throw std::runtime_error("the first line must name the columns, but begins with a number");
  for (auto name = columns.begin(); name != columns.end(); ++name)
    if (std::find(columns.begin(), name, *name) != name)
      throw std::runtime_error(fmt::format("there are two columns {}", shown(*name)));
}

}  // namespace

int Table::find(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? -1 : int(found - columns.begin());
}

int Table::column(std::string_view name) const {
  const int index = find(name);
  if (index < 0)
    throw std::runtime_error(
        fmt::format("there is no column {}{}", shown(name), suggestion(std::string(name), columns, "columns")));
  return index;
}

Table parse_table(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  Table table;
  std::vector<std::string> fields;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    split_fields(line, fields);
    if (table.columns.empty()) {
      require_header(fields);
      table.columns = fields;
      continue;
    }
    if (fields.size() != table.columns.size())
      throw std::runtime_error(
          fmt::format("line {} has {} fields, the header has {}", line_number, fields.size(), table.columns.size()));
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto number = number_of_field(fields[i]);
      if (!number && !fields[i].empty())
        throw std::runtime_error(fmt::format("line {}, column {}: {} is not a finite number", line_number,
                                             shown(table.columns[i]), shown(fields[i])));
      table.values.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }
  if (table.rows() == 0) throw std::runtime_error("the table has no numbers");
  return table;
}

Table read_table(const std::string& file) {
  try {
    return parse_table(read_table_text(file));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace polhode::format
