#include "polhode/study/spline.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace polhode::study {
namespace {

/// Square matrices with few diagonals, by elimination without exchanges: enough for spline matrices, which are totally positive
/// at samples that interlace with the knots (de Boor), and for positive definite ones.
class Banded {
 public:
  Banded(int n, int width) : n_(n), width_(width), a_(std::size_t(n) * (2 * width + 1)) {}
  double& operator()(int i, int j) { return a_[std::size_t(i) * (2 * width_ + 1) + (j - i + width_)]; }

  void solve(std::vector<double>& b) {
    for (int k = 0; k < n_; ++k)
      for (int i = k + 1; i < std::min(n_, k + width_ + 1); ++i) {
        const double factor = (*this)(i, k) / (*this)(k, k);
        if (factor == 0) continue;
        for (int j = k; j < std::min(n_, k + width_ + 1); ++j) (*this)(i, j) -= factor * (*this)(k, j);
        b[i] -= factor * b[k];
      }
    for (int i = n_ - 1; i >= 0; --i) {
      for (int j = i + 1; j < std::min(n_, i + width_ + 1); ++j) b[i] -= (*this)(i, j) * b[j];
      b[i] /= (*this)(i, i);
    }
  }

 private:
  int n_, width_;
  std::vector<double> a_;
};

}  // namespace

Spline::Spline(std::span<const double> times, std::span<const double> values, std::optional<double> cutoff_hz) {
  const int n = int(times.size());
  if (n < 2 || values.size() != times.size()) throw std::invalid_argument("a spline needs two samples or more");
  degree_ = std::min(n - 1, 5);
  // As many knots as there are samples: near the ends every second gap has none ("not a knot").
  const int skipped = (degree_ + 1) / 2;
  knots_.assign(std::size_t(degree_) + 1, times.front());
  for (int i = skipped; i < n - degree_ - 1 + skipped; ++i)
    knots_.push_back(degree_ % 2 == 1 ? times[i] : 0.5 * (times[i] + times[i - 1]));
  knots_.insert(knots_.end(), std::size_t(degree_) + 1, times.back());
  coefficients_.assign(values.begin(), values.end());

  double B[most];
  if (!cutoff_hz || degree_ < 5) {
    Banded A(n, degree_);
    for (int i = 0; i < n; ++i) {
      const int first = basis(times[i], 0, B);
      for (int k = 0; k <= degree_; ++k)
        if (std::abs(first + k - i) <= degree_) A(i, first + k) = B[k];
    }
    A.solve(coefficients_);
    return;
  }
  Banded A(n, degree_);
  std::vector<double> right(n);
  for (int i = 0; i < n; ++i) {
    const double h = 0.5 * (times[std::min(i + 1, n - 1)] - times[std::max(i - 1, 0)]);
    const int first = basis(times[i], 0, B);
    for (int k = 0; k <= degree_; ++k) {
      right[first + k] += h * B[k] * values[i];
      for (int l = 0; l <= degree_; ++l) A(first + k, first + l) += h * B[k] * B[l];
    }
  }
  const double penalty = std::pow(2 * 3.14159265358979323846 * *cutoff_hz, -6);
  constexpr double places[] = {-0.7745966692414834, 0, 0.7745966692414834}, shares[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {  // Gauss: s''' squared is of degree four between knots
    const double length = knots_[i + 1] - knots_[i];
    if (length <= 0) continue;
    for (int g = 0; g < 3; ++g) {
      const int first = basis(knots_[i] + 0.5 * length * (1 + places[g]), 3, B);
      for (int k = 0; k <= degree_; ++k)
        for (int l = 0; l <= degree_; ++l) A(first + k, first + l) += penalty * shares[g] * length * B[k] * B[l];
    }
  }
  A.solve(right);
  coefficients_ = std::move(right);
}

int Spline::span_of(double t) const {
  const auto last = knots_.end() - degree_ - 1;
  const auto above = std::upper_bound(knots_.begin() + degree_, last, t);
  return int((above == last ? std::upper_bound(knots_.begin(), knots_.end(), std::nextafter(knots_.back(), knots_.front()))
                            : above) -
             knots_.begin()) -
         1;
}

/// Cox and de Boor: functions of degree d from those of degree d - 1; the last `derivative` rounds differentiate instead.
int Spline::basis(double t, int derivative, double* B) const {
  const int span = span_of(t);
  std::fill(B, B + most, 0.0);
  B[0] = 1;
  for (int d = 1; d <= degree_; ++d) {
    const bool differentiate = d > degree_ - derivative;
    double carried = 0;
    for (int k = 0; k < d; ++k) {
      const double left = knots_[span + 1 + k - d], right = knots_[span + 1 + k];
      const double share = B[k] / (right - left);
      B[k] = carried + share * (differentiate ? -double(d) : right - t);
      carried = share * (differentiate ? double(d) : t - left);
    }
    B[d] = carried;
  }
  return span - degree_;
}

Spline::Value Spline::at(double t) const {
  double B[most], sums[3];
  for (int derivative = 0; derivative < 3; ++derivative) {
    sums[derivative] = 0;
    if (derivative > degree_) continue;
    const int first = basis(t, derivative, B);
    for (int k = 0; k <= degree_; ++k) sums[derivative] += B[k] * coefficients_[first + k];
  }
  return {sums[0], sums[1], sums[2]};
}

}  // namespace polhode::study
