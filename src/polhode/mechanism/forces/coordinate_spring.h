#pragma once
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// A linear spring on one coordinate: potential k (q - rest)^2 / 2.
template <class Ref>
struct BasicCoordinateSpring {
  static constexpr const char* keyword = "torsion-spring";
  typename Ref::Coordinate coordinate;
  double stiffness = 0;  ///< k [N/m] or [N m/rad]
  double rest = 0;       ///< [m] or [rad]

  static constexpr auto fields() {
    using F = BasicCoordinateSpring;
    return std::make_tuple(field("coordinate", &F::coordinate, "", "that it acts on"),
                           magnitude("stiffness", &F::stiffness, "N/m, N m/rad", "force per extension"),
                           field("rest", &F::rest, "rad", "the coordinate at which it is relaxed"));
  }

  static constexpr bool has_potential = true, acts_at_rest = true;
  bool keeps_energy() const { return true; }
  bool depends_on_position() const { return true; }
  bool depends_on_velocity() const { return false; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}

  template <class T>
  T force(const Now&, const T& q, const T&) const {
    return -(T(stiffness) * (q - T(rest)));
  }
  template <class T>
  T energy(const T& q) const {
    return T(0.5 * stiffness) * square(q - T(rest));
  }
};
using CoordinateSpringSpec = BasicCoordinateSpring<Named>;
using CoordinateSpring = BasicCoordinateSpring<Placed>;
static_assert(CoordinateForceType<CoordinateSpring>);

}  // namespace polhode
