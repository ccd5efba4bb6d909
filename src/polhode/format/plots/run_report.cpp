#include "polhode/format/plots/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "polhode/format/plots/picture.h"
#include "polhode/format/plots/plot.h"
#include "polhode/format/plots/run_facts.h"
#include "polhode/tree/realize.h"

namespace polhode::format {
namespace {

using study::SimulateSummary;

Plot over_time(const std::string& title, const std::string& unit) {
  return {.title = title, .x_name = "time", .x_unit = "s", .y_unit = unit};
}

void add_series(Plot& plot, const std::string& name, const RunSamples& samples, std::vector<double> values, int style = -1) {
  plot.series.push_back({name, samples.values("t"), std::move(values), style});
}

bool is_anything(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double y) { return y != 0; });
}

void add_picture(const RunSamples& samples, const State& start, ReportPage& page) {
  State state = start;
  tree::realize(state, Stage::position);
  std::vector<PicturePath> paths;
  std::string caption;
  for (const RunSamples::Path& path : samples.paths()) {
    paths.push_back({path.name, path.points, int(paths.size())});
    caption += (caption.empty() ? "Lines: the path of " : ", ") + path.name;
  }
  page.figure(mechanism_picture(state, "The mechanism at the start", paths), caption.empty() ? "" : caption + ".");
}

void add_energy(const SimulateSummary& summary, const RunSamples& samples, ReportPage& page) {
  Plot energies = over_time("Energy", "J");
  energies.y_name = "energy";
  add_series(energies, "kinetic", samples, samples.values("kinetic"), 0);
  add_series(energies, "potential", samples, samples.values("potential"), 1);
  add_series(energies, "total", samples, samples.values("energy"), 4);
  page.figure(plot_svg(energies));

  std::vector<double> change = samples.values("energy");
  for (double& e : change) e -= summary.energy_start;
  Plot drift = over_time(summary.conservative ? "Energy error" : "Change of the energy", "J");
  drift.y_name = summary.conservative ? "energy error" : "change";
  add_series(drift, "energy", samples, std::move(change));
  const bool kept = summary.conservative && summary.events == 0;
  page.figure(plot_svg(drift), kept ? "Change since the start; nothing in the model feeds or takes energy."
                                    : "Change since the start; the model has forces or events that do work.");
}

void add_errors(const SimulateSummary& summary, const RunSamples& samples, ReportPage& page) {
  if (const std::vector<double> error = samples.values("constraint"); summary.constraint_rows > 0 && is_anything(error)) {
    Plot plot = over_time("Constraint error", "m, rad");
    plot.y_name = "error";
    plot.log_y = true;
    add_series(plot, "constraint", samples, error);
    page.figure(plot_svg(plot),
                fmt::format("The largest of {} equations. Gaps are where it is exactly zero.", summary.constraint_rows));
  }
  const auto momentum = [&](const char* title, const char* column, const char* unit) {
    Plot plot = over_time(title, unit);
    plot.y_name = "momentum";
    for (const char* axis : {"x", "y", "z"})
      add_series(plot, axis, samples, samples.values(fmt::format("{}.{}", column, axis)));
    page.figure(plot_svg(plot));
  };
  momentum("Momentum", "momentum", "kg m/s");
  momentum("Angular momentum about Ground's origin", "angular-momentum", "kg m²/s");
}

/// Coordinates or speeds, those of one unit together, eight to a plot.
void add_columns(const RunSamples& samples, std::size_t first, std::size_t count, const char* what, const char* name,
                 ReportPage& page) {
  constexpr std::size_t most_curves = 8, most_plots = 6;
  std::vector<Plot> plots;
  std::size_t left_out = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    const Column& column = samples.columns()[i];
    auto plot = std::find_if(plots.begin(), plots.end(),
                             [&](const Plot& p) { return p.y_unit == column.unit && p.series.size() < most_curves; });
    if (plot == plots.end()) {
      if (plots.size() == most_plots) {
        ++left_out;
        continue;
      }
      plots.push_back(over_time(what, column.unit));
      plot = plots.end() - 1;
      plot->y_name = name;
    }
    add_series(*plot, column.name, samples, samples.values(i));
  }
  for (Plot& plot : plots) {
    if (plot.series.size() == 1) plot.title += ": " + plot.series.front().name;
    page.figure(plot_svg(plot));
  }
  if (left_out > 0)
    page.paragraph(fmt::format(
        "{} more of them are not drawn; polhode run --out FILE.h5 keeps them all, polhode plot draws them.", left_out));
}

void add_motion(const RunSamples& samples, const State& start, ReportPage& page) {
  page.heading("Motion");
  add_picture(samples, start, page);
  const std::size_t nq = std::size_t(start.mechanism().num_q()), nu = std::size_t(start.mechanism().num_u());
  add_columns(samples, 1, nq, "Coordinates", "coordinate", page);
  add_columns(samples, 1 + nq, nu, "Speeds", "speed", page);
}

}  // namespace

std::string run_report(const SimulateSummary& summary, const RunSamples& samples, const Model& model, const State& start,
                       const ReportRecord& record) {
  const std::string& name = start.mechanism().name();
  ReportPage page(name.empty() ? std::filesystem::path(model.file).filename().string() : name);
  page.paragraph(
      fmt::format("{}: {:.9g} s by {}.", model.file, summary.time_end - summary.time_start, how_it_was_run(summary)));
  if (!summary.completed) page.note(fmt::format("The run stopped at {}", summary.failure));
  page.facts(run_facts(summary));
  add_motion(samples, start, page);
  if (const std::size_t first = samples.first_recorded(); first < samples.columns().size()) {
    page.heading("What was recorded");
    add_columns(samples, first, samples.columns().size() - first, "Recorded", "value", page);
  }
  page.heading("What is kept");
  add_energy(summary, samples, page);
  add_errors(summary, samples, page);
  page.heading("What was run");
  add_record(record, model, page);
  return page.html();
}

}  // namespace polhode::format
