#include <algorithm>
#include <cmath>
#include <utility>

#include "polhode/linear/ldu_program.h"

namespace polhode::linear {
namespace {

constexpr int most = 6;

/// D with rows and columns in units of their own, so that pivots of different kinds can be compared.
struct ScaledBlock {
  double A[most][most];
  double row_unit[most], column_unit[most];

  /// False when something is not finite.
  bool set(int n, const LduColumn* D, const LduColumn* largest) {
    double size[most][most];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        A[i][j] = D[j].entry[i];
        size[i][j] = std::max(std::abs(A[i][j]), largest != nullptr ? largest[j].entry[i] : 0.0);
        if (!std::isfinite(A[i][j]) || !std::isfinite(size[i][j])) return false;
      }
    for (int i = 0; i < n; ++i) {
      const double unit = *std::max_element(size[i], size[i] + n);
      row_unit[i] = unit > 0 ? 1 / unit : 0;
    }
    for (int j = 0; j < n; ++j) {
      double unit = 0;
      for (int i = 0; i < n; ++i) unit = std::max(unit, size[i][j] * row_unit[i]);
      column_unit[j] = unit > 0 ? 1 / unit : 0;
      for (int i = 0; i < n; ++i) A[i][j] *= row_unit[i] * column_unit[j];
    }
    return true;
  }
};

}  // namespace

int invert_rank_revealing(int n, LduColumn* D, const LduColumn* largest, double tolerance) {
  ScaledBlock block;
  if (!block.set(n, D, largest)) return -1;
  double(&A)[most][most] = block.A;
  int row[most], column[most];
  for (int i = 0; i < n; ++i) row[i] = column[i] = i;

  // Gauss-Jordan, the inverse growing in the place of the pivots.
  int rank = 0;
  for (; rank < n; ++rank) {
    const int k = rank;
    int p = k, q = k;
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j)
        if (std::abs(A[i][j]) > std::abs(A[p][q])) p = i, q = j;
    if (!(std::abs(A[p][q]) > tolerance)) break;
    std::swap(row[k], row[p]), std::swap(column[k], column[q]);
    for (int j = 0; j < n; ++j) std::swap(A[k][j], A[p][j]);
    for (int i = 0; i < n; ++i) std::swap(A[i][k], A[i][q]);
    const double pivot = 1 / A[k][k];
    A[k][k] = 1;
    for (int j = 0; j < n; ++j) A[k][j] *= pivot;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = std::exchange(A[i][k], 0.0);
      for (int j = 0; j < n; ++j) A[i][j] -= factor * A[k][j];
    }
  }

  for (int j = 0; j < n; ++j) D[j] = {};
  for (int i = 0; i < rank; ++i)
    for (int j = 0; j < rank; ++j) D[row[j]].entry[column[i]] = A[i][j] * block.column_unit[column[i]] * block.row_unit[row[j]];
  return rank;
}

}  // namespace polhode::linear
