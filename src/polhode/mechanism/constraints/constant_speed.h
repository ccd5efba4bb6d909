#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// A speed keeps its value:  v = u - value  [rad/s] or [m/s].  It holds velocities only.
template <class Ref>
struct BasicConstantSpeed {
  static constexpr const char* keyword = "constant-speed";
  typename Ref::Speed speed{};
  double value = 0;  ///< [rad/s] or [m/s]

  static constexpr auto fields() {
    using F = BasicConstantSpeed;
    return std::make_tuple(field("speed", &F::speed, "", "that is held"),
                           field("value of the speed", &F::value, "rad/s, m/s", "that it has").shown_as("value"));
  }

  LinearEquation equation() const { return {RowLevel::velocity, {{-1, speed.u, 1}}, Signal::constant(value)}; }
};
using ConstantSpeedSpec = BasicConstantSpeed<Named>;
using ConstantSpeed = BasicConstantSpeed<Placed>;
static_assert(LinearConstraint<ConstantSpeed>);

}  // namespace polhode
