#pragma once
/// Who takes part: an engine with one of its methods.

#include <string>
#include <vector>

#include "subject.h"

namespace polhode::bench {

struct Entrant {
  std::string engine;  // "polhode", "mujoco", ...
  std::string method;  // as the engine's factory takes it
  std::string label;   // for people: "MuJoCo 2.2.2 euler"
  MakeStepSubject make;

  bool is_ours() const { return engine == "polhode"; }
};

/// The entrants named "engine method" whose engines are built into this program, in that order.
std::vector<Entrant> entrants_named(const std::vector<std::string>& names);

/// The engines that are not built in, because CMake did not find them.
std::vector<std::string> engines_missing();

}  // namespace polhode::bench
