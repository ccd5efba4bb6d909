#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// The derivative of a speed keeps its value:  du/dt = value  [rad/s^2] or [m/s^2].  Positions and speeds are as they come.
template <class Ref>
struct BasicConstantAcceleration {
  static constexpr const char* keyword = "constant-acceleration";
  typename Ref::Speed speed{};
  double value = 0;  ///< [rad/s^2] or [m/s^2]

  static constexpr auto fields() {
    using F = BasicConstantAcceleration;
    return std::make_tuple(field("speed", &F::speed, "", "whose derivative is held"),
                           field("value of the acceleration", &F::value, "rad/s^2, m/s^2", "that it has").shown_as("value"));
  }

  LinearEquation equation() const { return {RowLevel::acceleration, {{-1, speed.u, 1}}, Signal::constant(value)}; }
};
using ConstantAccelerationSpec = BasicConstantAcceleration<Named>;
using ConstantAcceleration = BasicConstantAcceleration<Placed>;
static_assert(LinearConstraint<ConstantAcceleration>);

}  // namespace polhode
