#pragma once
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// -(c + c2 |u|) u on one coordinate.
template <class Ref>
struct BasicCoordinateDamping {
  static constexpr const char* keyword = "damping";
  typename Ref::Speed coordinate;
  double damping = 0;    ///< c
  double quadratic = 0;  ///< c2

  static constexpr auto fields() {
    using F = BasicCoordinateDamping;
    return std::make_tuple(field("coordinate", &F::coordinate, "", "that it acts on"),
                           magnitude("coefficient", &F::damping, "N s/m, N m s/rad", "force per speed"),
                           magnitude("quadratic coefficient", &F::quadratic, "N s^2/m^2, N m s^2/rad^2",
                                     "force per square of the speed", Given::if_wanted));
  }

  static constexpr bool has_potential = false, acts_at_rest = false;
  bool keeps_energy() const { return false; }
  bool depends_on_position() const { return false; }
  bool depends_on_velocity() const { return true; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}

  template <class T>
  T force(const Now&, const T&, const T& u) const {
    return -((T(damping) + T(quadratic) * absolute(u)) * u);
  }
  template <class T>
  T energy(const T&) const {
    return T(0);
  }
};
using CoordinateDampingSpec = BasicCoordinateDamping<Named>;
using CoordinateDamping = BasicCoordinateDamping<Placed>;
static_assert(CoordinateForceType<CoordinateDamping>);

}  // namespace polhode
