#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// Angle b follows angle a:  h = q_b - ratio q_a  [rad].  The ratio is negative for wheels that mesh on the outside.
template <class Ref>
struct BasicGear {
  static constexpr const char* keyword = "gear";
  typename Ref::Coordinate a{}, b{};
  double ratio = 0;

  static constexpr auto fields() {
    using F = BasicGear;
    return std::make_tuple(field("first coordinate", &F::a, "", "an angle").shown_as("angle"),
                           field("second coordinate", &F::b, "", "the angle that follows it").shown_as("angle"),
                           field("ratio", &F::ratio, "", "of the second to the first"));
  }

  LinearEquation equation() const { return {RowLevel::position, {{b.q, b.u, 1}, {a.q, a.u, -ratio}}}; }
};
using GearSpec = BasicGear<Named>;
using Gear = BasicGear<Placed>;
static_assert(LinearConstraint<Gear>);

}  // namespace polhode
