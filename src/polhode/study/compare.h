#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/mechanism/problem.h"
#include "polhode/study/body_distance.h"
#include "polhode/study/simulate.h"

/// One start, every method: what each takes, what each keeps, and how far their motions are apart.
namespace polhode::study {

/// What to compare, and how.
struct CompareOptions {
  /// Which to run, by name; none: all of method_names().
  std::vector<std::string> methods{};
  /// For all of them: the time. The other options go to the methods that take them: the fixed step dt to those that cannot
  /// control their error instead, the accuracy to those that can. One that none of the methods takes is an error. The method,
  /// and how often to report, are not read.
  SimulateOptions simulate{};
  /// Distance between the times at which the motions are compared [s]; by default about a thousandth of the time, and a
  /// multiple of the fixed step, so that methods with such steps are compared at their own states.
  std::optional<double> interval{};
  /// What distances are measured from, one of the methods. By default a further run, much more exact than the others: see
  /// CompareResult::extra_reference.
  std::optional<std::string> reference{};
  /// Motions agree until their distance is this part of the mechanism's size.
  double agreement = 0.01;
};

/// A run at one of the times of comparison.
struct CompareSample {
  double t;                   ///< [s]
  double kinetic, potential;  ///< [J]
  double constraint_error;    ///< largest [m], [rad]
  double momentum_error;      ///< largest change of a momentum that a symmetry keeps [kg m/s], [kg m^2/s]
  Distance distance;          ///< to the reference at the same time; NaN where that has none
  /// Kinetic plus potential [J].
  double energy() const { return kinetic + potential; }
};

/// One method's run beside the reference.
struct MethodRun {
  std::string method;                    ///< its name
  std::string refused{};                 ///< why the method does not apply, in words; it has not run then
  std::vector<Problem> problems{};       ///< the same with places in the model, where it is the model that cannot be done
  SimulateSummary summary{};             ///< at steps; its wall time is without that of comparing
  std::vector<CompareSample> samples{};  ///< at the times of comparison
  std::vector<Vec3<double>> path{};      ///< of the traced body's centre of mass, by sample [m]

  Distance largest{};                    ///< distance to the reference, over all samples
  Distance at_end{};                     ///< the last of them
  double compared_until = 0;             ///< its time [s]: before the end where the run or the reference stopped
  long comparisons = 0;                  ///< samples after the start at which both were there
  std::optional<double> agrees_until{};  ///< the first sample at which the distance is too large [s]; none: always near

  /// Whether the method applies.
  bool ran() const { return refused.empty(); }
  /// Otherwise the distances are of nothing.
  bool compared() const { return comparisons > 0; }
};

/// All runs, and what they were compared with.
struct CompareResult {
  std::vector<MethodRun> runs;  ///< in the order of the methods
  /// By default the reference is the first method that controls its error, at an accuracy of 1e-11 (or a thousandth of the
  /// given one, if that is less, but no less than 1e-13), with steps that end at the times of comparison. Where rounding does
  /// not let it meet that, it is run at ten or a hundred times as much.
  std::optional<MethodRun> extra_reference{};
  double reference_accuracy = 0;  ///< of that one, as it was met
  int reference = -1;             ///< which of the runs it is, when there is no extra one

  double time_end = 0;  ///< that was asked for [s]
  double interval = 0;  ///< of the samples [s]
  double size = 0;      ///< of the mechanism at the start, size_of() [m]
  double limit = 0;     ///< beyond which motions no longer agree [m]
  int traced = 0;       ///< the body whose path is kept: the one that goes farthest in the reference

  /// What distances are measured from.
  const MethodRun& reference_run() const { return extra_reference ? *extra_reference : runs[std::size_t(reference)]; }
  /// Every method that applies went on to the end.
  bool completed() const;
};

/// Called now and then with the method that is running and the fraction done of its run.
using CompareProgress = std::function<void(const std::string&, double)>;

/// Runs the methods one after another, the reference first. The state is to be assembled already. Throws std::invalid_argument
/// for options that make no sense, ModelError when no method applies.
CompareResult compare(const State& start, const CompareOptions& options, const CompareProgress& progress = {});

}  // namespace polhode::study
