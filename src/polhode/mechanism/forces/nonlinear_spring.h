#pragma once
#include "polhode/mechanism/force_law.h"
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// A spring between two frames' origins whose tension is a law in length - rest, and a linear damper along it.
template <class Ref>
struct BasicNonlinearSpring {
  static constexpr const char* keyword = "nonlinear-spring";
  typename Ref::Frame frame_a, frame_b;
  double rest = 0;  ///< [m]
  ForceLaw law = ForceLaw::polynomial({0});
  double damping = 0;  ///< [N s/m]

  static constexpr auto fields() {
    using F = BasicNonlinearSpring;
    return std::make_tuple(field("first frame", &F::frame_a, "", "one end"),
                           field("second frame", &F::frame_b, "", "the other"),
                           magnitude("rest length", &F::rest, "m", "the length at which it is relaxed"),
                           field("law", &F::law, "N", "the tension over the extension"),
                           magnitude("damping", &F::damping, "N s/m", "force per rate of the length", Given::as_option));
  }

  static constexpr bool has_potential = true, acts_at_rest = true;
  bool keeps_energy() const { return damping == 0; }
  bool depends_on_velocity() const { return damping != 0; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}

  template <class T>
  T tension(const Now&, const T& length, const T& rate) const {
    return law.force(length - T(rest)) + T(damping) * rate;
  }
  template <class T>
  T energy(const T& length) const {
    return law.energy(length - T(rest));
  }
  double usual_length() const { return rest; }
};
using NonlinearSpringSpec = BasicNonlinearSpring<Named>;
using NonlinearSpring = BasicNonlinearSpring<Placed>;
static_assert(LineForceType<NonlinearSpring>);

}  // namespace polhode
