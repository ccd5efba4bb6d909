#pragma once
#include <functional>
#include <string>
#include <vector>

namespace polhode::study {

/// Minimises the sum of squares of residuals over variables between bounds.
struct LeastSquares {
  /// The residuals at several x at once, possibly on several threads; empty where there are none (a run failed).
  using Batch = std::function<std::vector<std::vector<double>>(const std::vector<std::vector<double>>& x)>;

  Batch residuals;
  std::vector<double> start, lower, upper;
  std::vector<double> scale;    ///< by variable: a change that matters
  double relative_step = 1e-5;  ///< of the differences that derivatives are made of, in units of scale
  int most_iterations = 100;
};

struct LeastSquaresResult {
  std::vector<double> x, residuals;
  std::vector<double> jacobian;     ///< d residual / d x at the end, by columns
  double cost_start = 0, cost = 0;  ///< sums of squares
  int iterations = 0;
  long evaluations = 0;
  bool converged = false;
  std::string reason;  ///< why it stopped
};

/// Levenberg and Marquardt's method, with central differences and with variables held while they sit at a bound that they
/// would leave. Throws std::runtime_error when there are no residuals at the start.
LeastSquaresResult minimise(const LeastSquares& problem);

}  // namespace polhode::study
