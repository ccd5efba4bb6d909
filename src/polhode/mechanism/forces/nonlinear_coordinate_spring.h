#pragma once
#include "polhode/mechanism/force_law.h"
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// A spring on one coordinate with a force law of its own in q - rest.
template <class Ref>
struct BasicNonlinearCoordinateSpring {
  static constexpr const char* keyword = "nonlinear-torsion-spring";
  typename Ref::Coordinate coordinate;
  double rest = 0;  ///< [m] or [rad]
  ForceLaw law = ForceLaw::polynomial({0});

  static constexpr auto fields() {
    using F = BasicNonlinearCoordinateSpring;
    return std::make_tuple(field("coordinate", &F::coordinate, "", "that it acts on"),
                           field("rest", &F::rest, "rad", "the coordinate at which it is relaxed"),
                           field("law", &F::law, "N, N m", "the force over the extension"));
  }

  static constexpr bool has_potential = true, acts_at_rest = true;
  bool keeps_energy() const { return true; }
  bool depends_on_position() const { return true; }
  bool depends_on_velocity() const { return false; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}

  template <class T>
  T force(const Now&, const T& q, const T&) const {
    return -law.force(q - T(rest));
  }
  template <class T>
  T energy(const T& q) const {
    return law.energy(q - T(rest));
  }
};
using NonlinearCoordinateSpringSpec = BasicNonlinearCoordinateSpring<Named>;
using NonlinearCoordinateSpring = BasicNonlinearCoordinateSpring<Placed>;
static_assert(CoordinateForceType<NonlinearCoordinateSpring>);

}  // namespace polhode
