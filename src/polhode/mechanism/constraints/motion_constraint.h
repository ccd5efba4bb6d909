#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// A coordinate follows a signal by way of a constraint force:  h = q - signal(t)  [rad] or [m].
/// A driven coordinate follows its signal too, and exactly; this one yields where other constraints say otherwise, can be
/// switched off, and is one more equation instead of one speed less.
template <class Ref>
struct BasicMotionConstraint {
  static constexpr const char* keyword = "motion-constraint";
  typename Ref::Coordinate coordinate{};
  Signal signal{};

  static constexpr auto fields() {
    using F = BasicMotionConstraint;
    return std::make_tuple(field("coordinate", &F::coordinate, "", "that follows the signal"),
                           followed("signal", &F::signal, "rad, m", "a function of time"));
  }

  LinearEquation equation() const { return {RowLevel::position, {{coordinate.q, coordinate.u, 1}}, signal}; }
};
using MotionConstraintSpec = BasicMotionConstraint<Named>;
using MotionConstraint = BasicMotionConstraint<Placed>;
static_assert(LinearConstraint<MotionConstraint>);

}  // namespace polhode
