#include "polhode/study/fit.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "chosen_values.h"
#include "commands.h"
#include "load.h"
#include "polhode/format/language/varied_model.h"
#include "polhode/format/language/writer.h"
#include "polhode/format/runs/data_table.h"
#include "polhode/study/column_names.h"
#include "print_json.h"
#include "simulate_options.h"
#include "usage.h"
#include "variations.h"

namespace polhode::cli {
namespace {

struct FitArguments {
  std::string model, data, out;
  std::vector<std::string> set, parameters, columns;
  int threads = 0, most_iterations = 100;
  study::SimulateOptions simulate;
  std::optional<double> time;
  bool json = false, quiet = false;
};

/// The columns asked for, NAME or NAME=DEVIATION; without any, all that are coordinates, speeds or positions of frames.
study::FitData data_for(const FitArguments& o, const Mechanism& mechanism) {
  format::DataTable table;
  try {
    table = format::read_data_table(o.data);
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(fmt::format("{}: {}", o.data, error.what()));
  }
  study::FitData data;
  data.times = table.times;
  if (o.time)
    while (!data.times.empty() && data.times.back() > *o.time) data.times.pop_back();
  if (data.times.empty()) throw std::invalid_argument(fmt::format("{}: there are no rows up to {} s", o.data, *o.time));
  const auto add = [&](std::size_t column, double deviation) {
    table.values[column].resize(data.times.size());
    data.columns.push_back({table.columns[column], table.values[column], deviation});
  };
  const auto find = [&](const std::string& name) {
    return std::size_t(std::find(table.columns.begin(), table.columns.end(), name) - table.columns.begin());
  };
  for (const std::string& text : o.columns) {
    std::string name = text;
    double deviation = 1;
    if (const std::size_t equals = text.rfind('='); find(text) == table.columns.size() && equals != std::string::npos) {
      name = text.substr(0, equals);
      deviation = number(text.substr(equals + 1));
      if (!(std::isfinite(deviation) && deviation > 0))
        throw std::invalid_argument(fmt::format("--column \"{}\": the deviation must be a finite number above 0", text));
    }
    if (find(name) == table.columns.size())
      throw std::invalid_argument(
          fmt::format("{}: there is no column \"{}\"{}", o.data, name, suggestion(name, table.columns, "columns")));
    if (std::any_of(data.columns.begin(), data.columns.end(), [&](const auto& c) { return c.quantity == name; }))
      throw std::invalid_argument(fmt::format("--column names \"{}\" twice; once is enough", name));
    add(find(name), deviation);
  }
  if (!o.columns.empty()) return data;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& name = table.columns[i];
    if (study::ColumnNames::is_built_in(name)) continue;
    if (!study::Quantity::exists(mechanism, name))
      throw std::invalid_argument(
          fmt::format("{}: column \"{}\" is no quantity of {}; choose the columns to "
                      "compare with --column",
                      o.data, name, o.model));
    add(i, 1);
  }
  return data;
}

NamedValues found_values(const study::FitResult& r) {
  NamedValues values;
  for (const auto& v : r.values) values.emplace_back(v.name, v.value);
  return values;
}

void print_for_people(const FitArguments& o, const study::FitData& data, const study::FitResult& r, const std::string& set) {
  fmt::print("{}: {} value{} fitted to {} numbers of {}\n", o.model, r.values.size(), r.values.size() == 1 ? "" : "s", r.points,
             o.data);
  std::size_t width = 20;
  for (const auto& v : r.values) width = std::max(width, v.name.size());
  fmt::print("  {:<{}} {:>16} {:>14} {:>14}\n", "", width, "value", "error", "start");
  for (const auto& v : r.values)
    fmt::print("  {:<{}} {:>16.9g} {:>14} {:>14.6g}\n", v.name, width, v.value,
               v.standard_error ? fmt::format("{:.3g}", *v.standard_error) : "unknown", v.start);
  fmt::print("  rms residual         {:.4g} before, {:.4g} after\n", r.rms_before, r.rms_after);
  for (std::size_t i = 0; i < data.columns.size() && data.columns.size() > 1; ++i)
    fmt::print("    {:<18} {:.4g}\n", data.columns[i].quantity, r.column_rms[i]);
  fmt::print("  iterations           {}, {} runs; stopped because {}\n", r.iterations, r.runs, r.reason);
  fmt::print("  wall time            {:.3g} s\n", r.wall_time);
  for (const std::string& warning : r.warnings) fmt::print("  warning: {}\n", warning);
  if (!set.empty()) fmt::print("  to use it            {}\n", set);
  if (!o.out.empty()) fmt::print("  the fitted model was written to {}\n", o.out);
}

nlohmann::json as_json(const FitArguments& o, const study::FitData& data, const study::FitResult& r, const std::string& set) {
  nlohmann::json values = nlohmann::json::array();
  for (const auto& v : r.values)
    values.push_back({{"name", v.name},
                      {"value", v.value},
                      {"standard_error", v.standard_error ? nlohmann::json(*v.standard_error) : nlohmann::json()},
                      {"start", v.start},
                      {"at_bound", v.at_bound}});
  nlohmann::json columns = nlohmann::json::object();
  for (std::size_t i = 0; i < data.columns.size(); ++i) columns[data.columns[i].quantity] = r.column_rms[i];
  nlohmann::json object{{"model", o.model},
                        {"data", o.data},
                        {"values", values},
                        {"points", r.points},
                        {"rms_before", r.rms_before},
                        {"rms_after", r.rms_after},
                        {"rms_of_columns", columns},
                        {"iterations", r.iterations},
                        {"runs", r.runs},
                        {"converged", r.converged},
                        {"reason", r.reason},
                        {"warnings", r.warnings},
                        {"set", set},
                        {"wall_time", r.wall_time}};
  if (!r.correlations.empty()) {
    const std::size_t n = r.values.size();
    for (std::size_t i = 0; i < n; ++i)
      object["correlations"].push_back(std::vector<double>(r.correlations.begin() + std::ptrdiff_t(i * n),
                                                           r.correlations.begin() + std::ptrdiff_t((i + 1) * n)));
  }
  if (!o.out.empty()) object["out"] = o.out;
  return object;
}

int run(const FitArguments& o) {
  std::vector<Bounded> wanted;
  std::vector<std::string> names;
  for (const std::string& text : o.parameters) wanted.push_back(parse_bounded(text)), names.push_back(wanted.back().name);
  if (!o.out.empty()) require_other_file(o.out, o.model), require_other_file(o.out, o.data);

  const format::VariedModel model(o.model, names, parameter_values(o.set), format::VariedModel::GivenAndVaried::start);
  if (const std::string warnings = model.base().rendered_warnings(); !warnings.empty()) complain(warnings);
  const study::FitData data = data_for(o, model.base().mechanism);
  std::vector<study::FitVariable> variables;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    variables.push_back({.name = names[i], .start = model.base_values()[i]});
    if (wanted[i].bounded) variables[i].lower = wanted[i].low, variables[i].upper = wanted[i].high;
  }
  study::FitResult result;
  try {
    result = study::fit(variables, data, [&](std::span<const double> values) { return model.start(values); },
                        {.simulate = o.simulate, .threads = o.threads, .most_iterations = o.most_iterations});
  } catch (const ModelError& error) {
    rethrow_with_places(error, model.base());
  }

  if (!o.out.empty()) {
    std::vector<double> values;
    for (const auto& v : result.values) values.push_back(v.value);
    write_file(o.out, format::write_model(model.model(values).mechanism.description()));
  }
  const std::string set = set_options(found_values(result), model.base());
  if (o.json) {
    print_json(as_json(o, data, result, set));
  } else if (!o.quiet) {
    print_for_people(o, data, result, set);
  }
  if (result.converged) return done;
  std::fflush(stdout);
  complain(fmt::format("polhode: the fit did not converge: {}", result.reason));
  return failed;
}

}  // namespace

void add_fit(CLI::App& app, int& status) {
  const auto o = std::make_shared<FitArguments>();
  CLI::App* command = app.add_subcommand("fit", "Find the values with which a model moves as measured");
  command->add_option("MODEL", o->model, "Model file (.pol)")->required();
  command->add_option("DATA", o->data, "Measured table (.csv): a header, time in the first column")->required();
  command
      ->add_option("--parameter", o->parameters,
                   "NAME or NAME=low:high: a parameter to fit, or a coordinate or speed at the start; may be repeated")
      ->required()
      ->allow_extra_args(false);
  command
      ->add_option("--column", o->columns,
                   "NAME or NAME=DEVIATION: a column to compare, and the size of its noise; may be repeated [all columns]")
      ->allow_extra_args(false);
  command->add_option("--time", o->time, "Use the data up to this time only [s]")->check(positive_number());
  add_method_options(*command, o->simulate);
  add_set_option(*command, o->set);
  command->add_option("--iterations", o->most_iterations, "Most iterations allowed")
      ->transform(whole_number_up_to(100000))
      ->capture_default_str();
  command->add_option("--threads", o->threads, "How many threads [all cores]")->transform(whole_number_up_to(1024));
  CLI::Option* const out =
      command->add_option("--out", o->out, "Write the fitted model to FILE.pol, with numbers for parameters");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->add_flag("--quiet", o->quiet, "No summary");
  command->callback([o, out, &status] {
    if (out->count() > 0 && !o->out.ends_with(".pol"))
      throw std::invalid_argument(
          fmt::format("--out \"{}\": the fitted model is written to a .pol file; name it FILE.pol", o->out));
    status = run(*o);
  });
}

}  // namespace polhode::cli
