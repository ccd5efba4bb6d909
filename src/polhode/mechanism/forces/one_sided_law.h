#pragma once
#include "polhode/spatial/dual.h"

namespace polhode {

/// A spring that acts on one side only, where its extension x is positive:
///   F(x) = k x^2 / (2 w)     for 0 < x < w, the blend
///   F(x) = k (x - w/2)       beyond it
/// With a blend the stiffness is continuous, and the energy twice continuously differentiable; without one (w = 0) the
/// stiffness jumps at x = 0. Damping multiplies the force, as in Hunt & Crossley's law: F (1 + d dx/dt), never less than zero.
/// So it vanishes together with the spring, and can neither jump where the spring comes into play nor turn the force around.
struct OneSidedLaw {
  double stiffness;    ///< k [N/m] or [N m/rad]
  double blend;        ///< w [m] or [rad]
  double dissipation;  ///< d [s/m] or [s/rad]

  template <class T>
  T elastic(const T& x) const {
    if (!(value_of(x) > 0)) return T(0);
    if (value_of(x) < blend) return T(0.5 * stiffness / blend) * square(x);
    return T(stiffness) * (x - T(0.5 * blend));
  }
  template <class T>
  T force(const T& x, const T& rate) const {
    const T factor = T(1) + T(dissipation) * rate;
    if (!(value_of(factor) > 0)) return T(0);
    return elastic(x) * factor;
  }
  template <class T>
  T energy(const T& x) const {
    if (!(value_of(x) > 0)) return T(0);
    if (value_of(x) < blend) return T(stiffness / (6 * blend)) * square(x) * x;
    return T(0.5 * stiffness) * (square(x - T(0.5 * blend)) + T(blend * blend / 12));
  }
};

}  // namespace polhode
