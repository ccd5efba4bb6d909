#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "polhode/spatial/dual.h"

namespace polhode {

/// A smooth function of one or more numbers, with its derivatives: what a function-based joint is made of.
class ScalarFunction {
 public:
  virtual ~ScalarFunction() = default;
  virtual int num_arguments() const = 0;
  /// The derivative with respect to each argument listed in `by`, one after the other, at x; the value when none is listed.
  /// Dynamics asks for up to two; differentiating dynamics with dual numbers asks for one more.
  virtual double derivative(std::span<const int> by, const double* x) const = 0;

  double value(const double* x) const { return derivative({}, x); }
};

/// A function of one number: only the order of the derivative matters (0: the value).
class FunctionOfOne : public ScalarFunction {
 public:
  int num_arguments() const final { return 1; }
  double derivative(std::span<const int> by, const double* x) const final { return derivative_of_order(int(by.size()), *x); }
  virtual double derivative_of_order(int order, double x) const = 0;
};

/// The same number everywhere; takes no argument.
class Constant : public ScalarFunction {
 public:
  explicit Constant(double value) : value_(value) {}
  int num_arguments() const override { return 0; }
  double derivative(std::span<const int> by, const double*) const override { return by.empty() ? value_ : 0; }

 private:
  double value_;
};

/// offset + sum of slope_i x_i.
class Linear : public ScalarFunction {
 public:
  explicit Linear(std::vector<double> slopes = {1}, double offset = 0) : slopes_(std::move(slopes)), offset_(offset) {}
  int num_arguments() const override { return int(slopes_.size()); }
  double derivative(std::span<const int> by, const double* x) const override;

 private:
  std::vector<double> slopes_;
  double offset_;
};

/// c0 + c1 x + c2 x^2 + ...
class Polynomial : public FunctionOfOne {
 public:
  explicit Polynomial(std::vector<double> coefficients) : coefficients_(std::move(coefficients)) {}
  double derivative_of_order(int order, double x) const override;
  const std::vector<double>& coefficients() const { return coefficients_; }

 private:
  std::vector<double> coefficients_;
};

/// amplitude sin(frequency x + phase).
class Sinusoid : public FunctionOfOne {
 public:
  explicit Sinusoid(double amplitude, double frequency = 1, double phase = 0)
      : amplitude_(amplitude), frequency_(frequency), phase_(phase) {}
  double derivative_of_order(int order, double x) const override;
  double amplitude() const { return amplitude_; }
  double frequency() const { return frequency_; }
  double phase() const { return phase_; }

 private:
  double amplitude_, frequency_, phase_;
};

/// The cubic spline through (x_i, y_i): twice continuously differentiable, straight beyond its ends.
class CubicSpline : public FunctionOfOne {
 public:
  struct EndSlopes {
    double first, last;
  };
  /// At least two knots, x increasing; throws std::invalid_argument with the knot at fault otherwise. Without end slopes the
  /// spline is the natural one, whose second derivative vanishes at both ends.
  CubicSpline(std::vector<double> x, std::vector<double> y, std::optional<EndSlopes> slopes = {});
  double derivative_of_order(int order, double x) const override;
  /// From the first knot to x, exact; negative before it.
  double integral(double x) const;

 private:
  int piece_at(double x) const;
  double integral_over_piece(int i, double s) const;

  std::vector<double> area_;            ///< from the first knot to each
  std::vector<double> x_, y_, second_;  ///< second derivatives at the knots
};

// A function on the scalars of the kernels: packs lane by lane, dual numbers by the chain rule with the next derivative.

inline constexpr int max_function_arguments = 6, max_derivative_order = 6;

POLHODE_INLINE double apply_function(const ScalarFunction& f, std::span<const int> by, const double* x) {
  return f.derivative(by, x);
}
template <class Pack>
requires requires { Pack::width; }
POLHODE_INLINE Pack apply_function(const ScalarFunction& f, std::span<const int> by, const Pack* x) {
  Pack result{};
  double lane_x[max_function_arguments]{};
  for (int lane = 0; lane < Pack::width; ++lane) {
    for (int i = 0; i < f.num_arguments(); ++i) lane_x[i] = x[i][lane];
    result.set(lane, f.derivative(by, lane_x));
  }
  return result;
}
template <class T>
POLHODE_INLINE Dual<T> apply_function(const ScalarFunction& f, std::span<const int> by, const Dual<T>* x) {
  T values[max_function_arguments]{};
  int by_next[max_derivative_order]{};
  const int order = int(by.size());
  for (int i = 0; i < f.num_arguments(); ++i) values[i] = x[i].value;
  for (int k = 0; k < order; ++k) by_next[k] = by[k];
  Dual<T> result{apply_function(f, by, values), T(0)};
  for (int i = 0; i < f.num_arguments(); ++i) {
    by_next[order] = i;
    result.slope = result.slope + apply_function(f, std::span<const int>(by_next, order + 1), values) * x[i].slope;
  }
  return result;
}

}  // namespace polhode
