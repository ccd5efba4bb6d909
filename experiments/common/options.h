#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "experiment.h"

namespace polhode::experiments {

/// What polhode_experiments is asked for.
struct Options {
  std::vector<const Experiment*> chosen{};  ///< in the order in which they were named; all where none was
  std::filesystem::path out = "build/experiments";
  bool quick = false, strict = false, list = false, help = false, page_only = false;
};

/// Throws std::invalid_argument, with what could have been said instead.
Options parse(const std::vector<std::string>& words, std::span<const Experiment* const> known);

}  // namespace polhode::experiments
