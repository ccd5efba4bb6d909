#pragma once
#include <functional>
#include <string>
#include <vector>

#include "../../bench/step/run.h"
#include "findings.h"

/// One mechanism, run by several engines at several costs: how much time for how small an error.
namespace polhode::experiments {

/// An engine and its method, "ode exact", "simbody merson-1e-6", "polhode tree-variational order=4", with steps of dt, or for
/// one that chooses its own, looked at every dt.
struct Setting {
  std::string entrant;
  double dt;  ///< [s]
};

/// What is drawn as one line: the same method, made finer and finer.
struct Curve {
  std::string label;
  std::vector<Setting> settings;
};
Curve with_steps(std::string label, const std::string& entrant, const std::vector<double>& steps);
/// `entrant` ends where the accuracy goes: "simbody merson-", "polhode tree-projected accuracy=".
Curve with_accuracies(std::string label, const std::string& entrant, const std::vector<double>& accuracies, double interval);

/// One run.
struct Lap {
  std::string label;
  Setting setting;
  bool installed = true;                    ///< the engine is there
  bench::RunOutcome outcome;                ///< `finished` and `reason` say whether it could
  bench::Course course;                     ///< at the race's interval
  double seconds = 0;                       ///< of the stepping alone, the whole time
  double error_rms = 0, error_largest = 0;  ///< of the links' centres of mass from the reference [m]; 0 without one

  bool finished() const { return installed && outcome.finished; }
  /// Why it did not finish, and when; nothing if it did.
  std::string remark() const;
};

struct Race {
  std::string name;        ///< of files
  bench::Problem problem;  ///< its dt and steps are replaced
  double time;             ///< [s]
  double interval;         ///< between samples; each dt divides it [s]
  std::vector<Curve> curves;
  bench::Course reference{};   ///< sampled alike, or empty
  int repetitions = 2;         ///< of timed runs, the fastest of which count
  double limit_seconds = 120;  ///< of wall time for one setting, after which it counts as not finished
};

/// Runs every setting, the traced and the timed runs each in a child process.
std::vector<Lap> run(const Race& race);
/// One setting of a race.
Lap run_lap(const Race& race, const std::string& label, const Setting& setting);

/// A table of all laps and work-precision diagrams: time against the error from the reference where there is one, against the
/// largest energy error where energy is kept, and against the largest gap. Who could not run stands in the table with the
/// reason.
void show(Findings& findings, const Race& race, const std::vector<Lap>& laps);

/// Seconds that a curve needs for an error, read off its line between two laps (straight in logarithms); nothing outside of it.
std::optional<double> seconds_at(const std::vector<Lap>& laps, const std::string& label, double error_rms);

/// The order of a method: exponent of the step in the error, fitted to all of a curve's laps that finished.
std::optional<double> order_of(
    const std::vector<Lap>& laps, const std::string& label,
    double (*error)(const Lap&) = [](const Lap& lap) { return lap.error_rms; });

}  // namespace polhode::experiments
