#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What is said about options that make no sense. Messages name the option, the value and what is allowed.
namespace polhode::cli {

/// The whole text as a number, NaN if it is none.
double number(const std::string& text);

/// Numbers above zero, finite, and at most `most`.
CLI::Validator positive_number();
CLI::Validator positive_number_up_to(double most);
CLI::Validator finite_number();
/// 1, 2, 3 ... up to `most`, and from `least` where that is another. They leave plain digits of the text, whatever way the
/// number was written in, so they are for transform(): CLI11 itself would take 010 for eight and 0x4 for four.
CLI::Validator whole_number_up_to(int most);
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

/// Names separated by commas; one with a comma, a quote or blanks at its ends stands in double quotes, as in a .csv file. The
/// option may be given again.
CLI::Option* add_names_option(CLI::App& command, const std::string& option, std::vector<std::string>& names,
                              const std::string& help);
/// A name in double quotes at the beginning of the text, and what follows; nothing where the text begins otherwise.
struct QuotedName {
  std::string name, rest;
};
std::optional<QuotedName> quoted_name(const std::string& option, const std::string& text);

/// Refuses a result file that is one of the files that are read.
void require_other_file(const std::string& out, const std::string& input);
/// The same, and that it is to be a .csv.
void require_table_name(const std::string& out, const std::string& input);

/// The same for a report, which is to be an .html.
void require_report_name(const std::string& out, const std::string& input);

/// What the library says, with options as the command line has them: "dt = 0.01 s" becomes "--dt 0.01".
std::string with_flags(const std::string& text);

/// The text of a usage error: names the command or option that does not exist, with the one that was probably meant.
std::string usage_error(const CLI::App* app, const CLI::Error& error);

}  // namespace polhode::cli
