#include "polhode/linear/semidefinite_solver.h"

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
/// G M^-1 G^T of n rows and of the given rank, each row of G in a unit of its own.
Matrix semidefinite(Random& random, int n, int rank, double spread_of_units) {
  Matrix G = random_matrix(random, n, rank);
  for (int i = 0; i < n; ++i) G.row(i) *= std::pow(spread_of_units, random.uniform(-1, 1));
  return G * G.transpose();
}
Vector solve(SemidefiniteSolver& solver, const Matrix& A, const Vector& b) {
  Vector x(b.size());
  solver.factor(A.data());
  solver.solve(b.data(), x.data());
  return x;
}

// Residuals are of the order of round-off times |A| |x|: Cholesky is backward stable.
TEST(SemidefiniteSolver, SolvesRegularSystems) {
  Random random(1);
  for (int n = 0; n <= 30; ++n) {
    SemidefiniteSolver solver(n);
    const Matrix A = semidefinite(random, n, n, 10) + 0.1 * Matrix(Matrix::Identity(n, n));
    const Vector b = random_matrix(random, n, 1);
    const Vector x = solve(solver, A, b);
    EXPECT_EQ(solver.rank(), n);
    EXPECT_LE((A * x - b).norm(), 1e-13 * (b.norm() + A.norm() * x.norm())) << n;
  }
}

// Against the pseudoinverse by singular values, which shares nothing with the factorisation. Its own error is the square of the
// spread of units times the condition times round-off: some 1e-10.
TEST(SemidefiniteSolver, GivesTheSmallestOfTheLeastSquaresSolutions) {
  Random random(2);
  for (int n = 2; n <= 12; ++n)
    for (int rank = 1; rank < n; ++rank) {
      SemidefiniteSolver solver(n);
      const Matrix A = semidefinite(random, n, rank, 2);
      for (const bool consistent : {true, false}) {
        const Vector b = consistent ? Vector(A * random_matrix(random, n, 1)) : Vector(random_matrix(random, n, 1));
        const Vector x = solve(solver, A, b);
        ASSERT_EQ(solver.rank(), rank) << n;
        Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
        svd.setThreshold(1e-11);
        const Vector best = svd.solve(b);
        EXPECT_LT((x - best).norm(), 1e-8 * best.norm()) << n << ' ' << rank << ' ' << consistent;
      }
    }
}

TEST(SemidefiniteSolver, FindsTheSameRankInAnyUnits) {
  Random random(3);
  const int n = 8, rank = 5;
  SemidefiniteSolver solver(n);
  const Matrix A = semidefinite(random, n, rank, 1e6);
  const Vector x = solve(solver, A, A * Vector::Ones(n));
  EXPECT_EQ(solver.rank(), rank);
  EXPECT_LT((A * (x - Vector::Ones(n))).norm(), 1e-9 * A.norm());
}

TEST(SemidefiniteSolver, TakesRowsOfZerosAsUnknownsThatNothingDetermines) {
  Random random(4);
  Matrix A = semidefinite(random, 4, 4, 1);
  A.row(2).setZero(), A.col(2).setZero();
  SemidefiniteSolver solver(4);
  const Vector x = solve(solver, A, Vector::Ones(4));
  EXPECT_EQ(solver.rank(), 3);
  EXPECT_EQ(x[2], 0);
}

// A planar linkage that is drawn askew has rows of G that are zero but for rounding. Taken at their word they would ask for
// b / 1e-16 of the unknowns.
TEST(SemidefiniteSolver, TakesRowsOfRoundingAsRowsOfZeros) {
  Random random(7);
  Matrix G = random_matrix(random, 5, 3);
  G.bottomRows(3) *= 1e-16;
  const Matrix A = G * G.transpose();
  SemidefiniteSolver all(5), real(2);
  const Vector b = random_matrix(random, 5, 1);
  const Vector x = solve(all, A, b), expected = solve(real, A.topLeftCorner(2, 2), b.head(2));
  EXPECT_EQ(all.rank(), 2);
  EXPECT_EQ(x.head(2), expected);
  EXPECT_EQ(x.tail(3), Vector::Zero(3));
}

TEST(SemidefiniteSolver, DoesNotAllocate) {
  Random random(5);
  const Matrix A = semidefinite(random, 6, 4, 1);
  Vector b = Vector::Ones(6);
  SemidefiniteSolver solver(6);
  EXPECT_EQ(testing_support::allocations_in([&] {
              solver.factor(A.data());
              solver.solve(b.data(), b.data());
            }),
            0);
}

}  // namespace
}  // namespace polhode::linear
