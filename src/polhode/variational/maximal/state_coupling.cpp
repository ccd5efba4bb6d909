#include "polhode/variational/maximal/state_coupling.h"

#include <algorithm>

namespace polhode::variational {

StateCoupling::StateCoupling(int num_states, int vector_size)
    : size_(std::size_t(vector_size)),
      columns_(size_ * std::size_t(num_states)),
      small_(std::size_t(num_states * num_states)),
      products_(std::size_t(num_states)),
      solver_(num_states) {}

void StateCoupling::factor(StepEquations& equations, maximal::SaddleMatrix& matrix, const StepSize& size,
                           const maximal::Bodies& next) {
  const std::size_t n = products_.size();
  const auto column = [&](std::size_t k) { return std::span<double>(columns_).subspan(k * size_, size_); };
  for (std::size_t k = 0; k < n; ++k) {  // first, as rates along a direction leave bodies displaced
    equations.right_hand_side_by_state(size, int(k), column(k));
    matrix.solve(column(k));
  }
  for (std::size_t j = 0; j < n; ++j) {
    equations.states_along(size.h, next, column(j), products_);
    for (std::size_t i = 0; i < n; ++i) small_[i * n + j] = (i == j ? 1 : 0) - products_[i];
  }
  solver_.factor(small_.data());
}

void StateCoupling::correct(StepEquations& equations, double h, const maximal::Bodies& next, std::span<double> x) {
  equations.states_along(h, next, x, products_);
  solver_.solve(products_.data(), products_.data());
  for (std::size_t k = 0; k < products_.size(); ++k)
    for (std::size_t i = 0; i < size_; ++i) x[i] += products_[k] * columns_[k * size_ + i];
}

}  // namespace polhode::variational
