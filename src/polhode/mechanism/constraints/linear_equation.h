#pragma once
#include <concepts>
#include <vector>

#include "polhode/mechanism/constraints/row_level.h"
#include "polhode/mechanism/signal.h"

namespace polhode {

/// A speed, and the coordinate whose rate it is (-1: none), times a number.
struct CoordinateTerm {
  int q, u;
  double coefficient;
};

/// One equation that is linear in coordinates, speeds or their derivatives, with x = q, u or du/dt by its level:
///   a1 x1 + a2 x2 + ... - signal(t) = 0
/// Its derivatives with respect to the speeds are the coefficients, always.
struct LinearEquation {
  RowLevel level = RowLevel::position;
  std::vector<CoordinateTerm> terms;  ///< each speed once
  Signal signal{};
};

/// A constraint that is one such equation.
template <class C>
concept LinearConstraint = requires(const C& c) {
  { c.equation() } -> std::same_as<LinearEquation>;
};

}  // namespace polhode
