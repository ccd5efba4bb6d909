#include "polhode/study/design.h"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>

#include "chosen_values.h"
#include "commands.h"
#include "design_report.h"
#include "load.h"
#include "measures.h"
#include "polhode/format/language/varied_model.h"
#include "polhode/format/runs/csv.h"
#include "print_json.h"
#include "simulate_options.h"
#include "stop_request.h"
#include "usage.h"
#include "variations.h"

namespace polhode::cli {
namespace {

constexpr int places_of_global = 16;

struct DesignArguments {
  std::string model, out, minimize, maximize;
  std::vector<std::string> set, parameters, limits;
  study::DesignOptions design;
  std::optional<int> starts;
  bool global = false;
  study::SimulateOptions simulate;
  bool json = false, quiet = false;

  const std::string& measure() const { return minimize.empty() ? maximize : minimize; }
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

/// MEASURE <= value, >= value or = value; the last sign ends the measure, whose name may have signs in it.
struct LimitText {
  std::string measure;
  study::DesignLimit::Sense sense;
  double bound;
};
LimitText parse_limit(const std::string& text) {
  using Sense = study::DesignLimit::Sense;
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("--subject-to \"{}\": {}", text, why));
  };
  const std::size_t equals = text.rfind('=');
  const char* const usage = "write \"MEASURE <= value\", \"MEASURE >= value\" or \"MEASURE = value\"";
  if (equals == std::string::npos || equals == 0) refuse(usage);
  LimitText limit{text.substr(0, equals), Sense::equal, number(trimmed(text.substr(equals + 1)))};
  if (limit.measure.ends_with('<') || limit.measure.ends_with('>')) {
    limit.sense = limit.measure.back() == '<' ? Sense::at_most : Sense::at_least;
    limit.measure.pop_back();
  }
  limit.measure = trimmed(limit.measure);
  if (limit.measure.empty()) refuse(usage);
  if (!std::isfinite(limit.bound)) refuse(fmt::format("\"{}\" is not a finite number; {}", text.substr(equals + 1), usage));
  return limit;
}

/// What is measured: first what is to be least or greatest, then what has limits.
struct Wanted {
  std::vector<study::Measure> measures;
  std::vector<study::DesignLimit> limits;
};
Wanted wanted_of(const DesignArguments& o, const Mechanism& mechanism) {
  Wanted wanted{.measures = measures_of({o.measure()}, mechanism), .limits = {}};
  for (const std::string& text : o.limits) {
    const LimitText limit = parse_limit(text);
    wanted.measures.push_back(measures_of({limit.measure}, mechanism)[0]);
    wanted.limits.push_back({wanted.measures.back().name(), limit.sense, limit.bound});
  }
  return wanted;
}

int run(const DesignArguments& o) {
  study::DesignProblem problem;
  std::vector<std::string> names;
  for (const std::string& text : o.parameters) {
    const Bounded bounded = parse_bounded(text);
    study::DesignVariable variable{.name = bounded.name};
    if (bounded.bounded) variable.lower = bounded.low, variable.upper = bounded.high;
    names.push_back(bounded.name);
    problem.variables.push_back(variable);
  }
  if (!o.out.empty()) require_table_name(o.out, o.model);

  const format::VariedModel model(o.model, names, parameter_values(o.set), format::VariedModel::GivenAndVaried::start);
  if (const std::string warnings = model.base().rendered_warnings(); !warnings.empty()) complain(warnings);
  for (std::size_t k = 0; k < names.size(); ++k) problem.variables[k].start = model.base_values()[k];
  Wanted wanted = wanted_of(o, model.base().mechanism);
  problem.measure = wanted.measures[0].name();
  problem.maximize = o.minimize.empty();
  problem.limits = std::move(wanted.limits);
  study::DesignOptions options = o.design;
  options.starts = o.starts.value_or(o.global ? places_of_global : 1);

  study::DesignResult result;
  std::optional<format::FileLock> lock;
  try {
    const StopRequest stop_request;
    if (!o.out.empty()) lock.emplace(o.out);
    problem.model = study::measured_model(
        [&](std::span<const double> values) { return model.start(values); },
        {.simulate = o.simulate, .measures = std::move(wanted.measures), .interrupted = StopRequest::asked},
        model.base_values());
    options.difference = study::difference_step(o.simulate);
    result = study::design(problem, options);
  } catch (const ModelError& error) {
    rethrow_with_places(error, model.base());
  }
  for (std::string& warning : result.warnings) warning = with_flags(warning);

  if (!o.out.empty()) write_file(o.out, table_of(problem, result));
  const DesignReport report{o.model, o.simulate.method, o.out, problem, result, model.base()};
  if (o.json) {
    print_json(as_json(report));
  } else if (!o.quiet) {
    print_for_people(report);
  }
  if (result.converged) return done;
  std::fflush(stdout);
  complain(fmt::format("polhode: {}", result.met ? "the search did not come to rest: " + result.reason
                                                 : "no values were found that meet all limits"));
  return failed;
}

std::string search_help() {
  std::string text = "How to search: auto";
  for (const study::DesignMethod& method : study::design_methods()) text += ", " + method.name;
  return text;
}

}  // namespace

void add_design(CLI::App& app, int& status) {
  const auto o = std::make_shared<DesignArguments>();
  CLI::App* command = app.add_subcommand("design", "Find the values with which a measure of the motion is least or greatest");
  command->add_option("MODEL", o->model, "Model file (.pol)")->required();
  command
      ->add_option("--parameter", o->parameters,
                   "NAME or NAME=low:high: a parameter to choose, or a coordinate or speed at the start; may be repeated")
      ->required()
      ->allow_extra_args(false);
  const char* const measure_help = "QUANTITY or QUANTITY:final|min|max|mean, as for sweep --measure";
  CLI::Option* const least = command->add_option("--minimize", o->minimize, measure_help);
  CLI::Option* const most = command->add_option("--maximize", o->maximize, measure_help)->excludes(least);
  command
      ->add_option("--subject-to", o->limits,
                   "\"MEASURE <= value\", \"MEASURE >= value\" or \"MEASURE = value\": a limit; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--search", o->design.method, search_help())->capture_default_str();
  CLI::Option* const global = command->add_flag(
      "--global", o->global, fmt::format("Search from {} places within the bounds, on all cores", places_of_global));
  command->add_option("--starts", o->starts, "Search from so many places")
      ->transform(whole_number_up_to(10000))
      ->excludes(global);
  command->add_option("--search-tolerance", o->design.tolerance, "Stop when values change by less, as a part of their range")
      ->check(positive_number_up_to(0.1))
      ->capture_default_str();
  command->add_option("--max-runs", o->design.most_runs, "Most runs of the search")
      ->transform(whole_number_up_to(1'000'000))
      ->capture_default_str();
  command->add_option("--seed", o->design.seed, "Seed of the places, and of searches that draw")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  add_time_option(*command, o->simulate);
  add_method_options(*command, o->simulate);
  add_set_option(*command, o->set);
  command->add_option("--threads", o->design.threads, "How many threads [all cores]")->transform(whole_number_up_to(1024));
  CLI::Option* const out = command->add_option("--out", o->out, "Write one row per run of the search to FILE.csv");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->add_flag("--quiet", o->quiet, "No summary");
  command->callback([o, out, least, most, &status] {
    if (out->count() > 0 && o->out.empty()) throw std::invalid_argument("--out needs a file's name");
    if (least->count() + most->count() == 0)
      throw std::invalid_argument("there is nothing to aim at; give --minimize MEASURE or --maximize MEASURE");
    if (o->measure().empty()) throw std::invalid_argument("--minimize and --maximize need a measure's name");
    status = run(*o);
  });
}

}  // namespace polhode::cli
