#pragma once
#include <string>

#include "polhode/state/state.h"

/// Writing results of commands other than run.
namespace polhode::cli {

/// Throws std::runtime_error when the file cannot be written.
void write_text(const std::string& file, const std::string& text);
/// MODEL.pol: the model that starts in this state. FILE.csv: the state as a table of one row.
void write_start(const std::string& file, State& state);

}  // namespace polhode::cli
