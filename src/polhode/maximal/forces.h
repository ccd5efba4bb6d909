#pragma once
#include <span>

#include "polhode/maximal/tree_map.h"

namespace polhode::maximal {

/// All forces of a mechanism, gravity included, as loads on bodies: moment in body axes and force in Ground axes, at the centre
/// of mass, row_width numbers a body. Forces on joint coordinates become the least loads on the joint's two bodies that do the
/// same work. Does not allocate after it is built.
class Forces {
 public:
  explicit Forces(const Mechanism& mechanism);

  /// near: coordinates to count angles on from (constraints.h).
  void evaluate(double t, const Bodies& at, std::span<const double> near, std::span<double> loads);
  /// False when no force depends on velocities, so that evaluate() need not be called with good ones.
  bool depend_on_velocity() const;
  /// Kinetic and potential energy [J].
  double kinetic_energy(const Bodies& at) const;
  double potential_energy(double t, const Bodies& at, std::span<const double> near);
};

}  // namespace polhode::maximal
