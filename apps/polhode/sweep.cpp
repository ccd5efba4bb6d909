#include "polhode/study/sweep.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "chosen_values.h"
#include "commands.h"
#include "load.h"
#include "measures.h"
#include "polhode/format/language/varied_model.h"
#include "polhode/format/runs/csv.h"
#include "polhode/study/column_names.h"
#include "polhode/study/statistics.h"
#include "print_json.h"
#include "progress_bar.h"
#include "simulate_options.h"
#include "stop_request.h"
#include "usage.h"
#include "variations.h"

namespace polhode::cli {
namespace {

struct SweepArguments {
  std::string model, out;
  std::vector<std::string> set, vary, random, measures;
  long samples = 0;
  std::uint64_t seed = 1;
  std::string sampling = "random";
  int threads = 0;
  study::SimulateOptions simulate;
  bool json = false, quiet = false;
};

study::Plan plan_of(const SweepArguments& o) {
  std::vector<study::Range> ranges;
  std::vector<study::Distribution> distributions;
  for (const std::string& text : o.vary) ranges.push_back(parse_range(text));
  for (const std::string& text : o.random) distributions.push_back(parse_distribution(text));
  if (ranges.empty() && distributions.empty())
    throw std::invalid_argument(
        "nothing is varied; give --vary NAME=first:last:count or --random \"NAME=normal(mean,deviation)\"");
  return {std::move(ranges), std::move(distributions), o.samples, o.seed, study::sampling_named(o.sampling)};
}

/// One column of the table: what runs have in common, then what was asked for.
struct Column {
  std::string name;
  std::function<double(const study::SweepRun&)> of;
};
std::vector<Column> result_columns(const std::vector<study::Measure>& measures) {
  std::vector<Column> columns{
      {"time", [](const auto& r) { return r.time_end; }},
      {"steps", [](const auto& r) { return double(r.steps); }},
      {"energy_start", [](const auto& r) { return r.energy_start; }},
      {"energy_end", [](const auto& r) { return r.energy_end; }},
      {"energy_drift", [](const auto& r) { return r.energy_end - r.energy_start; }},
      {"constraint", [](const auto& r) { return r.constraint_error; }},
  };
  for (std::size_t i = 0; i < measures.size(); ++i)
    columns.push_back({measures[i].name(), [i](const auto& r) { return r.measures.at(i); }});
  return columns;
}

/// Cells of a run that failed are empty, but for how far it got and why.
void write_table(const std::string& file, const study::Plan& plan, const study::SweepResult& result,
                 const std::vector<Column>& columns) {
  std::vector<std::string> others{"run", "completed", "failure"};
  for (const Column& column : columns) others.push_back(column.name);
  std::string line = "run";
  for (const std::string& name : study::distinct(plan.names(), others, "varied.")) line += ',' + format::csv_field(name);
  line += ",completed";
  for (const Column& column : columns) line += ',' + format::csv_field(column.name);
  std::string text = line + ",failure\n";
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    const study::SweepRun& run = result.runs[i];
    line = fmt::format("{}", i + 1);
    for (const double x : run.values) line += fmt::format(",{}", x);
    line += run.completed ? ",1" : ",0";
    for (const Column& column : columns)
      line += run.completed           ? fmt::format(",{}", column.of(run))
              : column.name == "time" ? fmt::format(",{}", run.time_end)
                                      : ",";
    text += line + ',' + format::csv_field(run.failure) + '\n';
  }
  write_file(file, text);
}

study::Statistics statistics_of(const study::SweepResult& result, const Column& column) {
  std::vector<double> numbers;
  for (const study::SweepRun& run : result.runs)
    if (run.completed) numbers.push_back(column.of(run));
  return study::statistics(std::move(numbers));
}

/// Reasons and how often each, the most frequent first.
std::vector<std::pair<std::string, long>> reasons(const study::SweepResult& result) {
  std::map<std::string, long> counts;
  for (const study::SweepRun& run : result.runs)
    if (!run.completed && !run.interrupted) ++counts[run.failure];
  std::vector<std::pair<std::string, long>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

/// Runs that an interruption cut short or left out are none.
double runs_per_second(const study::Plan& plan, const study::SweepResult& r) {
  return double(plan.size() - r.interrupted) / std::max(r.wall_time, 1e-9);
}

void print_for_people(const SweepArguments& o, const study::Plan& plan, const study::SweepResult& r,
                      const std::vector<Column>& columns) {
  const long n = plan.size();
  fmt::print("{}: {} runs of {:.9g} s by {}, varying {}\n", o.model, n, o.simulate.time, o.simulate.method,
             fmt::join(plan.names(), ", "));
  if (plan.is_random())
    fmt::print("  samples              {}, {}seed {}\n", plan.samples(),
               plan.sampling() == study::Sampling::random ? "" : study::name_of(plan.sampling()) + ", ", plan.seed());
  const long completed = n - r.failures - r.interrupted;
  fmt::print("  completed            {}, failed {}{}\n", completed, r.failures,
             r.interrupted > 0 ? fmt::format(", interrupted {}", r.interrupted) : "");
  fmt::print("  wall time            {:.3g} s on {} thread{}, {:.4g} runs a second; {:.2f} processors were at work\n",
             r.wall_time, r.threads, r.threads == 1 ? "" : "s", runs_per_second(plan, r),
             r.processor_time / std::max(r.wall_time, 1e-9));
  if (completed > 0) {
    std::size_t width = 20;
    for (const Column& column : columns) width = std::max(width, column.name.size());
    fmt::print("  {:<{}} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "", width, "mean", "deviation", "least", "5 %",
               "median", "95 %", "greatest");
    for (const Column& column : columns) {
      const study::Statistics s = statistics_of(r, column);
      fmt::print("  {:<{}} {:>12.6g} {:>12.4g} {:>12.6g} {:>12.6g} {:>12.6g} {:>12.6g} {:>12.6g}\n", column.name, width, s.mean,
                 s.deviation, s.least, s.quantile_05, s.median, s.quantile_95, s.greatest);
    }
  }
  if (!o.out.empty()) fmt::print("  {} rows written to {}\n", n, o.out);
  const auto why = reasons(r);
  for (std::size_t i = 0; i < std::min<std::size_t>(why.size(), 5); ++i)
    fmt::print("  {} failed: {}\n", why[i].second, why[i].first);
  if (why.size() > 5) fmt::print("  and others for {} more reasons; --out FILE.csv has them all\n", why.size() - 5);
}

nlohmann::json as_json(const SweepArguments& o, const study::Plan& plan, const study::SweepResult& r,
                       const std::vector<Column>& columns) {
  nlohmann::json object{{"model", o.model},
                        {"method", o.simulate.method},
                        {"runs", plan.size()},
                        {"completed", plan.size() - r.failures - r.interrupted},
                        {"failed", r.failures},
                        {"interrupted", r.interrupted},
                        {"varied", plan.names()},
                        {"threads", r.threads},
                        {"wall_time", r.wall_time},
                        {"processor_time", r.processor_time},
                        {"runs_per_second", runs_per_second(plan, r)}};
  if (plan.is_random()) {
    object["samples"] = plan.samples();
    object["sampling"] = study::name_of(plan.sampling());
    object["seed"] = plan.seed();
  }
  if (!o.out.empty()) object["out"] = o.out;
  object["statistics"] = nlohmann::json::object();
  if (r.failures + r.interrupted < plan.size())
    for (const Column& column : columns) {
      const study::Statistics s = statistics_of(r, column);
      object["statistics"][column.name] = {
          {"mean", s.mean},     {"deviation", s.deviation},     {"least", s.least},      {"quantile_05", s.quantile_05},
          {"median", s.median}, {"quantile_95", s.quantile_95}, {"greatest", s.greatest}};
    }
  object["failures"] = nlohmann::json::object();
  for (const auto& [reason, count] : reasons(r)) object["failures"][reason] = count;
  if (!o.out.empty()) return object;
  for (const study::SweepRun& run : r.runs) {
    nlohmann::json row = {{"completed", run.completed}, {"values", run.values}};
    if (!run.completed) row["failure"] = run.failure, row["time"] = run.time_end;
    for (const Column& column : columns)
      if (run.completed) row[column.name] = column.of(run);
    object["rows"].push_back(std::move(row));
  }
  return object;
}

int run(const SweepArguments& o) {
  const study::Plan plan = plan_of(o);
  study::SweepOptions options{.simulate = o.simulate, .measures = {}, .threads = o.threads};
  if (!o.out.empty()) require_table_name(o.out, o.model);

  const format::VariedModel model(o.model, plan.names(), parameter_values(o.set));
  options.measures = measures_of(o.measures, model.base().mechanism);
  if (const std::string warnings = model.base().rendered_warnings(); !warnings.empty()) complain(warnings);
  study::SweepResult result;
  std::optional<format::FileLock> lock;  // from the beginning: a sweep is not to find out at its end that it cannot write
  try {
    const StopRequest stop_request;
    if (!o.out.empty()) lock.emplace(o.out);
    options.interrupted = StopRequest::asked;
    ProgressBar bar(!o.json && !o.quiet);
    result = study::sweep(
        plan, [&](std::span<const double> values) { return model.start(values); }, options, std::ref(bar));
  } catch (const ModelError& error) {
    rethrow_with_places(error, model.base());
  }
  for (study::SweepRun& one : result.runs) one.failure = with_flags(one.failure);

  const std::vector<Column> columns = result_columns(options.measures);
  if (!o.out.empty()) write_table(o.out, plan, result, columns);
  if (o.json) {
    print_json(as_json(o, plan, result, columns));
  } else if (!o.quiet) {
    print_for_people(o, plan, result, columns);
  }
  std::fflush(stdout);
  if (result.interrupted > 0) {
    complain(fmt::format("polhode: interrupted: {} of {} runs were not completed{}", result.interrupted, plan.size(),
                         o.out.empty() ? "" : fmt::format("; {} has the others", o.out)));
    return failed;
  }
  if (result.failures < plan.size()) return done;
  complain(fmt::format("polhode: every run failed, the first because {}", result.runs[0].failure));
  return failed;
}

}  // namespace

void add_sweep(CLI::App& app, int& status) {
  const auto o = std::make_shared<SweepArguments>();
  CLI::App* command = app.add_subcommand("sweep", "Run a model many times with different values, on all cores");
  command->add_option("MODEL", o->model, "Model file (.pol)")->required();
  command
      ->add_option(
          "--vary", o->vary,
          "NAME=first:last:count or NAME=value,value,...: values of a parameter, or of a coordinate or speed at the start; "
          "repeat it for every combination")
      ->allow_extra_args(false);
  CLI::Option* const random =
      command
          ->add_option("--random", o->random,
                       "NAME=normal(mean,deviation) or NAME=uniform(low,high): samples instead of a grid")
          ->allow_extra_args(false);
  CLI::Option* const samples = command->add_option("--samples", o->samples, "How many samples, for each combination of --vary")
                                   ->transform(whole_number_up_to(int(study::most_runs)))
                                   ->needs(random);
  random->needs(samples);
  command->add_option("--seed", o->seed, "Seed of the random numbers; the same seed gives the same samples")
      ->needs(random)
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  command
      ->add_option("--sampling", o->sampling,
                   fmt::format("How samples are spread: {}", fmt::join(study::sampling_names(), ", ")))
      ->needs(random)
      ->capture_default_str();
  command
      ->add_option("--measure", o->measures,
                   "QUANTITY or QUANTITY:final|min|max|mean, of a coordinate, a speed, FRAME.x, or an energy; may be repeated")
      ->allow_extra_args(false);
  add_time_option(*command, o->simulate);
  add_method_options(*command, o->simulate);
  add_set_option(*command, o->set);
  command->add_option("--threads", o->threads, "How many threads [all cores]")->transform(whole_number_up_to(1024));
  CLI::Option* const out = command->add_option("--out", o->out, "Write one row per run to FILE.csv");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->add_flag("--quiet", o->quiet, "No summary");
  command->callback([o, out, &status] {
    if (out->count() > 0 && o->out.empty()) throw std::invalid_argument("--out needs a file's name");
    status = run(*o);
  });
}

}  // namespace polhode::cli
