#pragma once
#include <cstddef>
#include <vector>

/// Dense linear algebra on small systems whose rank may be short.
namespace polhode::linear {

/// Solves A x = b for a square A of any rank: the smallest x (in the scaled norm) among those that leave the least residual.
///
/// Gaussian elimination with complete pivoting finds the rank r and A = L U with L and U of rank r; where r is short,
/// x = U^T (U U^T)^-1 (L^T L)^-1 L^T b. Rows and columns are first scaled by the square roots of the diagonal, which makes the
/// rank independent of units where A is nearly symmetric and definite, as Schur complements of constraints are.
/// Memory is sized once; factoring and solving allocate nothing.
class RankRevealingSolver {
 public:
  explicit RankRevealingSolver(int n) { resize(n); }

  /// For another size: factor() comes next. Allocates only beyond the largest size so far.
  void resize(int n);
  int size() const { return n_; }
  /// A row after row. Pivots below `tolerance` times the largest count as zero.
  void factor(const double* A, double tolerance = 1e-11);
  int rank() const { return rank_; }
  /// b and x may be the same array.
  void solve(const double* b, double* x);

 private:
  double& at(int i, int j) { return A_[std::size_t(i) * n_ + j]; }
  void scale(const double* A);
  void solve_full();
  void solve_short();

  int n_ = 0, rank_ = 0;
  std::vector<double> A_, scale_, y_, normal_lower_, normal_upper_;
  std::vector<int> row_, column_;  // permutations
};

}  // namespace polhode::linear
