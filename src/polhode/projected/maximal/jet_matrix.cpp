#include "polhode/projected/maximal/jet_matrix.h"

#include <algorithm>

namespace polhode::projected {
namespace {

// Compliances, of what a row meets anyway.
constexpr double share = 1e-8, share_with_gaps = 1e-6;

/// The diagonals of the blocks; where they are less than the weight, that.
std::vector<double> resistances(std::span<const JetMatrix::Block> blocks, double weight) {
  std::vector<double> numbers(blocks.size() * JetMatrix::width);
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t c = 0; c < 6; ++c) numbers[b * JetMatrix::width + c] = std::max(blocks[b][9 * c], weight);
  return numbers;
}

}  // namespace

JetMatrix::JetMatrix(const SaddleLayout& layout, int directions, std::vector<Block> blocks, std::vector<char> singular,
                     double weight)
    : directions_(directions),
      blocks_(std::move(blocks)),
      matrix_(layout, {.directions = directions,
                       .singular = std::move(singular),
                       .weight = weight,
                       .resistance = resistances(blocks_, weight)}),
      compliant_(layout) {}

bool JetMatrix::factor(std::span<const double> values, Levels levels) {
  matrix_.clear();
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    std::copy_n(blocks_[b].data(), width * directions_, matrix_.body(int(b) + 1));
  matrix_.put_rows(values, values, levels);
  if (redundant_ != RedundantRows::none)
    matrix_.add_compliances(values, redundant_ == RedundantRows::nearly ? share_with_gaps : share);
  factored_distance_ = distance_;
  return matrix_.factor();
}

void JetMatrix::solve(std::span<const double> values, std::span<double> x) {
  matrix_.add_weighted_rows(values, x);
  switch (redundant_) {
    case RedundantRows::none: return matrix_.solve(x);
    case RedundantRows::exactly:
      return compliant_.solve(matrix_, {.part = share, .off = 10 * factored_distance_, .least = 1e-4, .refined = 1e-6}, x);
    case RedundantRows::nearly: return compliant_.solve_with_gaps(matrix_, x);
  }
}

}  // namespace polhode::projected
