#include "polhode/linear/semidefinite_solver.h"

#include <algorithm>
#include <cmath>

namespace polhode::linear {
namespace {

/// Of the largest diagonal entry. Rounding leaves some 1e-16 of a row that should be zero, whose square is this entry; rows
/// that differ in units alone are not that far apart.
constexpr double nothing = 1e-26;

/// Four sums side by side, for each addition has to wait for the one before.
double dot(const double* a, const double* b, int n) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 3 < n; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; ++i) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

void subtract(double factor, const double* x, double* y, int n) {
  for (int i = 0; i < n; ++i) y[i] -= factor * x[i];
}

}  // namespace

void SemidefiniteSolver::resize(int n) {
  n_ = n;
  active_ = rank_ = 0;
  const std::size_t size = std::size_t(n);
  for (auto* square : {&L_, &null_}) square->resize(size * size);
  for (auto* numbers : {&unit_, &column_, &y_}) numbers->resize(size);
  order_.resize(size);
}

void SemidefiniteSolver::swap_pivot(int k, int p) {
  if (p == k) return;
  // A symmetric swap in the lower triangle: rows left of k, the diagonal, and what lies between and below.
  std::swap_ranges(row(k), row(k) + k, row(p));
  std::swap(row(k)[k], row(p)[p]);
  for (int i = k + 1; i < p; ++i) std::swap(row(i)[k], row(p)[i]);
  for (int i = p + 1; i < active_; ++i) std::swap(row(i)[k], row(i)[p]);
  std::swap(order_[k], order_[p]);
}

void SemidefiniteSolver::factor(const double* A, double tolerance) {
  double largest = 0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, A[std::size_t(i) * n_ + i]);
  active_ = 0;
  for (int i = 0; i < n_; ++i) {
    const double diagonal = A[std::size_t(i) * n_ + i];
    const bool is_active = !(diagonal <= nothing * largest);  // what is not a number is not passed over
    unit_[i] = is_active ? 1 / std::sqrt(diagonal) : 0;
    if (is_active) order_[active_++] = i;
  }
  for (int i = 0; i < active_; ++i) {
    const double* const a = A + std::size_t(order_[i]) * n_;
    for (int j = 0; j <= i; ++j) row(i)[j] = unit_[order_[i]] * a[order_[j]] * unit_[order_[j]];
  }

  for (rank_ = 0; rank_ < active_; ++rank_) {
    const int k = rank_;
    int p = k;
    for (int i = k + 1; i < active_; ++i)
      if (row(i)[i] > row(p)[p]) p = i;
    if (!(row(p)[p] > tolerance)) break;
    swap_pivot(k, p);
    const double pivot = std::sqrt(row(k)[k]);
    row(k)[k] = pivot;
    for (int i = k + 1; i < active_; ++i) column_[i] = (row(i)[k] /= pivot);
    for (int i = k + 1; i < active_; ++i)
      if (column_[i] != 0) subtract(column_[i], column_.data() + k + 1, row(i) + k + 1, i - k);
  }
  if (rank_ < active_) find_null_space();
}

/// With A = (L11; L21)(L11; L21)^T in pivot order, the columns of (-L11^-T L21^T; 1) span the null space.
void SemidefiniteSolver::find_null_space() {
  for (int j = rank_; j < active_; ++j) {
    for (int i = rank_ - 1; i >= 0; --i) {
      double sum = -row(j)[i];
      for (int k = i + 1; k < rank_; ++k) sum -= row(k)[i] * y_[k];
      y_[i] = sum / row(i)[i];
    }
    double* const v = null_.data() + std::size_t(j - rank_) * n_;
    std::fill_n(v, n_, 0.0);
    for (int i = 0; i < rank_; ++i) v[order_[i]] = unit_[order_[i]] * y_[i];
    v[order_[j]] = unit_[order_[j]];
    for (int pass = 0; pass < 2; ++pass)  // twice is enough (Kahan)
      for (int k = 0; k < j - rank_; ++k) {
        const double* const other = null_.data() + std::size_t(k) * n_;
        subtract(dot(other, v, n_), other, v, n_);
      }
    const double size = std::sqrt(dot(v, v, n_));
    for (int i = 0; i < n_; ++i) v[i] /= size;
  }
}

void SemidefiniteSolver::take_out_null_space(double* x) const {
  for (int k = 0; k < active_ - rank_; ++k) {
    const double* const v = null_.data() + std::size_t(k) * n_;
    subtract(dot(v, x, n_), v, x, n_);
  }
}

void SemidefiniteSolver::solve(const double* b, double* x) {
  if (x != b) std::copy_n(b, n_, x);
  if (rank_ < active_) take_out_null_space(x);
  for (int i = 0; i < rank_; ++i) y_[i] = (unit_[order_[i]] * x[order_[i]] - dot(row(i), y_.data(), i)) / row(i)[i];
  for (int i = rank_ - 1; i >= 0; --i) {
    y_[i] /= row(i)[i];
    subtract(y_[i], row(i), y_.data(), i);
  }
  std::fill_n(x, n_, 0.0);
  for (int i = 0; i < rank_; ++i) x[order_[i]] = unit_[order_[i]] * y_[i];
  if (rank_ < active_) take_out_null_space(x);
}

}  // namespace polhode::linear
