#include "polhode/maximal/coordinate_rows.h"

#include <algorithm>

#include "polhode/maximal/joint_rows.h"
#include "polhode/mechanism/reversed_joint.h"

namespace polhode::maximal {

JointSite::Reading JointSite::read(Poses X_WC, std::span<const double> near) const {
  Reading at;
  at.X = joint.poses(X_WC);
  joint.read(at.X.X_FM, near.data() + joint.joint().first_q, at.q);
  joint.duals(at.X.X_FM, at.q, at.W);
  for (int k = 0; k < joint.joint().nu; ++k) at.W[k] = at.X.X_WF.R * at.W[k];
  return at;
}

void JointSite::speeds(const Reading& at, Poses X_WC, Velocities V_WC, double* u) const {
  const Vec3<double>& p = at.X.X_WM.p;
  const Motion<double> V =
      shifted(V_WC[M.body], p - X_WC[M.body].p) - shifted(V_WC[F.body], p - X_WC[F.body].p);  // V_FM in Ground axes
  for (int k = 0; k < joint.joint().nu; ++k) u[k] = dot(at.W[k], V);
}

/// With V_FM = H u, A_FM = H du/dt + (dH/dt) u and W dual to H:  du/dt = W (A_FM - (dH/dt) u).
void JointSite::speeds_and_bias(const Reading& at, Poses X_WC, Velocities V_WC, double* u, double* u_dot) const {
  const Joint& j = joint.joint();
  const JointMotion motion = joint_motion(F, M, at.X.X_WF, at.X.X_WM, X_WC, V_WC);
  speeds(at, X_WC, V_WC, u);
  const Motion<double> of_speeds =
      std::visit([&](const auto& model) { return joint_hinge_rate_times_speed<double>(model, j.reversed, at.q, u); }, j.model);
  const Motion<double> A_W = at.X.X_WF.R * (motion.A_FM - of_speeds);
  for (int k = 0; k < j.nu; ++k) u_dot[k] = dot(at.W[k], A_W);
}

void JointSite::add_derivatives(const Reading& at, Poses X_WC, int k, double factor, int row, double* values) const {
  const Wrench<double> W = factor * at.W[k];
  if (M.first_value >= 0) add_load(X_WC[M.body].R, at.X.X_WM.p - X_WC[M.body].p, W, values + M.first_value + row * row_width);
  if (F.first_value >= 0)  // the reaction, through the same point
    add_load(X_WC[F.body].R, at.X.X_WM.p - X_WC[F.body].p, -1.0 * W, values + F.first_value + row * row_width);
}

void CoordinateRow::evaluate(double t, const DrivenPaths& paths, Poses X_WC, std::span<const double> near, double* h,
                             double* values) const {
  double sum = holds_position ? -target(t, paths).value : 0;
  if (values != nullptr)  // bodies that several terms read add up
    for (const Term& term : terms)
      for (const Place* place : {&term.site.F, &term.site.M})
        if (place->first_value >= 0) std::fill_n(values + place->first_value, row_width, 0.0);
  for (const Term& term : terms) {
    const JointSite::Reading at = term.site.read(X_WC, near);
    if (holds_position) sum += term.coefficient * at.q[term.q];
    if (values != nullptr) term.site.add_derivatives(at, X_WC, term.u, term.coefficient, 0, values);
  }
  h[row] = sum;
}

Signal::Sample CoordinateRow::target(double t, const DrivenPaths& paths) const {
  if (driven < 0) return signal.at(t);
  const Signal::Sample path = paths.at(driven, t);
  return holds_position ? path : Signal::Sample{path.rate, path.acceleration, 0};
}

double CoordinateRow::rate(double t, const DrivenPaths& paths) const {
  const Signal::Sample s = target(t, paths);
  return -(holds_position ? s.rate : s.value);
}

void CoordinateRow::bias(double t, const DrivenPaths& paths, Poses X_WC, Velocities V_WC, std::span<const double> near,
                         double* b) const {
  const Signal::Sample s = target(t, paths);
  double sum = holds_position ? s.acceleration : s.rate;
  for (const Term& term : terms) {
    double u[JointCoordinates::most_speeds], u_dot[JointCoordinates::most_speeds];
    term.site.speeds_and_bias(term.site.read(X_WC, near), X_WC, V_WC, u, u_dot);
    sum -= term.coefficient * u_dot[term.u];
  }
  b[row] = sum;
}

}  // namespace polhode::maximal
