#include "run_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/format/language/sample_file.h"
#include "polhode/format/runs/csv.h"
#include "usage.h"

namespace polhode::cli {
namespace {

using study::SimulateOptions;

double number_of(const std::string& name, const std::string& text) {
  const double value = number(text);
  if (!std::isfinite(value))
    throw std::invalid_argument(fmt::format("its setting {} is \"{}\", which is not a number", name, text));
  return value;
}

int whole_number_of(const std::string& name, const std::string& text) {
  const double value = number_of(name, text);
  if (std::abs(value) > 2e9 || value != std::floor(value))
    throw std::invalid_argument(fmt::format("its setting {} is \"{}\", which is not a whole number", name, text));
  return int(value);
}

/// Of the method that the run is by.
void read_option(const MethodEntry& method, const std::string& name, const std::string& text, SimulateOptions& options) {
  for (const OptionField& field : method.options)
    if (field.take_word(name, text, options.options)) return;
  const bool known =
      std::any_of(method.options.begin(), method.options.end(), [&](const OptionField& field) { return field.word() == name; });
  if (known) throw std::invalid_argument(fmt::format("its setting {} is \"{}\", which cannot be read", name, text));
  throw std::invalid_argument(fmt::format("its setting \"{}\" is not known to this version", name));
}

/// The fixed step among the options, where it is when it is read back.
SimulateOptions with_step_among_options(SimulateOptions options) {
  options.options = given_values(options);
  options.dt.reset();
  return options;
}

}  // namespace

format::RunRecord::Words words_of(const SimulateOptions& options) {
  format::RunRecord::Words words{
      {"method", options.method}, {"time", fmt::format("{}", options.time)}, {"every", fmt::format("{}", options.every)}};
  if (options.interval) words.emplace_back("interval", fmt::format("{}", *options.interval));
  std::string record;  // one text, since there is one setting of a name
  for (const std::string& request : options.record) record += (record.empty() ? "" : ",") + format::csv_field(request);
  if (!record.empty()) words.emplace_back("record", record);
  const MethodEntry& method = study::method_named(options.method);
  for (const auto& [name, value] : given_values(options))
    if (const OptionField* field = method.option(name))
      for (auto& word : field->words(value)) words.push_back(std::move(word));
  // What would be lost here a resumed run would do without, and be another run.
  if (options_of(words) != with_step_among_options(options))
    throw std::logic_error("the settings of a run cannot all be kept in its file; this is a mistake in polhode");
  return words;
}

SimulateOptions options_of(const format::RunRecord::Words& words) {
  SimulateOptions options;
  for (const auto& [name, text] : words)
    if (name == "method") options.method = text;
  const MethodEntry& method = study::method_named(options.method);
  for (const auto& [name, text] : words) {
    if (name == "method") continue;
    if (name == "time") {
      options.time = number_of(name, text);
    } else if (name == "every") {
      options.every = whole_number_of(name, text);
    } else if (name == "interval") {
      options.interval = number_of(name, text);
    } else if (name == "record") {
      format::split_fields(text, options.record);
    } else {
      read_option(method, name, text, options);
    }
  }
  return options;
}

}  // namespace polhode::cli
