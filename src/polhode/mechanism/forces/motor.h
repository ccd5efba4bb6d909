#pragma once
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// A force or torque on one coordinate that somebody outside commands: gear times an input, within the limits of the motor.
template <class Ref>
struct BasicMotor {
  static constexpr const char* keyword = "motor";
  std::string name{};
  typename Ref::Speed coordinate;
  double gear = 1;              ///< force per unit of the input
  Range range{};                ///< of the force [N] or [N m]
  typename Ref::Input input{};  ///< in a description, none stands for one of the motor's own, which has its name

  static constexpr auto fields() {
    using F = BasicMotor;
    return std::make_tuple(field("name", &F::name, "", "its own, unique among motors"),
                           field("coordinate", &F::coordinate, "", "that it acts on"),
                           option("gear", &F::gear, "", "force per unit of the input"),
                           option("force", &F::range, "N, N m", "the least and the most that it can do"),
                           option("input", &F::input, "", "that commands it; without one, an input of the motor's name"));
  }

  static constexpr bool has_potential = false, acts_at_rest = true;
  bool keeps_energy() const { return false; }
  bool depends_on_position() const { return false; }
  bool depends_on_velocity() const { return false; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}

  template <class T>
  T force(const Now& now, const T&, const T&) const {
    return T(range.clipped(gear * now.input(input.index)));
  }
  template <class T>
  T energy(const T&) const {
    return T(0);
  }
};
using MotorSpec = BasicMotor<Named>;
using CoordinateMotor = BasicMotor<Placed>;
static_assert(CoordinateForceType<CoordinateMotor>);

}  // namespace polhode
