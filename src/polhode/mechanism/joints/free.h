#pragma once
#include "polhode/mechanism/joints/ball.h"
#include "polhode/mechanism/joints/floating.h"

namespace polhode {

/// Free: M moves anywhere.
/// q: quaternion (w, x, y, z) of R_FM, then x, y, z of M's origin in F [m],
/// u: angular velocity in F [rad/s], then velocity of M's origin in F [m/s].
struct Free : Floating<Ball> {
  static constexpr std::string_view type = "free";

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>&, const Motion<T>&, ConstraintRow<T>*) const {}
  friend bool operator==(const Free&, const Free&) { return true; }
};
static_assert(JointType<Free>);

}  // namespace polhode
