#pragma once
/// The command line of polhode_bench_chain.

#include <string>
#include <vector>

#include "subjects.h"

namespace polhode::bench {

struct Options {
  std::vector<SubjectKind> subjects;
  std::vector<int> sizes;
  int repetitions = 25;
  std::string out;  // file for JSON; empty: none
  bool check_only = false;
  bool strict = false;
  bool help = false;
};

extern const char* const usage;

/// Throws std::invalid_argument, with what is allowed, at the first word it cannot use.
Options parse_options(const std::vector<std::string>& words);

}  // namespace polhode::bench
