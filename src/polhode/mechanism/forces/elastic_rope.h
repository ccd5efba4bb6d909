#pragma once
#include "polhode/mechanism/forces/force_type.h"
#include "polhode/mechanism/forces/one_sided_law.h"

namespace polhode {

/// An elastic rope between two frames' origins: it pulls where it is stretched beyond its length, and hangs slack where it is
/// not (one_sided_law.h).
template <class Ref>
struct BasicElasticRope {
  static constexpr const char* keyword = "elastic-rope";
  typename Ref::Frame frame_a, frame_b;
  double stiffness = 0;    ///< [N/m]
  double length = 0;       ///< [m]
  double blend = 0;        ///< [m]
  double dissipation = 0;  ///< [s/m]

  static constexpr auto fields() {
    using F = BasicElasticRope;
    return std::make_tuple(
        field("first frame", &F::frame_a, "", "one end"), field("second frame", &F::frame_b, "", "the other"),
        magnitude("stiffness", &F::stiffness, "N/m", "force per extension"),
        magnitude("length", &F::length, "m", "where it is just not slack"),
        magnitude("blend", &F::blend, "m", "the way over which the stiffness sets in", Given::as_option),
        magnitude("dissipation", &F::dissipation, "s/m", "how much the force grows per rate", Given::as_option));
  }

  static constexpr bool has_potential = true, acts_at_rest = true;
  bool keeps_energy() const { return dissipation == 0; }
  bool depends_on_velocity() const { return dissipation != 0; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}

  template <class T>
  T tension(const Now&, const T& distance, const T& rate) const {
    return law().force(distance - T(length), rate);
  }
  template <class T>
  T energy(const T& distance) const {
    return law().energy(distance - T(length));
  }
  double usual_length() const { return length; }
  double most_stiffness() const { return stiffness; }

 private:
  OneSidedLaw law() const { return {stiffness, blend, dissipation}; }
};
using ElasticRopeSpec = BasicElasticRope<Named>;
using ElasticRope = BasicElasticRope<Placed>;
static_assert(LineForceType<ElasticRope>);

}  // namespace polhode
