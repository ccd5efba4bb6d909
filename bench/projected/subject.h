#pragma once
/// What an engine must offer for its error-controlled integration to be measured.  C++17, for the peers' sake.

#include <memory>
#include <string>
#include <vector>

#include "problem.h"

namespace polhode::bench {

struct ProjectedSettings {
  std::string integrator = "merson";
  double accuracy = 1e-6;  // the constraint tolerance is a tenth of it
  double time = 1;         // how far [s]
};

struct ProjectedRun {
  bool finished = false;
  double seconds = 0;  // of the stepping alone
  long steps = 0;
  long evaluations = 0;         // of accelerations; 0 where the engine does not tell
  std::vector<Triple> centres;  // of mass of the links, at the end [m]
};

/// One engine with one problem; each run begins at the problem's start.
class ProjectedSubject {
 public:
  virtual ~ProjectedSubject() = default;
  virtual ProjectedRun run(const ProjectedSettings& settings) = 0;
};

std::unique_ptr<ProjectedSubject> make_polhode_projected(const LoopProblem& problem);
/// A shared library that hides all else (see CMakeLists.txt).
[[gnu::visibility("default")]] std::unique_ptr<ProjectedSubject> make_simbody_projected(const LoopProblem& problem);

}  // namespace polhode::bench
