#pragma once
#include <cstddef>
#include <vector>

namespace polhode::linear {

/// Solves A x = b for a symmetric positive semidefinite A of any rank: the smallest x among those that leave the least
/// residual, both in the ordinary norm.
///
/// Cholesky's factorisation with diagonal pivoting, on A scaled to a unit diagonal so that the rank does not depend on units.
/// Where the rank r is short, the remaining columns give a basis of the null space, which is taken out of b and of x: that
/// costs r^2 for each lost rank and does not square the condition, as normal equations would.
/// Rows of zeros, which planar mechanisms with spatial joints have many of, are left out from the start, and so is what is
/// nothing but rounding beside the other rows: their x is 0.
/// Memory is sized once; factoring and solving allocate nothing.
class SemidefiniteSolver {
 public:
  explicit SemidefiniteSolver(int n) { resize(n); }

  /// For another size: factor() comes next. Allocates only beyond the largest size so far.
  void resize(int n);
  int size() const { return n_; }
  /// A row after row; the lower triangle is read. Scaled pivots below the tolerance count as zero.
  void factor(const double* A, double tolerance = 1e-11);
  int rank() const { return rank_; }
  /// b and x may be the same array.
  void solve(const double* b, double* x);

 private:
  double* row(int i) { return L_.data() + std::size_t(i) * n_; }
  void swap_pivot(int k, int p);
  void find_null_space();
  void take_out_null_space(double* x) const;

  int n_ = 0, active_ = 0, rank_ = 0;  // active: rows that are not zero; they come first in the order
  std::vector<double> L_;              // scaled and permuted, lower triangle
  std::vector<double> unit_;           // 1 / sqrt(diagonal), in the original order; 0 where the diagonal is
  std::vector<double> column_, y_;     // scratch
  std::vector<double> null_;           // orthonormal vectors in the original order, one after another
  std::vector<int> order_;             // order_[i] is the original row at place i
};

}  // namespace polhode::linear
