#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// Speeds are tied by one linear equation:  v = a1 u1 + a2 u2 + ... - constant.  It holds velocities only.
template <class Ref>
struct BasicSpeedCoupler {
  static constexpr const char* keyword = "speed-coupler";
  using Term = SumTerm<typename Ref::Speed>;
  std::vector<Term> terms{};  ///< each speed once
  double constant = 0;

  static constexpr auto fields() {
    using F = BasicSpeedCoupler;
    return std::make_tuple(
        field("terms", &F::terms, "", "speeds with their coefficients").shown_as("speed"),
        field("constant", &F::constant, "rad/s, m/s", "what they add up to", Given::as_option).shown_as("equals"));
  }

  LinearEquation equation() const { return {RowLevel::velocity, in_equation(terms), Signal::constant(constant)}; }
};
using SpeedCouplerSpec = BasicSpeedCoupler<Named>;
using SpeedCoupler = BasicSpeedCoupler<Placed>;
static_assert(LinearConstraint<SpeedCoupler>);

}  // namespace polhode
