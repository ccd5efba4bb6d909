#include "polhode/maximal/compliant_solver.h"

#include <algorithm>
#include <cmath>

namespace polhode::maximal {

CompliantSolver::CompliantSolver(const SaddleLayout& layout) : first_(std::size_t(row_width * layout.num_bodies())) {
  for (auto* v : {&residual_, &z_, &p_, &Sp_, &left_, &gap_}) v->resize(layout.vector_size());
}

/// What the compliance C leaves of the rows, C lambda, is given to the factors again: a part C / (S + C) of it stays each time,
/// next to nothing where rows are independent, and next to all of what they miss each other by.
void CompliantSolver::solve_and_refine(const SaddleMatrix& matrix, std::span<double> x, std::span<double> left) {
  const std::span<const double> C = matrix.compliances();
  const std::size_t n = x.size();
  matrix.solve(x);
  for (std::size_t i = first_; i < n; ++i) left[i] = C[i] * x[i];
  for (int pass = 0; pass < 2; ++pass) {
    std::fill_n(z_.begin(), first_, 0.0);
    for (std::size_t i = first_; i < n; ++i) z_[i] = -left[i];
    matrix.solve(z_);
    for (std::size_t i = 0; i < n; ++i) x[i] += z_[i];
    for (std::size_t i = first_; i < n; ++i) left[i] = C[i] * z_[i];
  }
}

/// Rows that miss each other by e have S = e^2 in the direction that they should not hold at all. The part S / C of what they
/// ask for there would still be done in every solution, and add up. So what a solution shows to be such a gap is taken out of
/// the right side, until only the third power of that part is done.
void CompliantSolver::solve_with_gaps(const SaddleMatrix& matrix, std::span<double> x) {
  const std::size_t n = x.size();
  std::fill(left_.begin(), left_.end(), 0.0);
  solve_and_refine(matrix, x, gap_);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = first_; i < n; ++i) left_[i] += gap_[i];
    std::fill_n(p_.begin(), first_, 0.0);
    std::copy(gap_.begin() + long(first_), gap_.end(), p_.begin() + long(first_));
    solve_and_refine(matrix, p_, residual_);
    for (std::size_t i = 0; i < n; ++i) x[i] += p_[i];
    for (std::size_t i = first_; i < n; ++i) gap_[i] += residual_[i];
  }
  for (std::size_t i = first_; i < n; ++i) left_[i] += gap_[i];
}

/// With S = G D^-1 G^T and the compliances C, the factors give (S + C) lambda = ..., and what is left of the rows is
/// C lambda. One refinement takes it out of all directions in which S is larger than C. Conjugate gradients on S with S + C as
/// preconditioner take it out of the others, as there are near a singular place: one iteration for each. What S has nothing to
/// say about (rows that contradict each other by rounding) neither of them can remove; it ends the iteration, because it would
/// make the steps of conjugate gradients too long for all the rest.
void CompliantSolver::solve(const SaddleMatrix& matrix, const Softness& softness, std::span<double> x) {
  constexpr int most_iterations = 12;
  const std::span<const double> C = matrix.compliances();
  const double off = softness.off;
  const double nothing = std::max(softness.least, off * off / (off * off + softness.part));  // of S + C
  const std::size_t n = x.size();
  matrix.solve(x);
  double left = 0;
  for (std::size_t i = first_; i < n; ++i) {
    residual_[i] = C[i] * x[i];
    left = std::max(left, std::abs(residual_[i]));
  }
  const double small = softness.refined * left;
  double last = 0;
  for (int iteration = 0; iteration < most_iterations && left > small; ++iteration) {
    const bool refine = iteration == 0, first_direction = iteration <= 1;
    std::fill_n(z_.begin(), first_, 0.0);
    for (std::size_t i = first_; i < n; ++i) z_[i] = -residual_[i];
    matrix.solve(z_);
    double along = 0, given = 0;  // residual . z, z . S z
    for (std::size_t i = first_; i < n; ++i) {
      along += residual_[i] * z_[i];
      given += z_[i] * (residual_[i] - C[i] * z_[i]);
    }
    if (!(along > 0) || (!refine && !(given > nothing * along))) return;
    const double beta = first_direction ? 0 : along / last;
    double curvature = 0;
    for (std::size_t i = 0; i < n; ++i) p_[i] = z_[i] + (first_direction ? 0 : beta * p_[i]);
    for (std::size_t i = first_; i < n; ++i) {
      Sp_[i] = residual_[i] - C[i] * z_[i] + (first_direction ? 0 : beta * Sp_[i]);
      curvature += p_[i] * Sp_[i];
    }
    if (!refine && !(curvature > 0)) return;
    const double alpha = refine ? 1 : along / curvature;
    double left_then = 0;
    for (std::size_t i = first_; i < n; ++i) {
      residual_[i] -= alpha * Sp_[i];
      left_then = std::max(left_then, std::abs(residual_[i]));
    }
    if (!refine && !(left_then < left)) return;
    for (std::size_t i = 0; i < n; ++i) x[i] += alpha * p_[i];
    left = left_then;
    last = along;
  }
}

}  // namespace polhode::maximal
