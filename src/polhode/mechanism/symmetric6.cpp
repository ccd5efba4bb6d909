#include "polhode/mechanism/symmetric6.h"

#include <Eigen/Eigenvalues>

namespace polhode {

Modes6 modes_of(const Symmetric6& A) {
  constexpr int n = Symmetric6::rows;
  Eigen::Matrix<double, n, n> full;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) full(i, j) = A(i, j);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, n, n>> solver(full);
  Modes6 modes;
  for (int k = 0; k < n; ++k) {
    modes.value[std::size_t(k)] = solver.eigenvalues()[k];
    for (int i = 0; i < n; ++i) modes.vector[std::size_t(k)][std::size_t(i)] = solver.eigenvectors()(i, k);
  }
  return modes;
}

}  // namespace polhode
