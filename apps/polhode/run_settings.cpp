#include "run_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/format/language/sample_file.h"
#include "polhode/format/runs/csv.h"
#include "polhode/format/runs/data_table.h"
#include "usage.h"

namespace polhode::cli {
namespace {

using study::InputTable;
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

/// A table of inputs as text, and back. The names stand in the first line, each number is the shortest that reads back.
std::string text_of(const study::InputTable& table) {
  std::string text = "t";
  for (const std::string& name : table.names) text += "," + format::csv_field(name);
  for (std::size_t row = 0; row < table.times.size(); ++row) {
    text += fmt::format("\n{}", table.times[row]);
    for (const auto& column : table.values) text += fmt::format(",{}", column[row]);
  }
  return text + "\n";
}
InputTable::Between between_of(const std::string& text) {
  for (const auto between : {InputTable::Between::hold, InputTable::Between::linear})
    if (text == study::name(between)) return between;
  throw std::invalid_argument(fmt::format("its setting inputs-between is \"{}\", which cannot be read", text));
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

study::InputTable input_table(std::string_view text) {
  format::DataTable table = format::parse_data_table(text);
  return {std::move(table.columns), std::move(table.times), std::move(table.values)};
}

format::RunRecord::Words words_of(const SimulateOptions& options) {
  format::RunRecord::Words words{
      {"method", options.method}, {"time", fmt::format("{}", options.time)}, {"every", fmt::format("{}", options.every)}};
  if (options.interval) words.emplace_back("interval", fmt::format("{}", *options.interval));
  std::string record;  // one text, since there is one setting of a name
  for (const std::string& request : options.record) record += (record.empty() ? "" : ",") + format::csv_field(request);
  if (!record.empty()) words.emplace_back("record", record);
  if (!options.inputs.empty()) {
    words.emplace_back("inputs", text_of(options.inputs));
    words.emplace_back("inputs-between", study::name(options.inputs.between));
  }
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
    } else if (name == "inputs") {
      const auto between = options.inputs.between;
      options.inputs = input_table(text);
      options.inputs.between = between;
    } else if (name == "inputs-between") {
      options.inputs.between = between_of(text);
    } else {
      read_option(method, name, text, options);
    }
  }
  return options;
}

}  // namespace polhode::cli
