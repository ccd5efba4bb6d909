#include "polhode/format/runs/data_table.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "polhode/format/language/sample_file.h"
#include "polhode/format/runs/table.h"

namespace polhode::format {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error(why); }

DataTable with_times(const Table& table) {
  const std::size_t width = table.columns.size();
  if (width < 2) refuse("the table has one column; there must be time and at least one more");
  DataTable out;
  out.columns.assign(table.columns.begin() + 1, table.columns.end());
  out.values.resize(width - 1);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      const double x = table.at(row, int(i));
      if (!std::isfinite(x)) refuse(fmt::format("row {} has no number for \"{}\"", row + 1, table.columns[i]));
      (i == 0 ? out.times : out.values[i - 1]).push_back(x);
    }
    if (row > 0 && !(out.times[row - 1] < out.times[row]))
      refuse(
          fmt::format("row {}: times must increase, but {:.9g} follows {:.9g}", row + 1, out.times[row], out.times[row - 1]));
  }
  return out;
}

}  // namespace

DataTable parse_data_table(std::string_view text) { return with_times(parse_table(text)); }
DataTable read_data_table(const std::string& file) { return parse_data_table(read_table_text(file)); }

}  // namespace polhode::format
