#pragma once
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// A constant force or torque on one coordinate [N] or [N m].
template <class Ref>
struct BasicCoordinateForce {
  static constexpr const char* keyword = "generalized-force";
  typename Ref::Speed coordinate;
  double value = 0;  ///< [N] or [N m]

  static constexpr auto fields() {
    using F = BasicCoordinateForce;
    return std::make_tuple(field("coordinate", &F::coordinate, "", "that it acts on"),
                           field("value", &F::value, "N, N m", "the force"));
  }

  static constexpr bool has_potential = false, acts_at_rest = true;
  bool keeps_energy() const { return false; }
  bool depends_on_position() const { return false; }
  bool depends_on_velocity() const { return false; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}

  template <class T>
  T force(const Now&, const T&, const T&) const {
    return T(value);
  }
  template <class T>
  T energy(const T&) const {
    return T(0);
  }
};
using CoordinateForceSpec = BasicCoordinateForce<Named>;
using CoordinateForce = BasicCoordinateForce<Placed>;
static_assert(CoordinateForceType<CoordinateForce>);

}  // namespace polhode
