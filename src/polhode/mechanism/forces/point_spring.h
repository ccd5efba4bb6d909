#pragma once
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// A linear spring, and a damper along it, between two frames' origins.
template <class Ref>
struct BasicPointSpring {
  static constexpr const char* keyword = "spring";
  typename Ref::Frame frame_a, frame_b;
  double stiffness = 0;  ///< [N/m]
  double rest = 0;       ///< [m]
  double damping = 0;    ///< [N s/m]

  static constexpr auto fields() {
    using F = BasicPointSpring;
    return std::make_tuple(field("first frame", &F::frame_a, "", "one end"),
                           field("second frame", &F::frame_b, "", "the other"),
                           magnitude("stiffness", &F::stiffness, "N/m", "force per extension"),
                           magnitude("rest length", &F::rest, "m", "the length at which it is relaxed"),
                           magnitude("damping", &F::damping, "N s/m", "force per rate of the length", Given::if_wanted));
  }

  static constexpr bool has_potential = true, acts_at_rest = true;
  bool keeps_energy() const { return damping == 0; }
  bool depends_on_velocity() const { return damping != 0; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}

  template <class T>
  T tension(const Now&, const T& length, const T& rate) const {
    return T(stiffness) * (length - T(rest)) + T(damping) * rate;
  }
  template <class T>
  T energy(const T& length) const {
    return T(0.5 * stiffness) * square(length - T(rest));
  }
  double usual_length() const { return rest; }
};
using PointSpringSpec = BasicPointSpring<Named>;
using PointSpring = BasicPointSpring<Placed>;
static_assert(LineForceType<PointSpring>);

}  // namespace polhode
