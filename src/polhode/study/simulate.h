#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "polhode/state/stepper.h"
#include "polhode/study/events.h"
#include "polhode/study/simulate_options.h"

/// Running a mechanism through time.
namespace polhode::study {

/// One of the registry's methods. Throws std::invalid_argument that names a bad option, its value and what is allowed;
/// ModelError when the method cannot do what the mechanism needs.
std::unique_ptr<Stepper> make_stepper(const Mechanism& mechanism, const SimulateOptions& options);

/// A quantity that was recorded, over all reports.
struct RecordedRange {
  std::string name, unit;
  double least = 0, greatest = 0, last = 0;
};

/// What came of a run.
struct SimulateSummary {
  /// As it was run.
  std::string method, version;
  ResolvedOptions options;  ///< as they were in force
  /// It reached its end, or an event stopped it.
  bool completed = false;
  std::string failure;                  ///< in words, when not completed
  bool interrupted = false;             ///< stopped from outside, which is no failure of the computation, but not completed
  std::string stopped_by;               ///< the event that ended the run before its time, and why; a run is complete then too
  double time_start = 0, time_end = 0;  ///< [s]
  /// How many, how many were rejected, iterations.
  StepStatistics steps;
  /// States that were reported.
  long reports = 0;
  double wall_time = 0;                                                        ///< of the whole run, reports included [s]
  double real_time_factor = 0;                                                 ///< simulated over wall time
  double energy_start = 0, energy_end = 0, energy_least = 0, energy_most = 0;  ///< kinetic plus potential, at reports [J]
  double energy_by_events = 0;  ///< the sum of the jumps of the energy at events [J]; least, most and slope are without them
  double energy_slope = 0;      ///< of the straight line that fits the energies at reports best [W]
  bool conservative = true;     ///< no element of the mechanism feeds or takes energy
  double constraint_error = 0;  ///< largest at reports, of the equations between positions [m], [rad]
  int constraint_rows = 0;      ///< how many equations there are
  double velocity_error = 0;    ///< the same of the equations between velocities, such as rolling [m/s], [rad/s]
  int velocity_rows = 0;        ///< how many of them are such
  std::string velocity_worst;   ///< the one with the largest error
  int kept_momenta = 0;         ///< components of the total momentum that a symmetry keeps
  double momentum_error = 0;    ///< largest change of one of them at reports [kg m/s], [kg m^2/s]
  double momentum_size = 0;     ///< largest total momentum, linear or angular, to compare it with

  /// Of each coordinate or speed that the model drives, by name: the largest force that it took, over all steps [N], [N m].
  std::vector<std::pair<std::string, double>> largest_drives;

  /// What SimulateOptions::record asks for.
  std::vector<RecordedRange> recorded;

  std::vector<Counter> counters;  ///< what else the method counts

  /// Of each event, the model's first, in the order in which they were declared; and the first of all that happened.
  std::vector<EventCount> event_counts;
  std::vector<EventRecord> event_records;
  long events = 0;  ///< how many happened

  /// Of the energy at reports, apart from what events did.
  double energy_drift() const { return energy_end - energy_start - energy_by_events; }
  double energy_span() const { return energy_most - energy_least; }
};

/// Called with each reported state, realized to velocity, or further where options.record needs it. At the very time of an
/// event that changes the state, that is the state after it.
using Reporter = std::function<void(const State&)>;
/// Called now and then with the fraction done.
using Progress = std::function<void(double)>;

/// For runs that may be cut short and go on later. Any of these may be empty.
struct Checkpointing {
  std::function<bool()> wanted{};                        ///< asked after every step: whether to keep a checkpoint now
  std::function<void(const std::string& bytes)> keep{};  ///< gets it; at the start and the end of the run too
  std::function<bool()> interrupted{};                   ///< asked after every step: whether the run is to stop there

  /// A checkpoint to go on from. The start and the options must be those of the run that it is of, but for the time, which may
  /// be another. States that were reported before the checkpoint are not reported again, and the summary is that of the whole
  /// run. The motion is the same to the last bit as without a break; with integrator cvode, which starts anew, to its accuracy.
  const std::string* from = nullptr;
};

/// Runs from the given state for options.time, or until an event stops the run. A state that misses its constraints is
/// assembled first, as assemble_start in start.h does; one that cannot be is refused with std::invalid_argument. A step or a
/// handler that fails ends it too: what was reported until then stands. The model's own events happen, and then those that are
/// given here.
SimulateSummary simulate(const State& start, const SimulateOptions& options, const Reporter& report = {},
                         const Progress& progress = {}, const std::vector<Event>& events = {},
                         const Checkpointing& checkpointing = {});
/// The same by a stepper that make_stepper() has made from the start's mechanism and the same options.
SimulateSummary simulate(Stepper& stepper, const State& start, const SimulateOptions& options, const Reporter& report = {},
                         const Progress& progress = {}, const std::vector<Event>& events = {},
                         const Checkpointing& checkpointing = {});

}  // namespace polhode::study
