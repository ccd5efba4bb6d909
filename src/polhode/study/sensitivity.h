#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "polhode/study/measured_model.h"
#include "polhode/study/plan.h"

/// How much measures depend on values: near one place, and over whole distributions.
namespace polhode::study {

/// One value that a measure may depend on.
struct LocalVariable {
  std::string name;  ///< as VariedModel takes it
  double value = 0;  ///< where derivatives are taken
};

/// Of one measure with one variable, at the variables' values.
struct LocalSensitivity {
  std::optional<double> derivative{};  ///< d measure / d value; none where runs nearby fail
  double error = 0;                    ///< an estimate of the derivative's error
  std::optional<double> elasticity{};  ///< per cent of the measure for a per cent of the value; none where either is 0
};

/// Of all measures with all variables.
struct LocalResult {
  std::vector<double> measures;                   ///< at the values
  std::vector<std::vector<LocalSensitivity>> of;  ///< by measure, by variable
  std::vector<std::string> warnings;              ///< variables without a derivative
  long runs = 0, failures = 0;                    ///< of the model
  bool interrupted = false;                       ///< it was asked to end; nothing is known then
};

/// Central differences over h and h/2, extrapolated; they differ from the extrapolated one by about its error. The step is
/// `difference` times a value's size (or 1, where it is 0). Throws std::runtime_error when the model does not run at the
/// values.
LocalResult local_sensitivity(const std::vector<LocalVariable>& variables, std::size_t measures, const MeasuredModel& model,
                              double difference, int threads = 0);

/// How to sample.
struct GlobalOptions {
  long samples = 1024;  ///< for each of two sets of points; the model runs so many times the number of variables and two
  Sampling sampling = Sampling::sobol;  ///< how the points are spread
  std::uint64_t seed = 1;               ///< of the points and of the bootstrap
  int threads = 0;                      ///< 0: as many as there are cores
  int resamples = 1000;                 ///< of the bootstrap that gives the intervals
};

/// A number with the interval that holds 95 per cent of what other samples would have given.
struct Estimate {
  double value = 0, low = 0, high = 0;  ///< the number, and the ends of the interval
};

/// Of one measure with one variable: parts of the measure's variance.
struct GlobalSensitivity {
  Estimate first;  ///< by this variable alone: what would go if it were known (Sobol' 1993)
  Estimate
      total;  ///< with all that others do together with it: what would stay if only it were not known (Homma, Saltelli 1996)
};

/// Of all measures with all variables.
struct GlobalResult {
  std::vector<double> mean, deviation;             ///< by measure
  std::vector<std::vector<GlobalSensitivity>> of;  ///< by measure, by variable; empty for a measure that does not vary
  long runs = 0, failures = 0;                     ///< of the model
  long samples = 0;                                ///< that were used: those without a run that failed
  std::string first_failure;                       ///< why that run failed
  std::vector<std::string> warnings;               ///< samples that were left out
  bool interrupted = false;                        ///< it was asked to end; nothing is known then
};

/// Variance-based indices of independent variables: first-order ones by Saltelli et al. (2010), total ones by Jansen (1999).
/// Throws std::invalid_argument for distributions that are none, std::runtime_error when too few runs succeed.
GlobalResult global_sensitivity(const std::vector<Distribution>& variables, std::size_t measures, const MeasuredModel& model,
                                const GlobalOptions& options, const Progress& progress = {});

}  // namespace polhode::study
