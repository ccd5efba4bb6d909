#include "polhode/variational/tree/turning.h"

#include <algorithm>

#include "polhode/spatial/exponential.h"

namespace polhode::variational {

void Turning::start(const GeneralJoint& joint, const double* q) {
  joint_ = joint;
  sign_ = joint.reversed ? -1 : 1;
  const double* a = q + joint.first_q;
  q_start_ = {a[0], a[1], a[2], a[3]};
  const Mat3<double> R = rotation(q_start_);
  R_start_ = joint.reversed ? transpose(R) : R;
}

Vec3<double> Turning::in_F(const double* x, const Mat3<double>& R_FM) const {
  const Vec3<double> a{x[0], x[1], joint_.nu > 2 ? x[2] : 0.0};
  return sign_ * (joint_.speeds_in_moving_frame ? R_FM * a : a);
}
void Turning::from_F(const Vec3<double>& a, const Mat3<double>& R_FM, double* x) const {
  const Vec3<double> b = sign_ * (joint_.speeds_in_moving_frame ? transpose_times(R_FM, a) : a);
  for (int i = 0; i < joint_.nu; ++i) x[i] = b[i];
}
Mat3<double> Turning::orientation_after(const Vec3<double>& theta) const { return rotation(exp_rotation(theta)) * R_start_; }

void Turning::move(const double* theta_in, double h, double alpha, GeneralMotion& out) {
  theta_ = in_F(theta_in, R_start_);
  const Quaternion<double> half = exp_rotation(alpha * theta_);
  to_midpoint_ = rotation(half);
  out.X_FM = {to_midpoint_ * R_start_, {}};
  out.V_FM = {(1 / h) * theta_, {}};
  const Mat3<double> trial = dexp_matrix(alpha * theta_);
  const Mat3<double> test = to_midpoint_ * (alpha == 0.5 ? trial : dexp_matrix((1 - alpha) * theta_));
  for (int i = 0; i < joint_.nu; ++i) {
    const Vec3<double> b = direction(i), tau = test_direction(i);
    out.velocity[i] = {to_midpoint_ * b, {}};
    out.velocity_test[i] = {to_midpoint_ * tau, {}};
    out.pose[i] = {trial * b, {}};
    out.pose_test[i] = {test * tau, {}};
  }
}

Vec3<double> Turning::direction(int i) const {
  double unit[3] = {};
  unit[i] = 1;
  return in_F(unit, R_start_);
}
Vec3<double> Turning::test_direction(int i) const {
  return joint_.holds_spin ? dexp_inverse(theta_, direction(i)) : direction(i);
}

Vec3<double> Turning::without_start(double h, double alpha, const GeneralMotion& motion) const {
  const double b = 1 - alpha;
  return (h * b) * dexp(-b * theta_, transpose_times(to_midpoint_, motion.force.moment)) -
         transpose_times(to_midpoint_, motion.momentum.moment);
}

void Turning::residual(const double*, const double* momentum, double h, double alpha, const GeneralMotion& motion,
                       double* r) const {
  double start[3];
  if (joint_.holds_spin)
    std::copy_n(momentum, joint_.nu, start);
  else
    from_F(dexp(-theta_, in_F(momentum, R_start_)), R_start_, start);
  for (int i = 0; i < joint_.nu; ++i)
    r[i] = start[i] + h * (1 - alpha) * dot(motion.pose_test[i].angular, motion.force.moment) -
           dot(motion.velocity_test[i].angular, motion.momentum.moment);
}

void Turning::curvature(const double*, const double* momentum, double h, double alpha, GeneralMotion& motion) const {
  // Where tests are zeta, tau changes with theta, which gives the same term with the momentum of the step itself.
  const Vec3<double> p = joint_.holds_spin ? -dexp_inverse(-theta_, without_start(h, alpha, motion)) : in_F(momentum, R_start_);
  const double b = 1 - alpha;
  const Vec3<double> force = transpose_times(to_midpoint_, motion.force.moment);
  for (int j = 0; j < joint_.nu; ++j) {
    const Vec3<double> test = test_direction(j);
    const Vec3<double> gradient = dexp_gradient(theta_, p, test) + (h * b * b) * dexp_gradient(b * theta_, force, test);
    double by_trial[3];
    from_F(gradient, R_start_, by_trial);
    for (int i = 0; i < joint_.nu; ++i) motion.extra[j][i] = by_trial[i];
  }
}

void Turning::finish(const double* theta_in, double fraction, double* q) const {
  // The coordinates are those of the joint as its user sees it: about F, unless M is what speeds refer to or it is reversed.
  const Vec3<double> theta = fraction * in_F(theta_in, R_start_);
  const Quaternion<double> start = joint_.reversed ? conjugate(q_start_) : q_start_;
  Quaternion<double> end = normalized(exp_rotation(theta) * start);
  if (joint_.reversed) end = conjugate(end);
  double* a = q + joint_.first_q;
  a[0] = end.w, a[1] = end.x, a[2] = end.y, a[3] = end.z;
}

void Turning::increment_to(const double* q, double* theta) const {
  const double* a = q + joint_.first_q;
  const Quaternion<double> end{a[0], a[1], a[2], a[3]};
  const Quaternion<double> turned = joint_.reversed ? conjugate(end) * q_start_ : end * conjugate(q_start_);
  from_F(log_rotation(turned), R_start_, theta);
}

void Turning::momentum_at_end(const double*, const double* momentum, double h, double alpha, const GeneralMotion& motion,
                              double* p) const {
  Vec3<double> start = in_F(momentum, R_start_);
  if (joint_.holds_spin) {
    const Vec3<double> spin_axis = cross(direction(0), direction(1));
    start -= dot(spin_axis, dexp_inverse(-theta_, without_start(h, alpha, motion))) * spin_axis;
  }
  const Vec3<double> end = start + h * motion.force.moment;
  from_F(end, joint_.speeds_in_moving_frame ? orientation_after(theta_) : R_start_, p);
}

void Turning::momentum_of_increment(const double*, double h, double alpha, const GeneralMotion& motion, double* p) const {
  const Vec3<double> of_theta =
      transpose_times(to_midpoint_, motion.momentum.moment) + (h * alpha) * dexp(-alpha * theta_, motion.force.moment);
  const Mat3<double> R_end = orientation_after(theta_);
  if (joint_.nu == 3 || joint_.holds_spin) return from_F(dexp_inverse(-theta_, of_theta), R_end, p);
  // A line: the end moves by A times a change of theta, both in the plane across the line; the momentum is A^-T times
  // dL/dtheta.
  double m[2], A[2][2];
  from_F(of_theta, R_start_, m);
  for (int j = 0; j < 2; ++j) {
    double end[2];
    from_F(dexp(theta_, direction(j)), R_end, end);
    A[0][j] = end[0], A[1][j] = end[1];
  }
  const double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  p[0] = (A[1][1] * m[0] - A[1][0] * m[1]) / det;
  p[1] = (A[0][0] * m[1] - A[0][1] * m[0]) / det;
}

void Turning::speeds_at_midpoint(const double*, double h, double, double* u) const {
  from_F((1 / h) * theta_, to_midpoint_ * R_start_, u);
}

void Turning::add_force(const double*, double, const double* tau, GeneralMotion& motion) const {
  motion.force.moment += in_F(tau, motion.X_FM.R);
}

void Turning::row_on_increments(const double*, const double* row_at_end, double* row) const {
  from_F(dexp(-theta_, in_F(row_at_end, joint_.speeds_in_moving_frame ? orientation_after(theta_) : R_start_)), R_start_, row);
}
void Turning::row_on_tests(const double*, const double* row_at_start, double* row) const {
  if (joint_.holds_spin) {
    std::copy_n(row_at_start, joint_.nu, row);
    return;
  }
  from_F(dexp(-theta_, in_F(row_at_start, R_start_)), R_start_, row);
}

}  // namespace polhode::variational
