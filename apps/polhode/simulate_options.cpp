#include "simulate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "polhode/study/option_list.h"
#include "usage.h"

namespace polhode::cli {
namespace {

using study::ListedOption;

std::string help_of(const ListedOption& option) {
  const auto& kind = option.first().kind;
  const bool one_of_few = std::holds_alternative<OptionField::Whole>(kind) || std::holds_alternative<OptionField::Choice>(kind);
  const std::string meaning = option.help() + (one_of_few ? ": " + option.allowed() : "");
  std::string help = fmt::format("{} [{}]", meaning, option.standard());
  if (const std::string takers = option.takers(); takers != "all") return takers + ": " + help;
  help.front() = char(std::toupper(help.front()));
  return help;
}

const char* type_of(const OptionField& field) {
  constexpr std::array<const char*, std::variant_size_v<decltype(field.kind)>> names{"FLOAT", "INT", "TEXT", "NAME=FLOAT"};
  return names[field.kind.index()];
}

/// Refuses text that is not of the option's type, and numbers that no method takes. Words and whole numbers are left to the
/// library, which knows the method that is meant.
CLI::Validator text_of_type(const ListedOption& option) {
  return {[option](std::string& text) -> std::string {
            const OptionField& field = option.first();
            const auto value = field.read(text);
            if (std::holds_alternative<OptionField::Named>(field.kind))
              return value && field.objection(*value).empty()
                         ? ""
                         : fmt::format("\"{}\": write NAME=value with a positive number, e.g. slider=0.001", text);
            if (std::holds_alternative<OptionField::Whole>(field.kind))
              return value ? "" : fmt::format("\"{}\" must be a whole number", text);
            if (!std::holds_alternative<OptionField::Real>(field.kind)) return "";
            const auto takes = [&](const OptionField* of_method) { return of_method->objection(*value).empty(); };
            if (value && std::any_of(option.fields.begin(), option.fields.end(), takes)) return "";
            return fmt::format("\"{}\" {}must be {}", text, value ? "" : "is not a number; it ", field.allowed());
          },
          ""};
}

void put(const OptionField& field, const std::vector<std::string>& texts, OptionValues& into) {
  NamedNumbers numbers;
  for (const std::string& text : texts) {
    const OptionValue value = *field.read(text);  // the validator has seen to it that it can be read
    if (const auto* named = std::get_if<NamedNumbers>(&value)) {
      numbers.push_back(named->front());
    } else {
      into.set(field.name, value);
    }
  }
  if (!numbers.empty()) into.set(field.name, numbers);
}

}  // namespace

void add_time_option(CLI::App& command, study::SimulateOptions& options) {
  command.add_option("--time", options.time, "How long to simulate [s]")->check(positive_number())->capture_default_str();
}

void add_options_of_methods(CLI::App& command, study::SimulateOptions& options) {
  for (const ListedOption& listed : study::listed_options()) {
    CLI::Option* const option = command.add_option_function<std::vector<std::string>>(
        "--" + listed.word,
        [&options, &field = listed.first()](const std::vector<std::string>& texts) { put(field, texts, options.options); },
        help_of(listed));
    option->check(text_of_type(listed))->type_name(type_of(listed.first()))->allow_extra_args(false);
    if (!std::holds_alternative<OptionField::Named>(listed.first().kind)) option->expected(1);
  }
}

void add_method_options(CLI::App& command, study::SimulateOptions& options) {
  command
      .add_option("--method", options.method,
                  "How to step through time: " + fmt::format("{}", fmt::join(study::method_names(), ", ")))
      ->capture_default_str();
  add_options_of_methods(command, options);
  for (const ListedOption& listed : study::listed_options())
    if (!listed.first().not_with.empty())
      command.get_option("--" + listed.word)->excludes(command.get_option("--" + listed.first().not_with));
}

}  // namespace polhode::cli
