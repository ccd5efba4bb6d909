#pragma once
#include "polhode/mechanism/forces/force_type.h"
#include "polhode/mechanism/signal.h"

namespace polhode {

/// A force or torque on one coordinate that is a given function of time [N] or [N m].
template <class Ref>
struct BasicCoordinateInput {
  static constexpr const char* keyword = "generalized-force";
  typename Ref::Speed coordinate;
  Signal signal{};

  static constexpr auto fields() {
    using F = BasicCoordinateInput;
    return std::make_tuple(field("coordinate", &F::coordinate, "", "that it acts on"),
                           field("value", &F::signal, "N, N m", "the force as a function of time"));
  }

  static constexpr bool has_potential = false, acts_at_rest = true;
  bool keeps_energy() const { return false; }
  bool depends_on_position() const { return false; }
  bool depends_on_velocity() const { return false; }
  bool depends_on_time() const { return !signal.is_constant(); }
  void add_breaks(std::vector<double>& times) const { signal.add_breaks(times); }

  template <class T>
  T force(const Now& now, const T&, const T&) const {
    return T(signal.value(now.t));
  }
  template <class T>
  T energy(const T&) const {
    return T(0);
  }
};
using CoordinateInputSpec = BasicCoordinateInput<Named>;
using CoordinateInput = BasicCoordinateInput<Placed>;
static_assert(CoordinateForceType<CoordinateInput>);

}  // namespace polhode
