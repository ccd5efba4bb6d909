#pragma once
#include <string>
#include <utility>
#include <vector>

#include "polhode/format/language/model_file.h"
#include "polhode/format/language/parameters.h"

namespace polhode::format {

/// What was run, so that it can be run again from this alone.
struct RunRecord {
  using Words = std::vector<std::pair<std::string, std::string>>;

  std::string model_text, model_name;  ///< the name is for people
  std::vector<ModelFile> model_files{};
  ParameterValues parameters{};  ///< that were given other values than the model's own
  std::string method{};
  Words options{};   ///< as they were in force
  Words settings{};  ///< what was asked for, by name of the option: all that a resumed run needs
  std::string version{}, date{}, command_line{};
  std::vector<std::string> tracked{};  ///< frames
  double time_end = 0;                 ///< at which the run is to end [s]
};

/// How far a run has come. Whoever finds `running` in a file that nobody writes to has found one that was killed.
enum class RunState { running, finished, failed };
const char* name(RunState state);

/// A run between two steps: with this it goes on as if it had never stopped.
struct RunCheckpoint {
  unsigned long long rows = 0;  ///< of the table, up to there
  std::string bytes;            ///< the study's own
};

}  // namespace polhode::format
