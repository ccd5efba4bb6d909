#include "polhode/study/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "load.h"
#include "output.h"
#include "polhode/format/plots/compare_report.h"
#include "polhode/version.h"
#include "print_json.h"
#include "progress_bar.h"
#include "run_record.h"
#include "simulate_options.h"
#include "start.h"
#include "summary_json.h"
#include "usage.h"

namespace polhode::cli {
namespace {

struct CompareCommand {
  std::string model;
  study::CompareOptions options;
  std::string report;
  bool no_report = false, json = false;
  std::vector<std::string> set;
};

/// Beside nothing: in the folder where the command runs.
std::string report_name(const CompareCommand& o) {
  if (o.no_report) return {};
  return !o.report.empty() ? o.report : std::filesystem::path(o.model).stem().string() + "-compare.html";
}

/// The first column to the left, the others under their headers.
void print_table(const format::ReportTable& table) {
  std::vector<std::size_t> widths(table.header.size(), 0);
  const auto widen = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  };
  const auto print = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("  {:<{}}", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  };
  widen(table.header);
  std::for_each(table.rows.begin(), table.rows.end(), widen);
  print(table.header);
  std::for_each(table.rows.begin(), table.rows.end(), print);
}

void print_for_people(const CompareCommand& o, const study::CompareResult& r, const format::Model& model) {
  fmt::print("{}: {:.9g} s by each method that applies\n", o.model, o.options.simulate.time);
  print_table(format::compare_table(r));
  for (const study::MethodRun& run : r.runs)
    if (run.ran() && !run.summary.stopped_by.empty())
      fmt::print("  {} was stopped by {}\n", run.method, run.summary.stopped_by);
  fmt::print("{}\n", fmt::join(format::about_reference(r), "\n"));
  for (const study::MethodRun& run : r.runs)
    if (!run.ran()) fmt::print("{} does not apply:\n{}\n", run.method, format::why_refused(run, model));
  if (const std::string name = report_name(o); !name.empty()) fmt::print("report written to {}\n", name);
}

nlohmann::json distances(const study::MethodRun& run, double time_end) {
  if (!run.compared())
    return {{"largest", nullptr},
            {"at_end", nullptr},
            {"largest_angle", nullptr},
            {"compared_until", nullptr},
            {"agrees_until", nullptr}};
  return {{"largest", run.largest.length},
          {"at_end", run.compared_until >= time_end * (1 - 1e-9) ? nlohmann::json(run.at_end.length) : nlohmann::json()},
          {"largest_angle", run.largest.angle},
          {"compared_until", run.compared_until},
          {"agrees_until", run.agrees_until ? nlohmann::json(*run.agrees_until) : nlohmann::json()}};
}

nlohmann::json as_json(const CompareCommand& o, const study::CompareResult& r, const format::Model& model) {
  nlohmann::json methods = nlohmann::json::array();
  for (const study::MethodRun& run : r.runs) {
    nlohmann::json one{{"method", run.method}, {"applies", run.ran()}};
    if (run.ran()) {
      one.update(summary_json(run.summary));
      one["distance"] = distances(run, r.time_end);
    } else {
      one["refused"] = format::why_refused(run, model);
    }
    methods.push_back(one);
  }
  nlohmann::json reference = summary_json(r.reference_run().summary);
  reference["extra"] = r.extra_reference.has_value();
  nlohmann::json result{{"model", o.model},       {"version", version},     {"time", o.options.simulate.time},
                        {"interval", r.interval}, {"size", r.size},         {"agreement_limit", r.limit},
                        {"methods", methods},     {"reference", reference}, {"completed", r.completed()}};
  if (const std::string name = report_name(o); !name.empty()) result["report"] = name;
  return result;
}

format::ReportRecord record(const study::CompareResult& r) {
  format::ReportRecord facts = report_record();
  facts.emplace_back("compared every", fmt::format("{:.6g} s", r.interval));
  return facts;
}

/// First what was done, then what stopped it.
void complain_of_failures(const study::CompareResult& r) {
  std::fflush(stdout);
  if (r.extra_reference && !r.extra_reference->summary.completed)
    complain(fmt::format("polhode: the reference, {} at accuracy {:g}, stopped at {}; methods are compared up to there",
                         r.extra_reference->method, r.reference_accuracy, with_flags(r.extra_reference->summary.failure)));
  for (const study::MethodRun& run : r.runs)
    if (run.ran() && !run.summary.completed)
      complain(fmt::format("polhode: {} stopped at {}", run.method, with_flags(run.summary.failure)));
}

int compare(const CompareCommand& o) {
  const LoadedModel loaded = load(o.model, o.set);
  State start = loaded.start;
  assemble_start(o.model, start);
  study::CompareResult result;
  try {
    ProgressBar bar(!o.json);
    result = study::compare(start, o.options, [&](const std::string&, double fraction) { bar(fraction); });
  } catch (const ModelError& error) {
    rethrow_with_places(error, loaded.model);
  }
  if (const std::string name = report_name(o); !name.empty())
    write_text(name, format::compare_report(result, loaded.model, start, record(result)));
  if (o.json) {
    print_json(as_json(o, result, loaded.model));
  } else {
    print_for_people(o, result, loaded.model);
  }
  complain_of_failures(result);
  return result.completed() ? done : failed;
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
  const auto o = std::make_shared<CompareCommand>();
  CLI::App* command = app.add_subcommand("compare", "Simulate a model by every method and compare them");
  command->add_option("MODEL", o->model, "Model file (.pol)")->required();
  add_time_option(*command, o->options.simulate);
  add_names_option(*command, "--methods", o->options.methods,
                   "Which methods, separated by commas [" + fmt::format("{}", fmt::join(study::method_names(), ",")) + "]");
  add_options_of_methods(*command, o->options.simulate);
  command->get_option("--dt")->description("Fixed step, of the methods that do not control their error [s]");
  command->add_option("--interval", o->options.interval, "Compare at multiples of this time [s]; by default about 1000 times")
      ->check(positive_number());
  command->add_option("--reference", o->options.reference, "Measure distances from this method instead of a more exact run");
  command
      ->add_option("--agreement", o->options.agreement, "Distance up to which motions agree, as part of the mechanism's size")
      ->check(positive_number())
      ->capture_default_str();
  CLI::Option* const report = command->add_option("--report", o->report, "Write the report to FILE.html [MODEL-compare.html]");
  command->add_flag("--no-report", o->no_report, "Write no report")->excludes(report);
  add_set_option(*command, o->set);
  command->add_flag("--json", o->json, "The comparison as one JSON object on standard output");
  command->callback([o, report, &status] {
    if (report->count() > 0 && o->report.empty()) throw std::invalid_argument("--report \"\": name it FILE.html");
    if (!o->no_report) require_report_name(report_name(*o), o->model);
    status = compare(*o);
  });
}

}  // namespace polhode::cli
