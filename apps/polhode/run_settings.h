#pragma once
#include "polhode/format/runs/run_record.h"
#include "polhode/study/simulate.h"

namespace polhode::cli {

/// What a run was asked for, as words: all that a resumed run needs to be the same run. Throws std::logic_error where the words
/// do not say all of it. The options must be of their method.
format::RunRecord::Words words_of(const study::SimulateOptions& options);
/// A table of inputs: time in the first column, inputs by name in the others. Throws std::runtime_error that says what is wrong
/// and in which line.
study::InputTable input_table(std::string_view text);
/// Back again. Throws std::invalid_argument that names a setting which this version does not know or cannot read.
study::SimulateOptions options_of(const format::RunRecord::Words& words);

}  // namespace polhode::cli
