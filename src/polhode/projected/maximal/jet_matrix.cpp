#include "polhode/projected/maximal/jet_matrix.h"

#include <algorithm>

#include "polhode/projected/maximal/acceptance.h"

namespace polhode::projected {
namespace {

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
    matrix_.add_compliances(values,
                            redundant_ == RedundantRows::nearly ? acceptance::compliance_with_gaps : acceptance::compliance);
  factored_distance_ = distance_;
  return matrix_.factor();
}

void JetMatrix::solve(std::span<const double> values, std::span<double> x) {
  matrix_.add_weighted_rows(values, x);
  switch (redundant_) {
    case RedundantRows::none: return matrix_.solve(x);
    case RedundantRows::exactly:
      return compliant_.solve(matrix_,
                              {.part = acceptance::compliance,
                               .off = acceptance::times_distance * factored_distance_,
                               .least = acceptance::own_part,
                               .refined = acceptance::compliance_left},
                              x);
    case RedundantRows::nearly: return compliant_.solve_with_gaps(matrix_, x);
  }
}

}  // namespace polhode::projected
