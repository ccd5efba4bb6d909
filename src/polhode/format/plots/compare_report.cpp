#include "polhode/format/plots/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "polhode/format/language/diagnostics.h"
#include "polhode/format/plots/picture.h"
#include "polhode/format/plots/plot.h"
#include "polhode/tree/realize.h"

namespace polhode::format {
namespace {

using study::CompareResult;
using study::CompareSample;
using study::MethodRun;

std::vector<const MethodRun*> those_that_ran(const CompareResult& result) {
  std::vector<const MethodRun*> runs;
  for (const MethodRun& run : result.runs)
    if (run.ran()) runs.push_back(&run);
  return runs;
}

std::string step_sizes(const StepStatistics& steps) {
  if (steps.largest_step <= steps.smallest_step * (1 + 1e-6)) return fmt::format("{:.3g}", steps.largest_step);
  return fmt::format("{:.3g} to {:.3g}", steps.smallest_step, steps.largest_step);
}

std::string options_of(const study::SimulateSummary& summary) {
  std::string text;
  for (const auto& [name, value] : told(summary.options)) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace

ReportTable compare_table(const CompareResult& result) {
  const std::vector<const MethodRun*> runs = those_that_ran(result);
  ReportTable table{{""}, {}};
  for (const MethodRun* run : runs) table.header.push_back(run->method);

  using Cell = std::function<std::string(const MethodRun&)>;
  const auto row = [&](const char* name, const Cell& cell) {
    std::vector<std::string> cells{name};
    for (const MethodRun* run : runs) cells.push_back(cell(*run));
    table.rows.push_back(std::move(cells));
  };
  const auto any = [&](const auto& test) {
    return std::any_of(runs.begin(), runs.end(), [&](const MethodRun* run) { return test(run->summary); });
  };
  const auto count = [](long n) { return n > 0 ? fmt::format("{}", n) : std::string("-"); };
  using S = study::SimulateSummary;
  const bool conservative = any([](const S& s) { return s.conservative; });
  const MethodRun* const reference = &result.reference_run();
  const auto compared = [&](const Cell& cell) -> Cell {
    return [&, cell](const MethodRun& r) { return &r == reference ? "reference" : !r.compared() ? "-" : cell(r); };
  };

  if (any([](const S& s) { return !s.completed || !s.stopped_by.empty(); }))
    row("time reached [s]", [](const MethodRun& r) { return fmt::format("{:.9g}", r.summary.time_end); });
  row("wall time [s]", [](const MethodRun& r) { return fmt::format("{:.3g}", r.summary.wall_time); });
  row("steps", [](const MethodRun& r) { return fmt::format("{}", r.summary.steps.steps); });
  if (any([](const S& s) { return s.steps.rejected > 0; }))
    row("rejected steps", [&](const MethodRun& r) { return count(r.summary.steps.rejected); });
  row("step size [s]", [](const MethodRun& r) { return step_sizes(r.summary.steps); });
  if (any([](const S& s) { return s.steps.newton_iterations > 0; }))
    row("Newton iterations in a step", [](const MethodRun& r) {
      const auto& steps = r.summary.steps;
      return steps.newton_iterations > 0
                 ? fmt::format("{:.2f}", double(steps.newton_iterations) / double(std::max(steps.steps, 1L)))
                 : "-";
    });
  if (any([](const S& s) { return s.steps.newton_iterations == 0; }))
    row("evaluations", [&](const MethodRun& r) {
      return r.summary.steps.newton_iterations > 0 ? std::string("-") : count(r.summary.steps.evaluations);
    });
  if (conservative) {
    row("energy span [J]", [](const MethodRun& r) { return fmt::format("{:.3g}", r.summary.energy_span()); });
    row("energy slope [W]", [](const MethodRun& r) { return fmt::format("{:+.2g}", r.summary.energy_slope); });
  } else {
    row("energy change [J]", [](const MethodRun& r) { return fmt::format("{:+.6g}", r.summary.energy_drift()); });
  }
  if (any([](const S& s) { return s.kept_momenta > 0; }))
    row("momentum error [SI]", [](const MethodRun& r) { return fmt::format("{:.3g}", r.summary.momentum_error); });
  if (any([](const S& s) { return s.constraint_rows > 0; }))
    row("constraint error [m, rad]", [](const MethodRun& r) { return fmt::format("{:.3g}", r.summary.constraint_error); });
  if (any([](const S& s) { return s.velocity_rows > 0; }))
    row("velocity error [m/s, rad/s]", [](const MethodRun& r) { return fmt::format("{:.3g}", r.summary.velocity_error); });
  row("largest distance [m]", compared([](const MethodRun& r) { return fmt::format("{:.3g}", r.largest.length); }));
  const auto to_the_end = [&](const MethodRun& r) { return r.compared_until >= result.time_end * (1 - 1e-9); };
  row("distance at the end [m]",
      compared([&](const MethodRun& r) { return to_the_end(r) ? fmt::format("{:.3g}", r.at_end.length) : std::string("-"); }));
  row("largest angle [rad]", compared([](const MethodRun& r) { return fmt::format("{:.3g}", r.largest.angle); }));
  row("agrees until [s]", compared([&](const MethodRun& r) {
        if (r.agrees_until) return fmt::format("{:.6g}", *r.agrees_until);
        return to_the_end(r) ? std::string("the end") : fmt::format("{:.6g}, compared no further", r.compared_until);
      }));
  return table;
}

std::vector<std::string> about_reference(const CompareResult& result) {
  const MethodRun& run = result.reference_run();
  std::vector<std::string> sentences{
      fmt::format("Distances are from {}{} ({}).", result.extra_reference ? "a more exact run by " : "", run.method,
                  options_of(run.summary)),
      "Each is that of the farthest body, as the root mean square over its mass."};
  if (!run.summary.completed) sentences.push_back(fmt::format("That run stopped at {}.", run.summary.failure));
  if (result.limit > 0)
    sentences.push_back(fmt::format("Motions agree while they are within {:.3g} m, {:.3g} % of the mechanism's size.",
                                    result.limit, 100 * result.limit / result.size));
  return sentences;
}

std::string why_refused(const MethodRun& run, const Model& model) {
  return run.problems.empty() ? run.refused : model.rendered(run.problems);
}

namespace {

/// A plot over time with one series for each run that has something to show.
Plot over_time(const CompareResult& result, const char* title, const char* name, const char* unit, bool log,
               const std::function<double(const MethodRun&, std::size_t)>& value) {
  Plot plot{.title = title, .x_name = "time", .x_unit = "s", .y_name = name, .y_unit = unit, .log_y = log, .series = {}};
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    const MethodRun& run = result.runs[i];
    if (!run.ran()) continue;
    PlotSeries& series = plot.series.emplace_back(PlotSeries{run.method, {}, {}, int(i)});
    for (std::size_t k = 0; k < run.samples.size(); ++k)
      series.x.push_back(run.samples[k].t), series.y.push_back(value(run, k));
  }
  return plot;
}

bool has_positive(const Plot& plot) {
  return std::any_of(plot.series.begin(), plot.series.end(),
                     [](const PlotSeries& s) { return std::any_of(s.y.begin(), s.y.end(), [](double y) { return y > 0; }); });
}

/// Kinetic, potential and total energy of the reference.
Plot energies(const CompareResult& result) {
  const MethodRun& run = result.reference_run();
  Plot plot{.title = "Energy",
            .x_name = "time",
            .x_unit = "s",
            .y_name = "energy",
            .y_unit = "J",
            .series = {{"kinetic", {}, {}, 0}, {"potential", {}, {}, 1}, {"total", {}, {}, 4}}};
  for (const CompareSample& s : run.samples) {
    for (PlotSeries& series : plot.series) series.x.push_back(s.t);
    plot.series[0].y.push_back(s.kinetic);
    plot.series[1].y.push_back(s.potential);
    plot.series[2].y.push_back(s.energy());
  }
  return plot;
}

void add_distance(const CompareResult& result, ReportPage& page) {
  Plot plot = over_time(result, "Distance to the reference", "distance", "m", true,
                        [](const MethodRun& r, std::size_t k) { return r.samples[k].distance.length; });
  if (result.limit > 0) plot.marks.push_back({result.limit, "end of agreement"});
  if (result.reference >= 0)
    std::erase_if(plot.series, [&](const PlotSeries& s) { return s.name == result.reference_run().method; });
  if (has_positive(plot)) page.figure(plot_svg(plot), "The largest of any body, root mean square over its mass.");
}

void add_energy(const CompareResult& result, ReportPage& page) {
  const bool conservative = result.reference_run().summary.conservative && result.reference_run().summary.events == 0;
  const MethodRun& reference = result.reference_run();
  page.figure(plot_svg(energies(result)), fmt::format("Of the reference ({}).", reference.method));
  const auto error = [&](const MethodRun& run, std::size_t k) {
    if (conservative) return run.samples[k].energy() - run.samples.front().energy();
    return k < reference.samples.size() && std::abs(run.samples[k].t - reference.samples[k].t) < 1e-6 * result.interval
               ? run.samples[k].energy() - reference.samples[k].energy()
               : std::nan("");
  };
  const char* const caption = conservative ? "Change since the start; nothing in the model feeds or takes energy."
                                           : "Difference to the reference at equal times.";
  Plot drift = over_time(result, "Energy error", "energy error", "J", false, error);
  page.figure(plot_svg(drift), caption);
  const Plot size = over_time(result, "Size of the energy error", "energy error", "J", true,
                              [&](const MethodRun& run, std::size_t k) { return std::abs(error(run, k)); });
  if (has_positive(size)) page.figure(plot_svg(size), "The same on a logarithmic scale.");
}

void add_errors(const CompareResult& result, ReportPage& page) {
  const auto& summary = result.reference_run().summary;
  if (summary.constraint_rows > 0) {
    const Plot plot = over_time(result, "Constraint error", "error", "m, rad", true,
                                [](const MethodRun& r, std::size_t k) { return r.samples[k].constraint_error; });
    page.figure(plot_svg(plot), "The largest of any equation. Gaps are where it is exactly zero.");
  }
  if (summary.kept_momenta > 0 && summary.events == 0) {
    const Plot plot = over_time(result, "Momentum error", "error", "kg m/s, kg m²/s", true,
                                [](const MethodRun& r, std::size_t k) { return r.samples[k].momentum_error; });
    page.figure(plot_svg(plot),
                fmt::format("Largest change of a conserved component ({} of 6 are conserved); the largest momentum is {:.3g}.",
                            summary.kept_momenta, summary.momentum_size));
  }
}

void add_picture(const CompareResult& result, const State& start, ReportPage& page) {
  State state = start;
  tree::realize(state, Stage::position);
  std::vector<PicturePath> paths;
  for (std::size_t i = 0; i < result.runs.size(); ++i)
    if (result.runs[i].ran()) paths.push_back({result.runs[i].method, result.runs[i].path, int(i)});
  page.figure(mechanism_picture(state, "The mechanism at the start", paths),
              fmt::format("Lines: where each method takes the centre of mass of \"{}\".",
                          start.mechanism().bodies()[std::size_t(result.traced)].name));
}

void add_options(const CompareResult& result, ReportPage& page) {
  page.heading("What was run");
  ReportTable options{{"method", "options in force"}, {}};
  for (const MethodRun& run : result.runs)
    if (run.ran()) options.rows.push_back({run.method, options_of(run.summary)});
  if (result.extra_reference)
    options.rows.push_back({result.extra_reference->method + " (reference)", options_of(result.extra_reference->summary)});
  page.table(options);
}

}  // namespace

std::string compare_report(const CompareResult& result, const Model& model, const State& start, const ReportRecord& record) {
  const std::string& name = start.mechanism().name();
  ReportPage page(
      fmt::format("{}: methods compared", name.empty() ? std::filesystem::path(model.file).filename().string() : name));
  const auto& reference = result.reference_run();
  page.paragraph(fmt::format("{}: {:.9g} s by every method that applies, from one start.", model.file,
                             reference.summary.time_end - reference.summary.time_start));
  page.table(compare_table(result));
  page.paragraph(fmt::format("{}", fmt::join(about_reference(result), " ")));
  for (const MethodRun& run : result.runs) {
    if (!run.ran()) page.note(fmt::format("{} does not apply:\n{}", run.method, why_refused(run, model)));
    if (run.ran() && !run.summary.completed) page.note(fmt::format("{} stopped at {}", run.method, run.summary.failure));
    if (run.ran() && !run.summary.stopped_by.empty())
      page.note(fmt::format("{} was stopped by {}", run.method, run.summary.stopped_by));
  }
  page.heading("Motion");
  add_picture(result, start, page);
  add_distance(result, page);
  page.heading("What is kept");
  add_energy(result, page);
  add_errors(result, page);
  add_options(result, page);
  add_record(record, model, page);
  return page.html();
}

}  // namespace polhode::format
