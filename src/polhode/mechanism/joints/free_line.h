#pragma once
#include "polhode/mechanism/joints/floating.h"
#include "polhode/mechanism/joints/line_orientation.h"

namespace polhode {

/// Free line: a body that is a line along M's z axis moves anywhere but never spins about itself.
/// q: quaternion (w, x, y, z) of R_FM, then x, y, z of M's origin in F [m],
/// u: angular velocity about M's x and y axes [rad/s], then velocity of M's origin in F [m/s].
struct FreeLine : Floating<LineOrientation> {
  static constexpr std::string_view type = "free-line";

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = no_spin_about_M(X_FM, V_FM, z_axis);
  }
  friend bool operator==(const FreeLine&, const FreeLine&) { return true; }
};
static_assert(JointType<FreeLine>);

}  // namespace polhode
