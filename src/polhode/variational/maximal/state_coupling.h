#pragma once
#include <span>
#include <vector>

#include "polhode/linear/rank_revealing.h"
#include "polhode/variational/maximal/step_equations.h"

namespace polhode::variational {

/// What auxiliary states add to Newton's matrix A, as a change of low rank (Woodbury): the right-hand sides R that their dz
/// make, and how dz follows displacements, L. With Y = A^-1 R, (A - R L) d = b is d = A^-1 b + Y y with (1 - L Y) y = L A^-1 b.
/// All but solutions by A are differences. Allocates nothing after it is built.
class StateCoupling {
 public:
  StateCoupling(int num_states, int vector_size);

  /// At the last evaluation, with the matrix factored there. Both once the states' rates were found there.
  void factor(StepEquations& equations, maximal::SaddleMatrix& matrix, const StepSize& size, const maximal::Bodies& next);
  /// From A^-1 b to the solution.
  void correct(StepEquations& equations, double h, const maximal::Bodies& next, std::span<double> x);

 private:
  std::size_t size_;
  std::vector<double> columns_, small_, products_;
  linear::RankRevealingSolver solver_;
};

}  // namespace polhode::variational
