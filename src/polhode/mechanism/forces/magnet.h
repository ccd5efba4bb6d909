#pragma once
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// Two magnets at two frames' origins, which attract each other as poles that lie a little below their surfaces:
/// potential -k / s with s^2 = r^2 + d^2, hence tension k r / s^3. Far apart it falls off as k / r^2; where the surfaces touch
/// it stays finite. A negative strength repels.
template <class Ref>
struct BasicMagnet {
  static constexpr const char* keyword = "magnet";
  typename Ref::Frame frame_a, frame_b;
  double strength = 0;  ///< k [N m^2]
  double depth = 0;     ///< d [m], of the two poles together

  static constexpr auto fields() {
    using F = BasicMagnet;
    return std::make_tuple(field("first frame", &F::frame_a, "", "one magnet"),
                           field("second frame", &F::frame_b, "", "the other"),
                           field("strength", &F::strength, "N m^2", "force times square of the distance, far apart"),
                           magnitude("depth", &F::depth, "m", "of the poles below the surfaces, both together"));
  }

  static constexpr bool has_potential = true, acts_at_rest = true;
  bool keeps_energy() const { return true; }
  bool depends_on_velocity() const { return false; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}

  template <class T>
  T tension(const Now&, const T& length, const T&) const {
    const T s = distance_of_poles(length);
    return T(strength) * length / (s * s * s);
  }
  template <class T>
  T energy(const T& length) const {
    return T(-strength) / distance_of_poles(length);
  }
  double usual_length() const { return depth; }

 private:
  template <class T>
  T distance_of_poles(const T& length) const {
    return square_root(square(length) + T(depth * depth));
  }
};
using MagnetSpec = BasicMagnet<Named>;
using Magnet = BasicMagnet<Placed>;
static_assert(LineForceType<Magnet>);

}  // namespace polhode
