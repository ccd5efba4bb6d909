#include "polhode/format/runs/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/format/runs/data_table.h"
#include "polhode/format/runs/run_file.h"

namespace polhode::format {
namespace {

/// What a table of comma-separated numbers does not say, as far as the name of a column tells (docs/files.md).
std::string unit_by_name(std::string_view name) {
  if (name == "t") return "s";
  if (name == "kinetic" || name == "potential" || name == "energy" || name.ends_with("work")) return "J";
  if (name.ends_with("power")) return "W";
  const bool has_axis = name.ends_with(".x") || name.ends_with(".y") || name.ends_with(".z");
  const std::string_view vector = name.substr(0, name.size() - (has_axis ? 2 : 0));
  if (has_axis && vector.ends_with(".force")) return "N";
  if (has_axis && vector.ends_with(".torque")) return "N m";
  return {};
}

RunTable from_csv(const std::string& file) {
  DataTable table = read_data_table(file);
  RunTable run;
  run.columns.push_back({"t", "s", std::move(table.times)});
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    run.columns.push_back({table.columns[i], unit_by_name(table.columns[i]), std::move(table.values[i])});
  return run;
}

RunTable from_run_file(const std::string& file) {
  const RunFile run(file);
  if (run.rows() == 0) throw std::invalid_argument(fmt::format("{}: the run has no states yet", file));
  RunTable table;
  const std::vector<double> rows = run.read(0, run.rows());
  const std::size_t width = run.columns().size();
  for (std::size_t i = 0; i < width; ++i) {
    table.columns.push_back({run.columns()[i].name, run.columns()[i].unit, {}});
    for (std::size_t at = i; at < rows.size(); at += width) table.columns.back().values.push_back(rows[at]);
  }
  return table;
}

}  // namespace

const RunTable::Column& RunTable::column(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  if (found != columns.end()) return *found;
  constexpr std::size_t most = 20;
  std::string known;
  for (std::size_t i = 0; i < std::min(columns.size(), most); ++i)
    known += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", columns[i].name);
  if (columns.size() > most) known += fmt::format(" and {} more", columns.size() - most);
  throw std::invalid_argument(fmt::format("there is no column \"{}\"; there are {}", name, known));
}

RunTable read_run_table(const std::string& file) {
  if (is_hdf5(file) || file.ends_with(".h5")) return from_run_file(file);
  try {
    return from_csv(file);
  } catch (const std::exception& error) {
    throw std::invalid_argument(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace polhode::format
