#pragma once
#include <string>
#include <utility>
#include <vector>

#include "polhode/format/language/model.h"

/// Telling users how to go on with values that a study has found.
namespace polhode::cli {

using NamedValues = std::vector<std::pair<std::string, double>>;

/// --set options that give the parameters among the values to other commands, to the last digit.
std::string set_options(const NamedValues& values, const format::Model& model);
/// The others, which are values at the start: NAME = VALUE, ...
std::string start_values(const NamedValues& values, const format::Model& model);

/// Writes a whole file. Throws std::runtime_error that says why it could not.
void write_file(const std::string& file, const std::string& text);

}  // namespace polhode::cli
