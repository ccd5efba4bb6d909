#pragma once
#include "polhode/mechanism/forces/force_type.h"
#include "polhode/mechanism/forces/one_sided_law.h"

namespace polhode {

/// Springs at both ends of a coordinate's range: nothing between the limits, a spring that pushes back beyond either
/// (one_sided_law.h).
template <class Ref>
struct BasicLimitSpring {
  static constexpr const char* keyword = "limit-spring";
  typename Ref::Coordinate coordinate;
  double lower = 0, upper = 0;  ///< [m] or [rad]
  double stiffness = 0;         ///< [N/m] or [N m/rad]
  double blend = 0;             ///< [m] or [rad]
  double dissipation = 0;       ///< [s/m] or [s/rad]

  static constexpr auto fields() {
    using F = BasicLimitSpring;
    return std::make_tuple(
        field("coordinate", &F::coordinate, "", "that it acts on"),
        field("lower", &F::lower, "rad", "the limit below which it pushes up"),
        field("upper", &F::upper, "rad", "the limit above which it pushes down"),
        magnitude("stiffness", &F::stiffness, "N/m, N m/rad", "force per way beyond a limit"),
        magnitude("blend", &F::blend, "rad", "the way over which the stiffness sets in", Given::as_option),
        magnitude("dissipation", &F::dissipation, "s/m, s/rad", "how much the force grows per rate", Given::as_option));
  }

  static constexpr bool has_potential = true, acts_at_rest = true;
  bool keeps_energy() const { return dissipation == 0; }
  bool depends_on_position() const { return true; }
  bool depends_on_velocity() const { return dissipation != 0; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}

  template <class T>
  T force(const Now&, const T& q, const T& u) const {
    return law().force(T(lower) - q, -u) - law().force(q - T(upper), u);
  }
  template <class T>
  T energy(const T& q) const {
    return law().energy(T(lower) - q) + law().energy(q - T(upper));
  }
  double most_stiffness() const { return stiffness; }

 private:
  OneSidedLaw law() const { return {stiffness, blend, dissipation}; }
};
using LimitSpringSpec = BasicLimitSpring<Named>;
using LimitSpring = BasicLimitSpring<Placed>;
static_assert(CoordinateForceType<LimitSpring>);

}  // namespace polhode
