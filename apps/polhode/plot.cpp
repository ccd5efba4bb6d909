#include "polhode/format/plots/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "output.h"
#include "png.h"
#include "polhode/format/runs/run_table.h"
#include "print_json.h"
#include "usage.h"

namespace polhode::cli {
namespace {

using format::RunTable;

constexpr double unlimited = std::numeric_limits<double>::infinity();

struct PlotCommand {
  std::string run;
  std::vector<std::string> columns, named, others, out;
  std::string against = "t", title;
  double from = -unlimited, to = unlimited;
  int width = 1440;
  bool log = false, json = false;
};

struct NamedRun {
  std::string file;
  RunTable table;
};

/// NAME, or NAME:change for what has been added to it since the start; a column's whole name is that column, colons and all.
RunTable::Column chosen(const RunTable& run, const std::string& wanted) {
  constexpr std::string_view suffix = ":change";
  const bool is_name =
      std::any_of(run.columns.begin(), run.columns.end(), [&](const RunTable::Column& c) { return c.name == wanted; });
  const bool is_change = !is_name && wanted.ends_with(suffix);
  RunTable::Column column = run.column(is_change ? wanted.substr(0, wanted.size() - suffix.size()) : wanted);
  if (is_change) {
    const double start = column.values.front();
    for (double& value : column.values) value -= start;
    column.name = "change of " + column.name;
  }
  return column;
}

/// The rows between two times. Curves are told apart by their column, their run, or both.
format::PlotSeries series(const PlotCommand& o, const NamedRun& run, const std::string& wanted, bool of_several_runs) {
  const RunTable::Column y = chosen(run.table, wanted), x = chosen(run.table, o.against);
  const std::string file = std::filesystem::path(run.file).stem().string();
  format::PlotSeries result;
  result.name = !of_several_runs ? y.name : o.columns.size() == 1 ? file : fmt::format("{}, {}", y.name, file);
  for (std::size_t row = 0; row < y.values.size(); ++row) {
    if (const double t = run.table.time().values[row]; t < o.from || t > o.to) continue;
    result.x.push_back(x.values[row]);
    result.y.push_back(y.values[row]);
  }
  if (result.x.empty())
    throw std::invalid_argument(fmt::format("{} has nothing between --from {} and --to {}: it goes from {:.9g} to {:.9g} s",
                                            run.file, o.from, o.to, run.table.time().values.front(),
                                            run.table.time().values.back()));
  return result;
}

std::string title_of(const PlotCommand& o) { return o.title.empty() ? std::filesystem::path(o.run).stem().string() : o.title; }

/// One plot for each unit, in the order in which the columns were asked for.
std::vector<format::Plot> plots(const PlotCommand& o, const std::vector<NamedRun>& runs) {
  std::vector<format::Plot> result;
  const RunTable::Column x = chosen(runs.front().table, o.against);
  for (const std::string& wanted : o.columns) {
    const RunTable::Column y = chosen(runs.front().table, wanted);
    auto plot = std::find_if(result.begin(), result.end(), [&](const format::Plot& p) { return p.y_unit == y.unit; });
    if (plot == result.end()) {
      result.push_back({.title = title_of(o),
                        .x_name = x.name == "t" ? "time" : x.name,
                        .x_unit = x.unit,
                        .y_name = y.name,
                        .y_unit = y.unit,
                        .log_y = o.log,
                        .is_path = o.against != "t"});
      plot = result.end() - 1;
    } else {
      plot->y_name += ", " + y.name;
    }
    for (const NamedRun& run : runs) plot->series.push_back(series(o, run, wanted, runs.size() > 1));
  }
  // What the curves' names already say need not stand beside the axis in full.
  for (format::Plot& plot : result)
    if (plot.y_name.size() > 30) plot.y_name = "";
  return result;
}

std::vector<std::string> files_to_write(const PlotCommand& o) {
  if (!o.out.empty()) return o.out;
  const std::string stem = std::filesystem::path(o.run).stem().string();
  return {stem + ".svg", stem + ".png"};
}

void check_files(const PlotCommand& o) {
  for (const std::string& file : files_to_write(o)) {
    if (!file.ends_with(".svg") && !file.ends_with(".png"))
      throw std::invalid_argument(
          fmt::format("--out \"{}\": plots are .svg or .png files; name it FILE.svg or FILE.png", file));
    require_other_file(file, o.run);
    for (const std::string& other : o.others) require_other_file(file, other);
  }
  if (!(o.from < o.to)) throw std::invalid_argument(fmt::format("--from {} must be before --to {}", o.from, o.to));
}

NamedRun read(const std::string& file) { return {file, format::read_run_table(file)}; }

/// Without columns: what there is to plot.
int list_columns(const PlotCommand& o) {
  const RunTable run = format::read_run_table(o.run);
  const auto& t = run.time().values;
  if (o.json) {
    nlohmann::json columns = nlohmann::json::array();
    for (const RunTable::Column& c : run.columns) columns.push_back({{"name", c.name}, {"unit", c.unit}});
    print_json({{"run", o.run}, {"rows", t.size()}, {"time_start", t.front()}, {"time_end", t.back()}, {"columns", columns}});
    return done;
  }
  fmt::print("{}: {} states from {:.9g} to {:.9g} s\n", o.run, t.size(), t.front(), t.back());
  for (const RunTable::Column& c : run.columns) {
    const auto [least, most] = std::minmax_element(c.values.begin(), c.values.end());
    fmt::print("  {:<20} {:>12.6g} to {:<12.6g} {}\n", c.name, *least, *most, c.unit);
  }
  return done;
}

int plot(const PlotCommand& o) {
  if (o.columns.empty()) return list_columns(o);
  std::vector<NamedRun> runs{read(o.run)};
  for (const std::string& other : o.others) runs.push_back(read(other));
  const std::string svg = format::plot_file(plots(o, runs));
  const std::vector<std::string> files = files_to_write(o);
  for (const std::string& file : files) file.ends_with(".png") ? write_png(file, svg, o.width) : write_text(file, svg);
  if (o.json) {
    print_json({{"run", o.run}, {"written", files}});
  } else {
    for (const std::string& file : files) fmt::print("plot written to {}\n", file);
  }
  return done;
}

}  // namespace

void add_plot(CLI::App& app, int& status) {
  const auto o = std::make_shared<PlotCommand>();
  CLI::App* command = app.add_subcommand("plot", "Plot columns of a run as SVG and PNG");
  command->add_option("RUN", o->run, "Run file (.h5 or .csv) that polhode run --out wrote")->required();
  command->add_option("COLUMN", o->columns,
                      "Columns to plot; NAME:change is the change since the start. Without columns, lists those available");
  command->add_option("--column", o->named, "A further column, for names that begin with - or [; may be repeated")
      ->allow_extra_args(false);  // else CLI11 takes [a] for a list
  command->add_option("--with", o->others, "Plot the same columns of this run too; may be repeated")->allow_extra_args(false);
  command->add_option("--against", o->against, "Column along the horizontal axis")->capture_default_str();
  command->add_flag("--log", o->log, "Logarithmic vertical axis");
  command->add_option("--from", o->from, "Leave out states before this time [s]")->check(finite_number());
  command->add_option("--to", o->to, "Leave out states after this time [s]")->check(finite_number());
  command->add_option("--title", o->title, "Title above the plot [the run's name]");
  command->add_option("--out", o->out, "Write FILE.svg or FILE.png; may be repeated [RUN.svg and RUN.png in this folder]")
      ->allow_extra_args(false);
  command->add_option("--width", o->width, "Width of the PNG [pixels]")
      ->transform(whole_number_up_to(10000))
      ->capture_default_str();
  command->add_flag("--json", o->json, "What was written, or the columns, as one JSON object on standard output");
  command->callback([o, &status] {
    check_files(*o);
    o->columns.insert(o->columns.end(), o->named.begin(), o->named.end());
    status = plot(*o);
  });
}

}  // namespace polhode::cli
