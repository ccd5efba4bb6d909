#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// Coordinates are tied by one linear equation:  h = a1 q1 + a2 q2 + ... - constant.
template <class Ref>
struct BasicCoupler {
  static constexpr const char* keyword = "coupler";
  using Term = SumTerm<typename Ref::Coordinate>;
  std::vector<Term> terms{};  ///< each coordinate once
  double constant = 0;

  static constexpr auto fields() {
    using F = BasicCoupler;
    return std::make_tuple(
        field("terms", &F::terms, "", "coordinates with their coefficients").shown_as("coordinate"),
        field("constant", &F::constant, "rad, m", "what they add up to", Given::as_option).shown_as("equals"));
  }

  LinearEquation equation() const { return {RowLevel::position, in_equation(terms), Signal::constant(constant)}; }
};
using CouplerSpec = BasicCoupler<Named>;
using Coupler = BasicCoupler<Placed>;
static_assert(LinearConstraint<Coupler>);

}  // namespace polhode
