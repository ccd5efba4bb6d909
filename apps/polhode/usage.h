#pragma once
#include <CLI/CLI.hpp>
#include <string>

/// What is said about options that make no sense. Messages name the option, the value and what is allowed.
namespace polhode::cli {

/// The whole text as a number, NaN if it is none.
double number(const std::string& text);

/// Numbers above zero, finite, and at most `most`.
CLI::Validator positive_number();
CLI::Validator positive_number_up_to(double most);
/// 1, 2, 3 ... up to `most`.
CLI::Validator whole_number_up_to(int most);

/// Refuses a result file that is one of the files that are read.
void require_other_file(const std::string& out, const std::string& input);
/// The same, and that it is to be a .csv.
void require_table_name(const std::string& out, const std::string& input);

/// The same for a report, which is to be an .html.
void require_report_name(const std::string& out, const std::string& input);

/// The text of a usage error: names the command or option that does not exist, with the one that was probably meant.
std::string usage_error(const CLI::App* app, const CLI::Error& error);

}  // namespace polhode::cli
