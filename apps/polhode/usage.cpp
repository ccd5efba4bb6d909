#include "usage.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "polhode/format/sample_file.h"
#include "polhode/mechanism/problem.h"

namespace polhode::cli {

double number(const std::string& text) {
  return format::number_of_field(text).value_or(std::numeric_limits<double>::quiet_NaN());
}

namespace {

/// The innermost command that was recognised, or one around it that has words left over.
const CLI::App& place_of_error(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() || !app.remaining().empty() ? app : place_of_error(*commands.front());
}
std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + ' ' + app.get_name();
}
std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string about_leftovers(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  for (const std::string& word : words)
    if (word.starts_with('-'))
      return fmt::format("there is no option \"{}\"{}", word, suggestion(word, option_names(app), "options"));
  if (words.empty()) return {};
  if (const auto commands = command_names(app); !commands.empty())
    return fmt::format("there is no command \"{}\"{}", words.front(), suggestion(words.front(), commands, "commands"));
  return fmt::format("\"{}\" is one argument too many", words.front());
}

}  // namespace

CLI::Validator positive_number_up_to(double most) {
  return {[most](std::string& text) {
            const double value = number(text);
            if (std::isfinite(value) && value > 0 && value <= most) return std::string();
            return fmt::format("\"{}\" must be a finite number above 0{}", text,
                               most < std::numeric_limits<double>::max() ? fmt::format(" and at most {}", most) : "");
          },
          ""};
}
CLI::Validator positive_number() { return positive_number_up_to(std::numeric_limits<double>::max()); }

CLI::Validator whole_number_up_to(int most) {
  return {[most](std::string& text) {
            const double value = number(text);
            if (value >= 1 && value <= most && value == std::floor(value)) return std::string();
            return fmt::format("\"{}\" must be a whole number from 1 to {}", text, most);
          },
          ""};
}

void require_other_file(const std::string& out, const std::string& input) {
  std::error_code no_file_yet;
  if (std::filesystem::equivalent(input, out, no_file_yet))
    throw std::invalid_argument(fmt::format("--out {} is {} itself, which would be lost; name another file", out, input));
}

void require_table_name(const std::string& out, const std::string& input) {
  if (!out.ends_with(".csv"))
    throw std::invalid_argument(fmt::format("--out \"{}\": this version writes .csv files; name it FILE.csv", out));
  require_other_file(out, input);
}

void require_report_name(const std::string& out, const std::string& input) {
  if (!out.ends_with(".html"))
    throw std::invalid_argument(fmt::format("--report \"{}\": reports are .html files; name it FILE.html", out));
  std::error_code no_file_yet;
  if (std::filesystem::equivalent(input, out, no_file_yet))
    throw std::invalid_argument(fmt::format("--report {} is {} itself, which would be lost; name another file", out, input));
}

std::string usage_error(const CLI::App* app, const CLI::Error& error) {
  const CLI::App& command = place_of_error(*app);
  std::string what = about_leftovers(command);
  if (what.empty()) what = command.get_subcommands({}).empty() ? error.what() : std::string("a command is missing");
  return fmt::format("polhode: {}\nSee {} --help\n", what, full_name(command));
}

}  // namespace polhode::cli
