#include "polhode/maximal/turning_rows.h"

#include <algorithm>

#include "polhode/maximal/joint_rows.h"

namespace polhode::maximal {

void TurningRows::evaluate(double t, const DrivenPaths& paths, Poses X_WC, std::span<const double> near, double* h,
                           double* values) const {
  const JointSite::Reading at = site.read(X_WC, near);
  double wanted[4];
  paths.put_quaternion_of(site.joint.body(), t, wanted);
  const Vec3<double> off = turn_between(site.joint.joint().model, wanted, at.q);
  for (int k = 0; k < count; ++k) h[first_row + k] = off[std::size_t(k)];
  if (values == nullptr) return;
  for (const Place* place : {&site.F, &site.M})
    if (place->first_value >= 0) std::fill_n(values + place->first_value, count * row_width, 0.0);
  for (int k = 0; k < count; ++k) site.add_derivatives(at, X_WC, k, 1, k, values);
}

void TurningRows::rates(double t, const DrivenPaths& paths, double* h_t) const {
  const int u = site.joint.joint().first_u;
  for (int k = 0; k < count; ++k) h_t[first_row + k] = -paths.at(u + k, t).rate;
}

void TurningRows::bias(double t, const DrivenPaths& paths, Poses X_WC, Velocities V_WC, std::span<const double> near,
                       double* b) const {
  double u[JointCoordinates::most_speeds], u_dot[JointCoordinates::most_speeds];
  site.speeds_and_bias(site.read(X_WC, near), X_WC, V_WC, u, u_dot);
  for (int k = 0; k < count; ++k) b[first_row + k] = paths.at(site.joint.joint().first_u + k, t).acceleration - u_dot[k];
}

}  // namespace polhode::maximal
