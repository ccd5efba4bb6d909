#include "polhode/linear/rank_revealing.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace polhode::linear {
namespace {

/// Cholesky factor, in place, of the leading r x r block of an n-wide matrix.
void factor_cholesky(int r, int n, double* A) {
  for (int j = 0; j < r; ++j) {
    double* row_j = A + std::size_t(j) * n;
    for (int k = 0; k < j; ++k) row_j[j] -= row_j[k] * row_j[k];
    row_j[j] = std::sqrt(row_j[j]);
    for (int i = j + 1; i < r; ++i) {
      double* row_i = A + std::size_t(i) * n;
      for (int k = 0; k < j; ++k) row_i[j] -= row_i[k] * row_j[k];
      row_i[j] /= row_j[j];
    }
  }
}
void solve_cholesky(int r, int n, const double* A, double* x) {
  for (int i = 0; i < r; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= A[std::size_t(i) * n + k] * x[k];
    x[i] /= A[std::size_t(i) * n + i];
  }
  for (int i = r - 1; i >= 0; --i) {
    for (int k = i + 1; k < r; ++k) x[i] -= A[std::size_t(k) * n + i] * x[k];
    x[i] /= A[std::size_t(i) * n + i];
  }
}

}  // namespace

void RankRevealingSolver::resize(int n) {
  n_ = n;
  rank_ = 0;
  const std::size_t size = std::size_t(n);
  for (auto* square : {&A_, &normal_lower_, &normal_upper_}) square->resize(size * size);
  scale_.resize(size);
  y_.resize(2 * size);
  for (auto* permutation : {&row_, &column_}) permutation->resize(size);
}

void RankRevealingSolver::scale(const double* A) {
  double largest = 0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(A[std::size_t(i) * n_ + i]));
  // A row that is nothing but rounding must not be blown up to look like the others. Units cannot make such a difference.
  const double rounding = 1e-24 * largest;
  for (int i = 0; i < n_; ++i) {
    const double d = std::abs(A[std::size_t(i) * n_ + i]);
    scale_[i] = d > rounding ? 1 / std::sqrt(d) : largest > 0 ? 1 / std::sqrt(largest) : 1;
  }
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) at(i, j) = scale_[i] * A[std::size_t(i) * n_ + j] * scale_[j];
}

void RankRevealingSolver::factor(const double* A, double tolerance) {
  scale(A);
  std::iota(row_.begin(), row_.end(), 0);
  std::iota(column_.begin(), column_.end(), 0);
  double largest = 0;
  for (rank_ = 0; rank_ < n_; ++rank_) {
    const int k = rank_;
    int p = k, q = k;
    double best = 0;
    for (int i = k; i < n_; ++i)
      for (int j = k; j < n_; ++j)
        if (std::abs(at(i, j)) > best) best = std::abs(at(i, j)), p = i, q = j;
    if (k == 0) largest = best;
    if (!(best > tolerance * largest)) break;
    if (p != k) {
      for (int j = 0; j < n_; ++j) std::swap(at(p, j), at(k, j));
      std::swap(row_[p], row_[k]);
    }
    if (q != k) {
      for (int i = 0; i < n_; ++i) std::swap(at(i, q), at(i, k));
      std::swap(column_[q], column_[k]);
    }
    const double inverse = 1 / at(k, k);
    for (int i = k + 1; i < n_; ++i) {
      const double l = at(i, k) * inverse;
      at(i, k) = l;
      if (l == 0) continue;
      for (int j = k + 1; j < n_; ++j) at(i, j) -= l * at(k, j);
    }
  }
  if (rank_ == n_) return;
  // L is n x r, unit lower trapezoidal; U is r x n, upper trapezoidal.
  const auto L = [&](int i, int k) { return i == k ? 1.0 : i > k ? at(i, k) : 0.0; };
  const auto U = [&](int k, int j) { return j >= k ? at(k, j) : 0.0; };
  for (int i = 0; i < rank_; ++i)
    for (int j = 0; j <= i; ++j) {
      double lower = 0, upper = 0;
      for (int k = 0; k < n_; ++k) lower += L(k, i) * L(k, j), upper += U(i, k) * U(j, k);
      normal_lower_[std::size_t(i) * n_ + j] = lower, normal_upper_[std::size_t(i) * n_ + j] = upper;
    }
  factor_cholesky(rank_, n_, normal_lower_.data());
  factor_cholesky(rank_, n_, normal_upper_.data());
}

void RankRevealingSolver::solve(const double* b, double* x) {
  for (int i = 0; i < n_; ++i) y_[i] = scale_[row_[i]] * b[row_[i]];
  if (rank_ == n_)
    solve_full();
  else
    solve_short();
  for (int j = 0; j < n_; ++j) x[column_[j]] = scale_[column_[j]] * y_[j];
}

void RankRevealingSolver::solve_full() {
  for (int i = 0; i < n_; ++i)
    for (int k = 0; k < i; ++k) y_[i] -= at(i, k) * y_[k];
  for (int i = n_ - 1; i >= 0; --i) {
    for (int k = i + 1; k < n_; ++k) y_[i] -= at(i, k) * y_[k];
    y_[i] /= at(i, i);
  }
}

void RankRevealingSolver::solve_short() {
  double* const z = y_.data() + n_;
  for (int i = 0; i < rank_; ++i) {
    z[i] = y_[i];
    for (int k = i + 1; k < n_; ++k) z[i] += at(k, i) * y_[k];
  }
  solve_cholesky(rank_, n_, normal_lower_.data(), z);
  solve_cholesky(rank_, n_, normal_upper_.data(), z);
  for (int j = 0; j < n_; ++j) {
    y_[j] = 0;
    for (int i = 0; i <= j && i < rank_; ++i) y_[j] += at(i, j) * z[i];
  }
}

}  // namespace polhode::linear
