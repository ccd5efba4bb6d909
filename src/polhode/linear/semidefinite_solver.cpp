#include "polhode/linear/semidefinite_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polhode::linear {
namespace {

double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void subtract(double factor, const double* x, double* y, int n) {
  for (int i = 0; i < n; ++i) y[i] -= factor * x[i];
}

}  // namespace

SemidefiniteSolver::SemidefiniteSolver(int n)
    : n_(n), L_(std::size_t(n) * n), unit_(n), column_(n), y_(n), null_(std::size_t(n) * n), order_(n) {}

void SemidefiniteSolver::swap_pivot(int k, int p) {
  if (p == k) return;
  // A symmetric swap in the lower triangle: rows left of k, the diagonal, and what lies between and below.
  std::swap_ranges(row(k), row(k) + k, row(p));
  std::swap(row(k)[k], row(p)[p]);
  for (int i = k + 1; i < p; ++i) std::swap(row(i)[k], row(p)[i]);
  for (int i = p + 1; i < n_; ++i) std::swap(row(i)[k], row(i)[p]);
  std::swap(order_[k], order_[p]);
}

void SemidefiniteSolver::factor(const double* A, double tolerance) {
  std::iota(order_.begin(), order_.end(), 0);
  for (int i = 0; i < n_; ++i) {
    const double diagonal = A[std::size_t(i) * n_ + i];
    unit_[i] = diagonal > 0 ? 1 / std::sqrt(diagonal) : 0;
  }
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j <= i; ++j) row(i)[j] = unit_[i] * A[std::size_t(i) * n_ + j] * unit_[j];

  for (rank_ = 0; rank_ < n_; ++rank_) {
    const int k = rank_;
    int p = k;
    for (int i = k + 1; i < n_; ++i)
      if (row(i)[i] > row(p)[p]) p = i;
    if (!(row(p)[p] > tolerance)) break;
    swap_pivot(k, p);
    const double pivot = std::sqrt(row(k)[k]);
    row(k)[k] = pivot;
    for (int i = k + 1; i < n_; ++i) column_[i] = (row(i)[k] /= pivot);
    for (int i = k + 1; i < n_; ++i) subtract(column_[i], column_.data() + k + 1, row(i) + k + 1, i - k);
  }
  if (rank_ < n_) find_null_space();
}

/// With A = (L11; L21)(L11; L21)^T in pivot order, the columns of (-L11^-T L21^T; 1) span the null space.
void SemidefiniteSolver::find_null_space() {
  for (int j = rank_; j < n_; ++j) {
    for (int i = rank_ - 1; i >= 0; --i) {
      double sum = -row(j)[i];
      for (int k = i + 1; k < rank_; ++k) sum -= row(k)[i] * y_[k];
      y_[i] = sum / row(i)[i];
    }
    double* const v = null_.data() + std::size_t(j - rank_) * n_;
    std::fill_n(v, n_, 0.0);
    for (int i = 0; i < rank_; ++i) v[order_[i]] = unit_[order_[i]] * y_[i];
    const double own = unit_[order_[j]];
    v[order_[j]] = own > 0 ? own : 1;     // a row of zeros is a null vector by itself
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
  for (int k = 0; k < n_ - rank_; ++k) {
    const double* const v = null_.data() + std::size_t(k) * n_;
    subtract(dot(v, x, n_), v, x, n_);
  }
}

void SemidefiniteSolver::solve(const double* b, double* x) {
  if (x != b) std::copy_n(b, n_, x);
  if (rank_ < n_) take_out_null_space(x);
  for (int i = 0; i < rank_; ++i) y_[i] = (unit_[order_[i]] * x[order_[i]] - dot(row(i), y_.data(), i)) / row(i)[i];
  for (int i = rank_ - 1; i >= 0; --i) {
    y_[i] /= row(i)[i];
    subtract(y_[i], row(i), y_.data(), i);
  }
  std::fill_n(x, n_, 0.0);
  for (int i = 0; i < rank_; ++i) x[order_[i]] = unit_[order_[i]] * y_[i];
  if (rank_ < n_) take_out_null_space(x);
}

}  // namespace polhode::linear
