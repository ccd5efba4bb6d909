#pragma once
#include <span>

#include "findings.h"

/// The papers' figures and tables, made again. One folder under experiments/ is one experiment.
namespace polhode::experiments {

struct Experiment {
  const char* name;    ///< of its folder, here and among the results
  const char* title;   ///< for people
  const char* source;  ///< "Johnson & Murphey, Fig. 8"
  const char* claim;   ///< what the paper says it shows, in our words; one paragraph
  void (*run)(Findings& findings);
};

/// All of them, in the order of the page.
std::span<const Experiment* const> all_experiments();

}  // namespace polhode::experiments
