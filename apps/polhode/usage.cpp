#include "usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <regex>

#include "polhode/format/language/sample_file.h"
#include "polhode/mechanism/problem.h"
#include "polhode/study/option_list.h"

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

CLI::Validator finite_number() {
  return {[](std::string& text) {
            return std::isfinite(number(text)) ? std::string() : fmt::format("\"{}\" must be a finite number", text);
          },
          ""};
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](std::string& text) {
            const double value = number(text);  // 1e3 is a whole number too, but a double has not all of them
            std::uint64_t whole = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
            if (error != std::errc() || end != text.data() + text.size()) {
              if (!(value >= 0 && value < 0x1p53 && value == std::floor(value)))
                return fmt::format("\"{}\" must be a whole number from {} to {}", text, least, most);
              whole = std::uint64_t(value);
            }
            if (whole < least || whole > most)
              return fmt::format("\"{}\" must be a whole number from {} to {}", text, least, most);
            text = fmt::format("{}", whole);
            return std::string();
          },
          ""};
}
CLI::Validator whole_number_up_to(int most) { return whole_number(1, std::uint64_t(most)); }

CLI::Option* add_names_option(CLI::App& command, const std::string& option, std::vector<std::string>& names,
                              const std::string& help) {
  return command
      .add_option_function<std::vector<std::string>>(
          option,
          [&names, option](const std::vector<std::string>& texts) {
            names.clear();
            for (const std::string& text : texts) {
              std::vector<std::string> fields;
              format::split_fields(text, fields);
              for (const std::string& field : fields) {
                if (field.empty())
                  throw std::invalid_argument(
                      fmt::format("{} \"{}\" has an empty name in it; write names separated by single commas, e.g. {} a,b",
                                  option, text, option));
                names.push_back(field);
              }
              if (std::count(text.begin(), text.end(), '"') % 2 != 0)
                throw std::invalid_argument(
                    fmt::format("{} \"{}\": a quote is not closed; a quote in a name is written twice", option, text));
            }
          },
          help)
      ->allow_extra_args(false);  // else a model named after it would be taken for a name
}

std::optional<QuotedName> quoted_name(const std::string& option, const std::string& text) {
  if (!text.starts_with('"')) return std::nullopt;
  QuotedName result;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '"') {
      result.name += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == '"') {
      result.name += text[i++];
    } else {
      result.rest = text.substr(i + 1);
      return result;
    }
  }
  throw std::invalid_argument(fmt::format("{} {}: the quote at the beginning is not closed", option, text));
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

std::string with_flags(const std::string& text) {
  struct Flag {
    std::regex in_words;
    std::string written;
  };
  static const std::vector<Flag> flags = [] {
    std::vector<study::ListedOption> options = study::listed_options();
    // Names that have another one in them come first.
    std::stable_sort(options.begin(), options.end(), [](const study::ListedOption& a, const study::ListedOption& b) {
      return a.first().name.size() > b.first().name.size();
    });
    std::vector<Flag> all;
    for (const study::ListedOption& option : options)
      all.push_back({std::regex(fmt::format(R"(\b{} = ([0-9.e+-]*[0-9]|none)( s\b)?)", option.first().name)),
                     fmt::format("--{} $1", option.word)});
    return all;
  }();
  std::string result = text;
  for (const Flag& flag : flags) result = std::regex_replace(result, flag.in_words, flag.written);
  return result;
}

std::string usage_error(const CLI::App* app, const CLI::Error& error) {
  const CLI::App& command = place_of_error(*app);
  std::string what = about_leftovers(command);
  if (what.empty()) what = command.get_subcommands({}).empty() ? error.what() : std::string("a command is missing");
  return fmt::format("polhode: {}\nSee {} --help\n", what, full_name(command));
}

}  // namespace polhode::cli
