#pragma once
#include <span>
#include <string>
#include <vector>

#include "polhode/maximal/body_motion.h"
#include "polhode/mechanism/mechanism.h"

namespace polhode::maximal {

/// The equations that hold bodies together when each has coordinates of its own: those of every joint (by body), of the joints
/// that close loops, of the declared constraints that are enabled, and of kinematic coordinates, which follow their signals. All
/// are written once, in mechanism/joints and mechanism/constraints.
///
/// An element is one of these; its rows touch a few bodies, its sides (Ground is never one). The derivatives of all rows of an
/// element with respect to one body are a block of num_rows rows of row_width numbers, at values[side.first_value]: so a row is
/// the load (moment in body axes, force in Ground axes, at the centre of mass) that a unit multiplier puts on the body.
///
///   position rows   h(t, x) = 0,   dh/dt = G (w, v) + h_t
///   velocity rows   G (w, v) + v_t = 0; the last ones of an element. Their h is zero.
///   accelerations   G d(w, v)/dt = b
///
/// Rows on coordinates (gears, couplers, signals) read them off the relative pose of a joint's bodies. Angles are counted on
/// from the coordinates in `near`, by coordinate, so that they may pass full turns.
/// Evaluation does not allocate. Immutable: threads may share it.
class Constraints {
 public:
  struct Element {
    int first_row, num_rows;
    int num_velocity_rows;  ///< the last ones
    int first_side, num_sides;
    bool touches_ground;
    int joint;  ///< body whose inboard joint it is, or -1
    int owner;  ///< index for name()
  };
  struct Side {
    int body, first_value;
  };

  /// enabled: by constraint element of the mechanism, as State::enabled(); nothing means all. Throws ModelError for what has no
  /// meaning in these coordinates, with its name.
  explicit Constraints(const Mechanism& mechanism, std::span<const char> enabled = {});

  const Mechanism& mechanism() const;
  std::span<const Element> elements() const;
  std::span<const Side> sides() const;
  std::span<const Side> sides(const Element& element) const;
  int num_rows() const;
  int num_values() const;  ///< of a Jacobian
  /// Who the element is: `joint "pin4"`, `wire "hip" "knee"`.
  const std::string& name(const Element& element) const;

  void errors(double t, const Bodies& at, std::span<const double> near, std::span<double> h) const;
  void errors_and_jacobian(double t, const Bodies& at, std::span<const double> near, std::span<double> h,
                           std::span<double> values) const;
  /// What of G (w, v) must be -h_t or -v_t: the explicit rates in time.
  void rates(double t, const Bodies& at, std::span<const double> near, std::span<double> h_t) const;
  /// b with G d(w, v)/dt = b.
  void acceleration_bias(double t, const Bodies& at, std::span<const double> near, std::span<double> b) const;

  /// out = G (w, v), with velocities as given.
  void multiply(std::span<const double> values, const Bodies& velocities, std::span<double> out) const;
};

}  // namespace polhode::maximal
