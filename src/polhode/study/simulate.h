#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/state/stepper.h"

/// Running a mechanism through time.
namespace polhode::study {

/// The methods that this version has, the default one first.
std::vector<std::string> method_names();

struct SimulateOptions {
  std::string method = "tree-projected";
  double time = 10;                  ///< how long [s]
  std::optional<double> dt{};        ///< fixed step [s]; without it the method controls its error
  double accuracy = 1e-6;            ///< of one step, when the method controls its error
  int every = 1;                     ///< report every so many steps
  std::optional<double> interval{};  ///< report at these distances in time instead [s]; steps are not disturbed
};

/// Throws std::invalid_argument that names a bad option, its value and what is allowed; ModelError when the method cannot do
/// what the mechanism needs.
std::unique_ptr<Stepper> make_stepper(const Mechanism& mechanism, const SimulateOptions& options);

/// What came of a run.
struct SimulateSummary {
  std::string method, version;
  std::vector<std::pair<std::string, std::string>> options;  ///< as they were in force
  bool completed = false;
  std::string failure;                  ///< in words, when not completed
  double time_start = 0, time_end = 0;  ///< [s]
  StepStatistics steps;
  long reports = 0;
  double wall_time = 0;                                                        ///< of the whole run, reports included [s]
  double real_time_factor = 0;                                                 ///< simulated over wall time
  double energy_start = 0, energy_end = 0, energy_least = 0, energy_most = 0;  ///< kinetic plus potential, at reports [J]
  bool conservative = true;     ///< no element of the mechanism feeds or takes energy
  double constraint_error = 0;  ///< largest at reports

  double energy_span() const { return energy_most - energy_least; }
};

/// Called with each reported state, realized to velocity.
using Reporter = std::function<void(const State&)>;
/// Called now and then with the fraction done.
using Progress = std::function<void(double)>;

/// Runs from the given state for options.time. A step that fails ends the run: what was reported until then stands.
SimulateSummary simulate(const State& start, const SimulateOptions& options, const Reporter& report = {},
                         const Progress& progress = {});

}  // namespace polhode::study
