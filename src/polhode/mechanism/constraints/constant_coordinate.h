#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// A coordinate keeps its value:  h = q - value  [rad] or [m].
template <class Ref>
struct BasicConstantCoordinate {
  static constexpr const char* keyword = "constant-coordinate";
  typename Ref::Coordinate coordinate{};
  double value = 0;  ///< [rad] or [m]

  static constexpr auto fields() {
    using F = BasicConstantCoordinate;
    return std::make_tuple(field("coordinate", &F::coordinate, "", "that is held"),
                           field("value", &F::value, "rad, m", "that it has"));
  }

  LinearEquation equation() const { return {RowLevel::position, {{coordinate.q, coordinate.u, 1}}, Signal::constant(value)}; }
};
using ConstantCoordinateSpec = BasicConstantCoordinate<Named>;
using ConstantCoordinate = BasicConstantCoordinate<Placed>;
static_assert(LinearConstraint<ConstantCoordinate>);

}  // namespace polhode
