#pragma once
#include "polhode/mechanism/forces/force_type.h"
#include "polhode/mechanism/forces/one_sided_law.h"

namespace polhode {

/// A buffer between two frames' origins: it pushes them apart where they are nearer than its length, and lets go of them where
/// they are not (one_sided_law.h). Where the origins coincide the push has no direction.
template <class Ref>
struct BasicElasticBuffer {
  static constexpr const char* keyword = "elastic-buffer";
  typename Ref::Frame frame_a, frame_b;
  double stiffness = 0;    ///< [N/m]
  double length = 0;       ///< [m]
  double blend = 0;        ///< [m]
  double dissipation = 0;  ///< [s/m]

  static constexpr auto fields() {
    using F = BasicElasticBuffer;
    return std::make_tuple(
        field("first frame", &F::frame_a, "", "one end"), field("second frame", &F::frame_b, "", "the other"),
        magnitude("stiffness", &F::stiffness, "N/m", "force per compression"),
        magnitude("length", &F::length, "m", "where it just touches"),
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
    return -law().force(T(length) - distance, -rate);
  }
  template <class T>
  T energy(const T& distance) const {
    return law().energy(T(length) - distance);
  }
  double usual_length() const { return length; }
  double most_stiffness() const { return stiffness; }

 private:
  OneSidedLaw law() const { return {stiffness, blend, dissipation}; }
};
using ElasticBufferSpec = BasicElasticBuffer<Named>;
using ElasticBuffer = BasicElasticBuffer<Placed>;
static_assert(LineForceType<ElasticBuffer>);

}  // namespace polhode
