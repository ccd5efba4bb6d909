#pragma once
#include <optional>
#include <span>
#include <vector>

namespace polhode::study {

/// A spline through samples y(t), or near to them, of degree five where there are at least six: its second derivative is
/// smooth.
///
/// Without a cutoff it goes through all samples. With one it makes
///   sum of (y_i - s(t_i))^2 h_i + p * (integral of s'''(t)^2)
/// least, h_i being each sample's share of time; p = (2 pi cutoff)^-6, so that a long sine of the cutoff's frequency is
/// halved, slower ones are kept and faster ones go with the sixth power of their frequency.
class Spline {
 public:
  /// Times increase; at least two samples.
  Spline(std::span<const double> times, std::span<const double> values, std::optional<double> cutoff_hz = {});

  struct Value {
    double value, first, second;
  };
  /// With derivatives; t within the samples' times.
  Value at(double t) const;

 private:
  static constexpr int most = 6;  // basis functions that are not zero at a time
  /// The degree + 1 of them by their number-th derivative; gives the index of the first.
  int basis(double t, int derivative, double* values) const;
  int span_of(double t) const;

  int degree_;
  std::vector<double> knots_, coefficients_;
};

}  // namespace polhode::study
