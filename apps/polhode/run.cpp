#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "load.h"
#include "output.h"
#include "polhode/format/language/sample_file.h"
#include "polhode/format/plots/run_facts.h"
#include "polhode/format/plots/run_report.h"
#include "polhode/study/column_names.h"
#include "polhode/study/quantity.h"
#include "polhode/study/simulate.h"
#include "print_json.h"
#include "progress_bar.h"
#include "resume.h"
#include "run_output.h"
#include "run_record.h"
#include "run_settings.h"
#include "simulate_options.h"
#include "start.h"
#include "stop_request.h"
#include "summary_json.h"
#include "usage.h"

namespace polhode::cli {
namespace {

struct RunOptions {
  std::string model;
  study::SimulateOptions simulate;
  std::string out, resume, report, inputs;
  std::vector<std::string> track, set;
  bool json = false, quiet = false;
};

std::vector<int> frames_of(const std::vector<std::string>& names, const Mechanism& mechanism) {
  std::vector<int> frames;
  for (const auto& name : names) frames.push_back(mechanism.frame(name));
  return frames;
}

void print_for_people(const RunOptions& o, const study::SimulateSummary& s, const tree::Assembly& assembly,
                      const std::vector<std::string>& names) {
  fmt::print("{}: {:.9g} s by {}\n", o.model, s.time_end - s.time_start, format::how_it_was_run(s));
  if (assembly.moved > 1e-9 || assembly.speed_changed > 1e-9)
    fmt::print("  start                assembled: coordinates moved by up to {:.3g}, speeds by up to {:.3g}{}\n",
               assembly.moved, assembly.speed_changed,
               assembly.given_kept ? "" : "; some values of (initial ...) could not be kept");
  for (const auto& [label, text] : format::run_facts(s)) fmt::print("  {:<20} {}\n", label, text);
  if (!o.out.empty()) {
    fmt::print("  {} states written to {}\n", s.reports, o.out);
    for (const std::string& note : names) fmt::print("  {}\n", note);
  }
  if (!o.report.empty()) fmt::print("  report written to {}\n", o.report);
}

nlohmann::json as_json(const RunOptions& o, const study::SimulateSummary& s) {
  nlohmann::json result = summary_json(s);
  result["model"] = o.model;
  if (!o.out.empty()) result["out"] = o.out;
  if (!o.report.empty()) result["report"] = o.report;
  return result;
}

/// Refuses what would overwrite the model, or write one column twice.
void check_result(const RunOptions& o) {
  if (!o.out.ends_with(".csv") && !o.out.ends_with(".h5"))
    throw std::invalid_argument(
        fmt::format("--out \"{}\": tables of states are .csv or .h5 files; name it FILE.csv or FILE.h5", o.out));
  std::error_code no_file_yet;
  if (std::filesystem::equivalent(o.model, o.out, no_file_yet))
    throw std::invalid_argument(fmt::format("--out {} is the model itself, which would be lost; name another file", o.out));
  for (auto name = o.track.begin(); name != o.track.end(); ++name)
    if (std::find(o.track.begin(), name, *name) != name)
      throw std::invalid_argument(fmt::format("--track names \"{}\" twice; once is enough", *name));
}

format::ReportRecord record(const study::SimulateSummary& summary) {
  format::ReportRecord facts{{"method", summary.method}};
  const format::ReportRecord options = told(summary.options);
  facts.insert(facts.end(), options.begin(), options.end());
  const format::ReportRecord rest = report_record();
  facts.insert(facts.end(), rest.begin(), rest.end());
  return facts;
}

/// From the start, or from a checkpoint.
int simulate(const RunOptions& o, const format::Model& model, Stepper& stepper, const State& start, const RunOutput& output,
             const std::string* checkpoint, const tree::Assembly& assembly) {
  std::optional<format::RunSamples> samples;
  if (!o.report.empty())
    samples.emplace(model.mechanism, frames_of(o.track, model.mechanism),
                    study::Quantity::select(model.mechanism, o.simulate.record));
  study::SimulateSummary summary;
  {
    const StopRequest stop_request;
    ProgressBar bar(!o.json && !o.quiet);
    study::Checkpointing checkpointing = output.checkpointing();
    checkpointing.from = checkpoint;
    const auto report = [&](const State& state) {
      output.write(state);
      if (samples) samples->add(state);
    };
    summary = study::simulate(stepper, start, o.simulate, report, std::ref(bar), {}, checkpointing);
  }
  output.finish(summary, json_text(as_json(o, summary)));
  if (samples) write_text(o.report, format::run_report(summary, *samples, model, start, record(summary)));

  if (o.json) {
    print_json(as_json(o, summary));
  } else if (!o.quiet) {
    print_for_people(o, summary, assembly,
                     study::ColumnNames(model.mechanism).notes(model.mechanism, frames_of(o.track, model.mechanism)));
  }
  if (summary.completed) return done;
  std::fflush(stdout);  // first what was done, then what stopped it
  if (summary.interrupted) {
    const std::string how = o.out.ends_with(".h5") ? fmt::format("; polhode run --resume {} goes on from there", o.out) : "";
    complain(fmt::format("polhode: interrupted at t = {:.9g} s{}", summary.time_end, how));
  } else {
    complain(fmt::format("polhode: stopped at {}", with_flags(summary.failure)));
  }
  return failed;
}

std::unique_ptr<Stepper> stepper_of(const RunOptions& o, const format::Model& model) {
  try {
    return study::make_stepper(model.mechanism, o.simulate);
  } catch (const ModelError& error) {
    rethrow_with_places(error, model);
  }
}

/// The rows of --inputs.
void read_inputs(RunOptions& o) {
  if (o.inputs.empty()) return;
  const auto between = o.simulate.inputs.between;
  try {
    o.simulate.inputs = input_table(format::read_table_text(o.inputs));
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(fmt::format("--inputs {}: {}", o.inputs, error.what()));
  }
  o.simulate.inputs.between = between;
}

int run(RunOptions o) {
  read_inputs(o);
  const LoadedModel loaded = load(o.model, o.set);
  const Mechanism& mechanism = loaded.model.mechanism;
  const std::vector<int> tracked = frames_of(o.track, mechanism);
  const auto recorded = study::Quantity::select(mechanism, o.simulate.record);
  const auto stepper = stepper_of(o, loaded.model);  // before an old result file is overwritten
  State start = loaded.start;
  const tree::Assembly assembly = assemble_start(o.model, start);
  RunOutput output;
  if (!o.out.empty())
    output = RunOutput(
        o.out, record_of(loaded.model, parameter_values(o.set), o.track, o.simulate, start.time(), stepper->resolved_options()),
        mechanism, tracked, recorded);
  return simulate(o, loaded.model, *stepper, start, output, nullptr, assembly);
}

int resume(RunOptions o, bool more_time) {
  const ResumedRun run = read_run(o.resume, more_time ? std::optional(o.simulate.time) : std::nullopt);
  o.simulate = run.options;
  o.model = run.model.file;
  o.out = o.resume;
  const auto stepper = stepper_of(o, run.model);
  const RunOutput output = output_of(o.resume, run);
  return simulate(o, run.model, *stepper, run.start, output, &run.checkpoint.bytes, {});
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  const auto o = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Simulate a model");
  CLI::Option* const model = command->add_option("MODEL", o->model, "Model file (.pol)");
  CLI::Option* const resumed =
      command->add_option("--resume", o->resume, "Go on with a run that was stopped before its end, from its FILE.h5");
  add_time_option(*command, o->simulate);
  add_method_options(*command, o->simulate);
  CLI::Option* const every = command->add_option("--every", o->simulate.every, "Report every K-th step")
                                 ->transform(whole_number_up_to(std::numeric_limits<int>::max()))
                                 ->capture_default_str();
  command
      ->add_option("--interval", o->simulate.interval, "Report at multiples of this time instead [s]; steps are not disturbed")
      ->check(positive_number())
      ->excludes(every);
  CLI::Option* const out = command->add_option("--out", o->out, "Write the reported states to FILE.csv or FILE.h5");
  add_names_option(*command, "--track", o->track, "Frames whose positions to write, separated by commas");
  add_names_option(*command, "--record", o->simulate.record,
                   "Quantities to tell and to write, separated by commas: a family (reactions, forces, power, ...), "
                   "FAMILY:ELEMENT, or the name of a column (pin.force.z); see docs/record.md");
  CLI::Option* const page = command->add_option("--report", o->report, "Write a page about the run to FILE.html");
  add_set_option(*command, o->set);
  CLI::Option* const inputs =
      command->add_option("--inputs", o->inputs, "Table of the model's inputs over time: t, then a column for each input");
  command
      ->add_option_function<std::string>(
          "--inputs-between",
          [o](const std::string& word) {
            using Between = study::InputTable::Between;
            o->simulate.inputs.between = word == "hold" ? Between::hold : Between::linear;
          },
          "Between rows of --inputs: hold, each row's values until the next, or linear")
      ->check(CLI::IsMember({"hold", "linear"}))
      ->needs(inputs);
  command->add_flag("--json", o->json, "The summary as one JSON object on standard output");
  command->add_flag("--quiet", o->quiet, "No summary");
  command->callback([o, out, page, command, model, resumed, &status] {
    if (resumed->count() > 0) {
      refuse_with_resume(*command);
      status = resume(*o, command->get_option("--time")->count() > 0);
      return;
    }
    if (model->count() == 0) throw std::invalid_argument("run needs a MODEL, or --resume FILE.h5");
    if (out->count() > 0) check_result(*o);
    if (page->count() > 0) require_report_name(o->report, o->model);
    if (!o->track.empty() && o->out.empty() && o->report.empty())
      throw std::invalid_argument(
          "--track needs --out FILE.csv or FILE.h5 to write the positions to, or --report FILE.html to draw them in");
    status = run(*o);
  });
}

}  // namespace polhode::cli
