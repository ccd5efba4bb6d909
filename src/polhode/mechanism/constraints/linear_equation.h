#pragma once
#include <concepts>
#include <optional>
#include <vector>

#include "polhode/mechanism/constraints/row_level.h"
#include "polhode/mechanism/curve.h"
#include "polhode/mechanism/fields.h"
#include "polhode/mechanism/references.h"
#include "polhode/mechanism/signal.h"

namespace polhode {

/// A speed, and the coordinate whose rate it is (-1: none), times a number; or, in rows on positions, a function of the
/// coordinate times a number.
struct CoordinateTerm {
  int q, u;
  double coefficient;
  std::optional<Curve> function{};
};

inline std::vector<CoordinateTerm> in_equation(const std::vector<SumTerm<CoordinatePlace>>& sum) {
  std::vector<CoordinateTerm> terms;
  for (const auto& term : sum) terms.push_back({term.coordinate.q, term.coordinate.u, term.coefficient, {}});
  return terms;
}
/// Of speeds alone.
inline std::vector<CoordinateTerm> in_equation(const std::vector<SumTerm<SpeedPlace>>& sum) {
  std::vector<CoordinateTerm> terms;
  for (const auto& term : sum) terms.push_back({-1, term.coordinate.u, term.coefficient, {}});
  return terms;
}

/// One equation that is linear in coordinates, speeds or their derivatives, with x = q, u or du/dt by its level:
///   a1 x1 + a2 x2 + ... - signal(t) = 0
/// Its derivatives with respect to the speeds are the coefficients, always. On positions, x may also be a function f(q) of one
/// coordinate; the derivative is then a f'(q), and a f''(q) u^2 adds to the acceleration's bias.
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
