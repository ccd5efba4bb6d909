#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "polhode/study/sweep.h"

/// Finding the values of parameters with which a model moves as something was measured to move.
namespace polhode::study {

/// What is to be found: a parameter, or an initial coordinate or speed.
struct FitVariable {
  std::string name;  ///< as VariedModel takes it
  double start = 0;  ///< where to begin
  /// Bounds.
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

/// One measured quantity, at the times of the data.
struct FitColumn {
  std::string quantity;        ///< as Quantity takes it
  std::vector<double> values;  ///< by time
  double deviation = 1;        ///< of the noise: residuals are measured in units of it
};

/// What was measured.
struct FitData {
  std::vector<double> times;       ///< [s]
  std::vector<FitColumn> columns;  ///< the quantities
};

/// How to fit.
struct FitOptions {
  SimulateOptions simulate{};  ///< its time and its reports are those of the data
  int threads = 0;             ///< 0: as many as there are cores
  int most_iterations = 100;   ///< after which it gives up
};

/// What the data say.
struct FitResult {
  /// One variable as it was found.
  struct Value {
    std::string name;                        ///< of the variable
    double start = 0, value = 0;             ///< before and after
    std::optional<double> standard_error{};  ///< none where the data do not determine the value
    bool at_bound = false;                   ///< the data would have it beyond
  };
  std::vector<Value> values;             ///< in the order of the variables
  std::vector<double> correlations;      ///< by rows, of the determined values; empty when some are not
  double rms_before = 0, rms_after = 0;  ///< over all residuals, in units of the columns' deviations
  std::vector<double> column_rms;        ///< after, by column, in the column's own unit
  long points = 0;                       ///< residuals: times by columns
  int iterations = 0;                    ///< of the method
  long runs = 0;                         ///< of the model
  bool converged = false;                ///< whether the iteration came to rest
  std::string reason;                    ///< why the iteration stopped
  std::vector<std::string> warnings;     ///< values that the data do not determine, or hardly tell apart
  double wall_time = 0;                  ///< [s]
};

/// Least squares by Levenberg and Marquardt's method; the runs that derivatives take are done at once, on all cores. Standard
/// errors come from the covariance (J^T J)^-1 times the mean square of the residuals. Throws std::invalid_argument for data
/// that cannot be compared, std::runtime_error when the model does not run at the starting values.
FitResult fit(const std::vector<FitVariable>& variables, const FitData& data, const StartMaker& start,
              const FitOptions& options);

}  // namespace polhode::study
