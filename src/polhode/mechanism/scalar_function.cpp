#include "polhode/mechanism/scalar_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace polhode {

double Linear::derivative(std::span<const int> by, const double* x) const {
  if (by.size() > 1) return 0;
  if (by.size() == 1) return slopes_[by[0]];
  double y = offset_;
  for (int i = 0; i < num_arguments(); ++i) y += slopes_[i] * x[i];
  return y;
}

double Polynomial::derivative_of_order(int order, double x) const {
  double y = 0;  // Horner's rule; x^k leaves k (k-1) ... (k-order+1) x^(k-order)
  for (int k = int(coefficients_.size()) - 1; k >= order; --k) {
    double factor = 1;
    for (int j = 0; j < order; ++j) factor *= k - j;
    y = y * x + factor * coefficients_[k];
  }
  return y;
}

double Sinusoid::derivative_of_order(int order, double x) const {
  const double angle = frequency_ * x + phase_;
  const double wave[] = {std::sin(angle), std::cos(angle), -std::sin(angle), -std::cos(angle)};
  return amplitude_ * std::pow(frequency_, order) * wave[order % 4];
}

CubicSpline::CubicSpline(std::vector<double> x, std::vector<double> y, std::optional<EndSlopes> slopes)
    : x_(std::move(x)), y_(std::move(y)) {
  const int n = int(x_.size());
  if (n < 2 || y_.size() != x_.size())
    throw std::invalid_argument(
        fmt::format("CubicSpline: {} values of x and {} of y; give at least two, as many of each", n, y_.size()));
  for (int i = 0; i + 1 < n; ++i)
    if (!(x_[i] < x_[i + 1]))
      throw std::invalid_argument(
          fmt::format("CubicSpline: x must increase, but x[{}] = {} follows {}", i + 1, x_[i + 1], x_[i]));
  for (int i = 0; i < n; ++i)
    if (!std::isfinite(x_[i]) || !std::isfinite(y_[i]))
      throw std::invalid_argument(fmt::format("CubicSpline: knot {} ({}, {}) is not finite", i, x_[i], y_[i]));

  // Slopes must agree at inner knots: h_l m_{i-1} + 2 (h_l + h_r) m_i + h_r m_{i+1} = 6 (d_r - d_l), tridiagonal in the
  // second derivatives m. Eliminate forward, then substitute back. At an end either m = 0 or the slope is given:
  // 2 h m_0 + h m_1 = 6 (d - slope), and its mirror image.
  second_.assign(n, 0.0);
  std::vector<double> upper(n, 0.0);
  const auto chord = [&](int i) { return (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]); };
  if (slopes) {
    upper[0] = 0.5;
    second_[0] = 3 * (chord(0) - slopes->first) / (x_[1] - x_[0]);
  }
  for (int i = 1; i + 1 < n; ++i) {
    const double h_l = x_[i] - x_[i - 1], h_r = x_[i + 1] - x_[i];
    const double jump = 6 * (chord(i) - chord(i - 1));
    const double pivot = 2 * (h_l + h_r) - h_l * upper[i - 1];
    upper[i] = h_r / pivot;
    second_[i] = (jump - h_l * second_[i - 1]) / pivot;
  }
  if (slopes) {
    const double h = x_[n - 1] - x_[n - 2];
    second_[n - 1] = (6 * (slopes->last - chord(n - 2)) - h * second_[n - 2]) / (2 * h - h * upper[n - 2]);
  }
  for (int i = n - 2; i >= 0; --i) second_[i] -= upper[i] * second_[i + 1];
  area_.assign(n, 0.0);
  for (int i = 0; i + 1 < n; ++i) area_[i + 1] = area_[i] + integral_over_piece(i, 1);
}

int CubicSpline::piece_at(double x) const {
  return std::clamp(int(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin()) - 1, 0, int(x_.size()) - 2);
}

/// From knot i over the fraction s of its piece.
double CubicSpline::integral_over_piece(int i, double s) const {
  const double h = x_[i + 1] - x_[i], r = 1 - s, s2 = s * s, r2 = r * r;
  const double chords = y_[i] * (s - s2 / 2) + y_[i + 1] * s2 / 2;
  const double bends = second_[i] * (r2 / 2 - r2 * r2 / 4 - 0.25) + second_[i + 1] * (s2 * s2 / 4 - s2 / 2);
  return h * (chords + h * h / 6 * bends);
}

double CubicSpline::integral(double x) const {
  const bool left = x < x_.front();
  if (left || x > x_.back()) {
    const double end = left ? x_.front() : x_.back(), d = x - end;
    return (left ? 0 : area_.back()) + d * (derivative_of_order(0, end) + d / 2 * derivative_of_order(1, end));
  }
  const int i = piece_at(x);
  return area_[i] + integral_over_piece(i, (x - x_[i]) / (x_[i + 1] - x_[i]));
}

double CubicSpline::derivative_of_order(int order, double x) const {
  const int i = piece_at(x);
  const double h = x_[i + 1] - x_[i], chord = (y_[i + 1] - y_[i]) / h;
  if (x < x_.front() || x > x_.back()) {
    const bool left = x < x_.front();
    const double slope =
        left ? chord - h / 6 * (2 * second_[i] + second_[i + 1]) : chord + h / 6 * (second_[i] + 2 * second_[i + 1]);
    const double value = left ? y_.front() + slope * (x - x_.front()) : y_.back() + slope * (x - x_.back());
    return order == 0 ? value : order == 1 ? slope : 0;
  }
  // On this piece the second derivative is linear: m_i (1 - s) + m_{i+1} s.
  const double s = (x - x_[i]) / h, r = 1 - s, a = second_[i], b = second_[i + 1];
  switch (order) {
    case 0: return r * y_[i] + s * y_[i + 1] + h * h / 6 * ((r * r * r - r) * a + (s * s * s - s) * b);
    case 1: return chord + h / 6 * ((1 - 3 * r * r) * a + (3 * s * s - 1) * b);
    case 2: return r * a + s * b;
    case 3: return (b - a) / h;
    default: return 0;
  }
}

}  // namespace polhode
