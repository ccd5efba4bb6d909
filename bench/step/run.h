#pragma once
/// Running one engine through one problem.

#include <array>
#include <span>

#include "subject.h"

namespace polhode::bench {

/// What to find out about a run.
struct RunPlan {
  bool trace = true;     // energy, gaps and deviation after every step, in a run of its own
  int repetitions = 1;   // timed runs, see parts_of_a_run
  int timed_steps = 0;   // of a timed run; 0: all of the problem's
  int sample_every = 0;  // steps of the traced run, for a Course; 0: none
};

/// A run as it was seen at equal intervals, the start first.
struct Course {
  std::size_t links = 0;
  std::vector<double> t{};                     // [s]
  std::vector<double> energy{};                // error, relative to the problem's scale
  std::vector<double> gap{}, tilt{};           // as in Reading
  std::vector<Triple> momentum{}, spin{};      // as in Momenta
  std::vector<std::vector<Triple>> centres{};  // of mass, by sample and link [m]

  std::size_t size() const { return t.size(); }
};

/// How many numbers a sample takes: t, energy, gap, tilt, momenta, centres.
inline std::size_t sample_size(const Problem& problem) { return 10 + 3 * problem.links.size(); }
/// How many numbers all samples of a run take.
std::size_t samples_size(const Problem& problem, const RunPlan& plan);
/// The first so many samples, as run_here left them.
Course course_of(const Problem& problem, std::span<const double> samples, std::size_t count);

/// A timed run is cut into so many parts of equal length.  Every repetition does the same work in the same part, so the fastest
/// of each part counts, and another program that takes the processor for a while spoils one part only.
inline constexpr int parts_of_a_run = 100;

/// What came of it.  Plain memory, for it is filled by a child process.
struct RunOutcome {
  bool finished = false;
  std::array<char, 200> reason{};  // why it did not finish
  double time_reached = 0;         // of the traced run [s]

  int timed_steps = 0;                                   // 0 if no run was timed
  std::array<double, parts_of_a_run> seconds_of_part{};  // the fastest of each
  StepCounters counters;                                 // of the traced run, or of the last timed one

  // Of the traced run.  Energies are relative to the problem's scale.
  double drift_end = 0;         // at the end
  double drift_largest = 0;     // largest magnitude on the way
  double drift_late = 0;        // mean over the last tenth
  double gap = 0, tilt = 0;     // largest of Reading [m], [rad]
  double constraint_error = 0;  // largest of StepSubject::constraint_error
  double deviation_rms = 0;     // from exact_x [m]
  double deviation_largest = 0;
  std::size_t samples = 0;  // that were taken

  bool is_timed() const { return finished && timed_steps > 0; }
  /// Of the problem's steps [s].
  double seconds_per_step() const;
  /// Keeps the faster of each part.
  void merge_times(const RunOutcome& other);

  /// Newton iterations per step of the problem's length, 0 if there were none.
  double iterations_per_step(int steps) const { return double(counters.newton_iterations) / steps; }
};

/// Carries out the plan in this process.  Fills the outcome as it goes, so that it says how far things went if they end badly;
/// exceptions become reasons.  Samples, if the plan wants them, go to where there is room for samples_size numbers.
void run_here(MakeStepSubject make, const std::string& method, const Problem& problem, const RunPlan& plan, RunOutcome& outcome,
              std::span<double> samples = {});

void set_reason(RunOutcome& outcome, const std::string& reason);

}  // namespace polhode::bench
