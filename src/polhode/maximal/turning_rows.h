#pragma once
#include "polhode/maximal/coordinate_rows.h"

namespace polhode::maximal {

/// The rows of a lock on a joint with a quaternion, or of an orientation that it follows: M stands in F as that wants it. Row k
/// is coordinate k, in the joint's own chart, of the rotation vector from where it should be to where it is; its rate is then
/// speed k less what that should be. That is so where the rotation vector is zero, on the constraint, and nearly so next to it.
struct TurningRows {
  int first_row, count;
  JointSite site;

  void evaluate(double t, const DrivenPaths& paths, Poses X_WC, std::span<const double> near, double* h, double* values) const;
  void rates(double t, const DrivenPaths& paths, double* h_t) const;
  void bias(double t, const DrivenPaths& paths, Poses X_WC, Velocities V_WC, std::span<const double> near, double* b) const;
};

}  // namespace polhode::maximal
