#include "polhode/study/sensitivity.h"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "chosen_values.h"
#include "commands.h"
#include "load.h"
#include "measures.h"
#include "polhode/format/language/varied_model.h"
#include "polhode/format/runs/csv.h"
#include "print_json.h"
#include "progress_bar.h"
#include "simulate_options.h"
#include "stop_request.h"
#include "usage.h"
#include "variations.h"

namespace polhode::cli {
namespace {

struct SensitivityArguments {
  std::string model, out, sampling = "sobol";
  std::vector<std::string> set, parameters, random, measures;
  study::GlobalOptions global;
  study::SimulateOptions simulate;
  bool json = false, quiet = false;
};

/// What both kinds have at hand.
struct Setting {
  const SensitivityArguments& o;
  std::vector<std::string> variables, measures;
  std::size_t width() const {
    std::size_t w = 20;
    for (const std::string& name : variables) w = std::max(w, name.size());
    return w;
  }
};

void write_local(const Setting& s, const study::LocalResult& r) {
  std::string text = "measure,variable,derivative,error,elasticity\n";
  for (std::size_t m = 0; m < s.measures.size(); ++m)
    for (std::size_t k = 0; k < s.variables.size(); ++k) {
      const study::LocalSensitivity& of = r.of[m][k];
      text += format::csv_field(s.measures[m]) + ',' + format::csv_field(s.variables[k]);
      text += of.derivative ? fmt::format(",{},{},", *of.derivative, of.error) : ",,,";
      text += of.elasticity ? fmt::format("{}\n", *of.elasticity) : "\n";
    }
  write_file(s.o.out, text);
}

void print_local(const Setting& s, const study::LocalResult& r) {
  fmt::print("{}: {} measure{}, near {} value{}; {} runs of {:.9g} s by {}\n", s.o.model, s.measures.size(),
             s.measures.size() == 1 ? "" : "s", s.variables.size(), s.variables.size() == 1 ? "" : "s", r.runs,
             s.o.simulate.time, s.o.simulate.method);
  for (std::size_t m = 0; m < s.measures.size(); ++m) {
    fmt::print("  {} = {:.9g}\n", s.measures[m], r.measures[m]);
    fmt::print("    {:<{}} {:>14} {:>10} {:>14}\n", "", s.width(), "derivative", "error", "elasticity");
    for (std::size_t k = 0; k < s.variables.size(); ++k) {
      const study::LocalSensitivity& of = r.of[m][k];
      fmt::print("    {:<{}} {:>14} {:>10} {:>14}\n", s.variables[k], s.width(),
                 of.derivative ? fmt::format("{:.7g}", *of.derivative) : "unknown",
                 of.derivative ? fmt::format("{:.1g}", of.error) : "",
                 of.elasticity ? fmt::format("{:.5g}", *of.elasticity) : "");
    }
  }
}

nlohmann::json local_json(const Setting& s, const study::LocalResult& r) {
  nlohmann::json all = nlohmann::json::object();
  for (std::size_t m = 0; m < s.measures.size(); ++m) {
    nlohmann::json& measure = all[s.measures[m]];
    measure["value"] = r.measures[m];
    for (std::size_t k = 0; k < s.variables.size(); ++k) {
      const study::LocalSensitivity& of = r.of[m][k];
      measure["of"][s.variables[k]] = {{"derivative", of.derivative ? nlohmann::json(*of.derivative) : nlohmann::json()},
                                       {"error", of.derivative ? nlohmann::json(of.error) : nlohmann::json()},
                                       {"elasticity", of.elasticity ? nlohmann::json(*of.elasticity) : nlohmann::json()}};
    }
  }
  return all;
}

void write_global(const Setting& s, const study::GlobalResult& r) {
  std::string text = "measure,variable,first,first_low,first_high,total,total_low,total_high\n";
  for (std::size_t m = 0; m < s.measures.size(); ++m)
    for (std::size_t k = 0; k < r.of[m].size(); ++k) {
      const auto& [first, total] = r.of[m][k];
      text += format::csv_field(s.measures[m]) + ',' + format::csv_field(s.variables[k]) +
              fmt::format(",{},{},{},{},{},{}\n", first.value, first.low, first.high, total.value, total.low, total.high);
    }
  write_file(s.o.out, text);
}

void print_global(const Setting& s, const study::GlobalResult& r) {
  fmt::print("{}: {} measure{} over {} random value{}; {} runs of {:.9g} s by {}\n", s.o.model, s.measures.size(),
             s.measures.size() == 1 ? "" : "s", s.variables.size(), s.variables.size() == 1 ? "" : "s", r.runs,
             s.o.simulate.time, s.o.simulate.method);
  fmt::print("  samples              {}, {}, seed {}\n", r.samples, s.o.sampling, s.o.global.seed);
  for (std::size_t m = 0; m < s.measures.size(); ++m) {
    fmt::print("  {}: mean {:.6g}, deviation {:.4g}\n", s.measures[m], r.mean[m], r.deviation[m]);
    if (r.of[m].empty()) {
      fmt::print("    it does not vary\n");
      continue;
    }
    fmt::print("    {:<{}} {:>8} {:>18} {:>8} {:>18}\n", "", s.width(), "alone", "95 %", "total", "95 %");
    for (std::size_t k = 0; k < s.variables.size(); ++k) {
      const auto& [first, total] = r.of[m][k];
      fmt::print("    {:<{}} {:>8.4f} {:>18} {:>8.4f} {:>18}\n", s.variables[k], s.width(), first.value,
                 fmt::format("{:.4f} to {:.4f}", first.low, first.high), total.value,
                 fmt::format("{:.4f} to {:.4f}", total.low, total.high));
    }
  }
}

nlohmann::json global_json(const Setting& s, const study::GlobalResult& r) {
  const auto estimate = [](const study::Estimate& e) {
    return nlohmann::json{{"value", e.value}, {"low", e.low}, {"high", e.high}};
  };
  nlohmann::json all = nlohmann::json::object();
  for (std::size_t m = 0; m < s.measures.size(); ++m) {
    nlohmann::json& measure = all[s.measures[m]];
    measure["mean"] = r.mean[m], measure["deviation"] = r.deviation[m];
    for (std::size_t k = 0; k < r.of[m].size(); ++k)
      measure["of"][s.variables[k]] = {{"alone", estimate(r.of[m][k].first)}, {"total", estimate(r.of[m][k].total)}};
  }
  return all;
}

nlohmann::json common_json(const Setting& s, long runs, long failures, const std::vector<std::string>& warnings) {
  nlohmann::json object{
      {"model", s.o.model}, {"method", s.o.simulate.method}, {"runs", runs}, {"failed", failures}, {"warnings", warnings}};
  if (!s.o.out.empty()) object["out"] = s.o.out;
  return object;
}

template <class Result>
int tell(const Setting& s, const Result& r, nlohmann::json measures, void (*print)(const Setting&, const Result&)) {
  if (s.o.json) {
    nlohmann::json object = common_json(s, r.runs, r.failures, r.warnings);
    object["measures"] = std::move(measures);
    if constexpr (std::is_same_v<Result, study::GlobalResult>) object["samples"] = r.samples, object["sampling"] = s.o.sampling;
    print_json(object);
  } else if (!s.o.quiet) {
    print(s, r);
    for (const std::string& warning : r.warnings) fmt::print("  warning: {}\n", with_flags(warning));
    if (!s.o.out.empty()) fmt::print("  written to {}\n", s.o.out);
  }
  return done;
}

int run(const SensitivityArguments& o) {
  std::vector<study::Distribution> distributions;
  Setting setting{o, {}, {}};
  for (const std::string& text : o.random) {
    distributions.push_back(parse_distribution(text));
    setting.variables.push_back(distributions.back().name);
  }
  for (const std::string& text : o.parameters) {
    const Bounded bounded = parse_bounded(text);
    if (bounded.bounded)
      throw std::invalid_argument(
          fmt::format("--parameter \"{}\": derivatives are taken at the model's own value, so there "
                      "are no bounds; for a range write --random \"{}=uniform({},{})\"",
                      text, bounded.name, bounded.low, bounded.high));
    setting.variables.push_back(bounded.name);
  }
  if (setting.variables.empty())
    throw std::invalid_argument("nothing is changed; give --parameter NAME, or --random \"NAME=normal(mean,deviation)\"");
  for (auto name = setting.variables.begin(); name != setting.variables.end(); ++name)
    if (std::find(setting.variables.begin(), name, *name) != name)
      throw std::invalid_argument(fmt::format("\"{}\" is named twice; keep one", *name));
  if (!o.out.empty()) require_table_name(o.out, o.model);

  const bool local = distributions.empty();
  const format::VariedModel model(
      o.model, setting.variables, parameter_values(o.set),
      local ? format::VariedModel::GivenAndVaried::start : format::VariedModel::GivenAndVaried::refused);
  if (const std::string warnings = model.base().rendered_warnings(); !warnings.empty()) complain(warnings);
  std::vector<study::Measure> measures = measures_of(o.measures, model.base().mechanism);
  for (const study::Measure& measure : measures) setting.measures.push_back(measure.name());
  std::optional<format::FileLock> lock;
  try {
    const StopRequest stop_request;
    if (!o.out.empty()) lock.emplace(o.out);
    const study::MeasuredModel measured = study::measured_model(
        [&](std::span<const double> values) { return model.start(values); },
        {.simulate = o.simulate, .measures = std::move(measures), .interrupted = StopRequest::asked}, model.base_values());
    const std::size_t count = setting.measures.size();
    const auto interrupted = [] {
      complain("polhode: interrupted: not all runs were made");
      return failed;
    };
    if (local) {
      std::vector<study::LocalVariable> variables;
      for (std::size_t k = 0; k < setting.variables.size(); ++k)
        variables.push_back({setting.variables[k], model.base_values()[k]});
      const study::LocalResult result =
          study::local_sensitivity(variables, count, measured, study::difference_step(o.simulate), o.global.threads);
      if (result.interrupted) return interrupted();
      if (!o.out.empty()) write_local(setting, result);
      return tell(setting, result, local_json(setting, result), print_local);
    }
    study::GlobalOptions options = o.global;
    options.sampling = study::sampling_named(o.sampling);
    ProgressBar bar(!o.json && !o.quiet);
    const study::GlobalResult result = study::global_sensitivity(distributions, count, measured, options, std::ref(bar));
    if (result.interrupted) return interrupted();
    if (!o.out.empty()) write_global(setting, result);
    return tell(setting, result, global_json(setting, result), print_global);
  } catch (const ModelError& error) {
    rethrow_with_places(error, model.base());
  }
}

}  // namespace

void add_sensitivity(CLI::App& app, int& status) {
  const auto o = std::make_shared<SensitivityArguments>();
  CLI::App* command = app.add_subcommand("sensitivity", "Tell how much measures of the motion depend on values");
  command->add_option("MODEL", o->model, "Model file (.pol)")->required();
  CLI::Option* const parameter =
      command
          ->add_option("--parameter", o->parameters,
                       "NAME: derivatives with respect to a parameter, or a coordinate or speed at the start; may be repeated")
          ->allow_extra_args(false);
  CLI::Option* const random = command
                                  ->add_option("--random", o->random,
                                               "NAME=normal(mean,deviation) or NAME=uniform(low,high): parts of the variance "
                                               "that come from it; may be repeated")
                                  ->allow_extra_args(false)
                                  ->excludes(parameter);
  command
      ->add_option("--measure", o->measures,
                   "QUANTITY or QUANTITY:final|min|max|mean, of a coordinate, a speed, FRAME.x, or an energy; may be repeated")
      ->required()
      ->allow_extra_args(false);
  command
      ->add_option("--samples", o->global.samples,
                   "How many samples; the model runs so many times the number of variables and two")
      ->needs(random)
      ->transform(whole_number(8, std::uint64_t(study::most_runs)))
      ->capture_default_str();
  command
      ->add_option("--sampling", o->sampling,
                   fmt::format("How samples are spread: {}", fmt::join(study::sampling_names(), ", ")))
      ->needs(random)
      ->capture_default_str();
  command->add_option("--seed", o->global.seed, "Seed of the random numbers")
      ->needs(random)
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  add_time_option(*command, o->simulate);
  add_method_options(*command, o->simulate);
  add_set_option(*command, o->set);
  command->add_option("--threads", o->global.threads, "How many threads [all cores]")->transform(whole_number_up_to(1024));
  CLI::Option* const out = command->add_option("--out", o->out, "Write one row per measure and value to FILE.csv");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->add_flag("--quiet", o->quiet, "No summary");
  command->callback([o, out, &status] {
    if (out->count() > 0 && o->out.empty()) throw std::invalid_argument("--out needs a file's name");
    status = run(*o);
  });
}

}  // namespace polhode::cli
