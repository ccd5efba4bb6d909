#pragma once
#include "polhode/maximal/joint_coordinates.h"

namespace polhode::maximal {

/// The velocities of the bodies' own frames C in Ground axes, by body.
using Velocities = std::span<const Motion<double>>;

/// A frame fixed on a body that rows act on.
struct Place {
  int body;
  Transform<double> X_CF;  ///< in the body's own frame
  int first_value;         ///< of the body's block among the Jacobian's values; -1 for Ground, which has none

  Transform<double> pose(Poses X_WC) const { return X_WC[body] * X_CF; }
  Vec3<double> arm(const Transform<double>& X_WF, Poses X_WC) const { return X_WF.p - X_WC[body].p; }
  /// Velocity of the frame, and its acceleration while d(w, v)/dt = 0.
  Motion<double> velocity(Velocities V_WC, const Vec3<double>& r) const { return shifted(V_WC[body], r); }
  Motion<double> bias_acceleration(Velocities V_WC, const Vec3<double>& r) const {
    const Vec3<double>& w = V_WC[body].angular;
    return {{}, cross(w, cross(w, r))};
  }
};

/// A wrench in Ground axes that acts r away from a body's centre of mass, as a row of the body's block.
POLHODE_INLINE void put_load(const Mat3<double>& R_WC, const Vec3<double>& r, const Wrench<double>& F, double* row) {
  const Vec3<double> m = transpose_times(R_WC, F.moment + cross(r, F.force));
  row[0] = m.x, row[1] = m.y, row[2] = m.z;
  row[3] = F.force.x, row[4] = F.force.y, row[5] = F.force.z;
  row[6] = row[7] = 0;
}
POLHODE_INLINE void add_load(const Mat3<double>& R_WC, const Vec3<double>& r, const Wrench<double>& F, double* row) {
  const Vec3<double> m = transpose_times(R_WC, F.moment + cross(r, F.force));
  row[0] += m.x, row[1] += m.y, row[2] += m.z;
  row[3] += F.force.x, row[4] += F.force.y, row[5] += F.force.z;
}

}  // namespace polhode::maximal
