#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "polhode/study/sweep.h"

namespace polhode::study {

/// What came of one run, or of any function in its place.
struct Measurement {
  std::vector<double> measures;  ///< in the order asked for; empty when it failed
  std::string failure;           ///< why, in words; empty when it did not
  bool interrupted = false;      ///< it was asked to end

  /// Whether there are measures.
  bool ok() const { return !measures.empty(); }
};

/// Some measures as functions of some values; called from several threads at once.
using MeasuredModel = std::function<Measurement(std::span<const double> values)>;

/// Runs a mechanism with the values. A measure that is no finite number counts as a failure. Throws std::invalid_argument for
/// options or measures that no run could have; the values are those to try that with.
MeasuredModel measured_model(StartMaker start, SweepOptions options, const std::vector<double>& values);

/// Measures at several places at once, on all cores.
std::vector<Measurement> measure_all(const MeasuredModel& model, const std::vector<std::vector<double>>& places, int threads);

/// By how much to change a value of size 1 where derivatives are differences between runs: steps that adapt themselves make
/// results jump a little when values change, and differences must be larger than that.
double difference_step(const SimulateOptions& options);

}  // namespace polhode::study
