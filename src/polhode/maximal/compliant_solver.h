#pragma once
#include <span>
#include <vector>

#include "polhode/maximal/saddle_matrix.h"

namespace polhode::maximal {

/// What is known of rows that depend on each other. `nearly`: they miss being met together by the digits that the model was
/// written with, so that a gap stays open.
enum class RedundantRows { none, exactly, nearly };

/// Solutions by a SaddleMatrix that was factored with compliances, as if it had none. Where bodies are off their constraints by
/// a little, rows that depend on each other no longer do quite, and what they contradict each other in would be divided by that
/// little. With a small compliance of every row they share it instead. Does not allocate after it is built.
class CompliantSolver {
 public:
  explicit CompliantSolver(const SaddleLayout& layout);

  struct Softness {
    double part;     ///< the compliances of the matrix (SaddleMatrix::add_compliances)
    double off;      ///< rows that are independent by no more than this are redundant [m], [rad]
    double least;    ///< part of S + C that S must have where the compliance is taken out
    double refined;  ///< what may be left of it, as a part of what it left at first
  };
  /// The compliance is taken out again where rows are independent, be it ever so little.
  void solve(const SaddleMatrix& matrix, const Softness& softness, std::span<double> x);
  /// What rows cannot meet together is left out of them: left().
  void solve_with_gaps(const SaddleMatrix& matrix, std::span<double> x);
  /// After solve_with_gaps(): what is left of rows, G d less what it must be, where a vector has their numbers.
  std::span<const double> left() const { return left_; }

 private:
  void solve_and_refine(const SaddleMatrix& matrix, std::span<double> x, std::span<double> left);

  std::size_t first_;                                       // where rows begin
  std::vector<double> residual_, z_, p_, Sp_, left_, gap_;  // as vectors of the matrix; all but z_ and p_ of rows only
};

}  // namespace polhode::maximal
