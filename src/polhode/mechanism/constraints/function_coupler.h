#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// A coordinate follows a function of another one, as a follower does its cam:  h = y - f(x).
template <class Ref>
struct BasicFunctionCoupler {
  static constexpr const char* keyword = "function-coupler";
  typename Ref::Coordinate follower{}, leader{};
  Curve function{};

  static constexpr auto fields() {
    using F = BasicFunctionCoupler;
    return std::make_tuple(field("coordinate that follows", &F::follower, "", "y").shown_as("follower"),
                           field("coordinate that leads", &F::leader, "", "x").shown_as("leader"),
                           field("function", &F::function, "m, rad", "y as a function of x"));
  }

  LinearEquation equation() const {
    return {RowLevel::position, {{follower.q, follower.u, 1}, {leader.q, leader.u, -1, function}}};
  }
};
using FunctionCouplerSpec = BasicFunctionCoupler<Named>;
using FunctionCoupler = BasicFunctionCoupler<Placed>;
static_assert(LinearConstraint<FunctionCoupler>);

}  // namespace polhode
