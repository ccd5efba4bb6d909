#pragma once
#include <string>
#include <vector>

#include "polhode/mechanism/problem.h"
#include "polhode/study/simulate.h"

namespace polhode::study {

/// The options of one method out of options that were given for several.
struct MethodOptions {
  SimulateOptions options;          ///< for this method alone
  bool controls_error = false;      ///< it has an accuracy unless it is told a fixed step
  std::string refused{};            ///< why it cannot run at all, in words
  std::vector<Problem> problems{};  ///< the same with places in the model
};

/// Hands out the options to the methods that take them, the fixed step to those only that have fixed steps anyway, and what
/// goes with error control to those only that control errors anyway, unless there is none of them. A value that only some of
/// the methods which take it accept is a reason why the others do not run; one that none accepts is a std::invalid_argument,
/// and so is an option that none of the methods takes.
std::vector<MethodOptions> hand_out(const State& start, const std::vector<std::string>& methods, const SimulateOptions& given);

}  // namespace polhode::study
