#include "polhode/linear/rank_revealing.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/allocation_counter.h"
#include "tests/support/random.h"

namespace polhode::linear {
namespace {

using testing_support::Random;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

Matrix random_matrix(Random& random, int rows, int columns) {
  Matrix A(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) A(i, j) = random.uniform(-1, 1);
  return A;
}
Vector solve(RankRevealingSolver& solver, const Matrix& A, const Vector& b) {
  Vector x(b.size());
  solver.factor(A.data());
  solver.solve(b.data(), x.data());
  return x;
}
/// What the solver promises: the least squares solution of least norm of the scaled system S A S y = S b, x = S y.
Vector expected(const Matrix& A, const Vector& b) {
  const Vector s = A.diagonal().unaryExpr([](double d) { return d == 0 ? 1 : 1 / std::sqrt(std::abs(d)); });
  Eigen::CompleteOrthogonalDecomposition<Matrix> cod;
  cod.setThreshold(1e-10);
  cod.compute(s.asDiagonal() * A * s.asDiagonal());
  return s.asDiagonal() * cod.solve(Vector(s.asDiagonal() * b));
}
/// As Schur complements are: G M^-1 G^T, up to a part that is not symmetric; rows of G beyond the rank repeat others.
Matrix schur(Random& random, int n, int rank, double skew) {
  const Matrix B = random_matrix(random, n, rank), C = B + skew * random_matrix(random, n, n) * B;
  return B * (Matrix::Identity(rank, rank) + 0.3 * random_matrix(random, rank, rank)) * C.transpose();
}

// Condition numbers of random matrices of this size reach some 1e4 (1e6 squared in the normal equations of the short case).
TEST(RankRevealing, SolvesRegularSystems) {
  Random random(1);
  for (int n = 1; n <= 20; ++n) {
    RankRevealingSolver solver(n);
    for (int trial = 0; trial < 5; ++trial) {
      const Matrix A = random_matrix(random, n, n) + 2 * Matrix::Identity(n, n);
      const Vector b = random_matrix(random, n, 1);
      const Vector x = solve(solver, A, b);
      EXPECT_EQ(solver.rank(), n);
      EXPECT_LT((A * x - b).norm(), 1e-12 * (b.norm() + A.norm() * x.norm())) << n;
    }
  }
}

TEST(RankRevealing, GivesTheLeastSquaresSolutionOfLeastNorm) {
  Random random(2);
  for (int n = 2; n <= 12; ++n)
    for (int rank = 1; rank < n; ++rank) {
      RankRevealingSolver solver(n);
      const Matrix A = schur(random, n, rank, 0.05);
      const Vector inconsistent = random_matrix(random, n, 1), consistent = A * inconsistent;
      for (const Vector& b : {consistent, inconsistent}) {
        const Vector x = solve(solver, A, b), wanted = expected(A, b);
        EXPECT_EQ(solver.rank(), rank) << n;
        EXPECT_LT((x - wanted).norm(), 1e-7 * (1 + wanted.norm())) << n << ", rank " << rank;
      }
    }
}

// Multipliers in newtons or in kilonewtons: rows and columns in other units change neither rank nor solution.
TEST(RankRevealing, FindsTheSameRankInAnyUnits) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const int n = 8, rank = 5;
    const Matrix A = schur(random, n, rank, 0);
    Vector units(n);
    for (int i = 0; i < n; ++i) units[i] = std::pow(10.0, random.uniform(-4, 4));
    RankRevealingSolver solver(n);
    solver.factor(Matrix(units.asDiagonal() * A * units.asDiagonal()).data());
    EXPECT_EQ(solver.rank(), rank);
  }
}

TEST(RankRevealing, HasNothingToSayOfZero) {
  RankRevealingSolver solver(3);
  const Matrix zero = Matrix::Zero(3, 3);
  const Vector x = solve(solver, zero, Vector::Ones(3));
  EXPECT_EQ(solver.rank(), 0);
  EXPECT_EQ(x, Vector::Zero(3));
  RankRevealingSolver none(0);
  none.factor(nullptr);
  none.solve(nullptr, nullptr);
  EXPECT_EQ(none.rank(), 0);
}

TEST(RankRevealing, SolvesInPlaceWithoutAllocation) {
  Random random(4);
  for (const int rank : {4, 6}) {
    const Matrix A = schur(random, 6, rank, 0);
    Vector b = random_matrix(random, 6, 1);
    RankRevealingSolver solver(6);
    const Vector apart = solve(solver, A, b);
    EXPECT_EQ(testing_support::allocations_in([&] {
                solver.factor(A.data());
                solver.solve(b.data(), b.data());
              }),
              0);
    EXPECT_EQ(b, apart);
  }
}

}  // namespace
}  // namespace polhode::linear
