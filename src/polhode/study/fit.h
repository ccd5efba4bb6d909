#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "polhode/study/sweep.h"

/// Finding the values of parameters with which a model moves as something was measured to move.
namespace polhode::study {

struct FitVariable {
  std::string name;
  double start = 0;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

/// One measured quantity, at the times of the data.
struct FitColumn {
  std::string quantity;  ///< as Quantity takes it
  std::vector<double> values;
  double deviation = 1;  ///< of the noise: residuals are measured in units of it
};

struct FitData {
  std::vector<double> times;
  std::vector<FitColumn> columns;
};

struct FitOptions {
  SimulateOptions simulate{};  ///< its time and its reports are those of the data
  int threads = 0;
  int most_iterations = 100;
};

struct FitResult {
  struct Value {
    std::string name;
    double start = 0, value = 0;
    std::optional<double> standard_error{};  ///< none where the data do not determine the value
    bool at_bound = false;
  };
  std::vector<Value> values;
  std::vector<double> correlations;      ///< by rows, of the determined values; empty when some are not
  double rms_before = 0, rms_after = 0;  ///< over all residuals, in units of the columns' deviations
  std::vector<double> column_rms;        ///< after, by column, in the column's own unit
  long points = 0;
  int iterations = 0;
  long runs = 0;
  bool converged = false;
  std::string reason;                 ///< why the iteration stopped
  std::vector<std::string> warnings;  ///< values that the data do not determine, or hardly tell apart
  double wall_time = 0;
};

/// Least squares by Levenberg and Marquardt's method; the runs that derivatives take are done at once, on all cores. Standard
/// errors come from the covariance (J^T J)^-1 times the mean square of the residuals. Throws std::invalid_argument for data
/// that cannot be compared, std::runtime_error when the model does not run at the starting values.
FitResult fit(const std::vector<FitVariable>& variables, const FitData& data, const StartMaker& start,
              const FitOptions& options);

}  // namespace polhode::study
