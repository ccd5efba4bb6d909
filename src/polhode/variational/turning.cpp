#include "polhode/variational/turning.h"

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

void Turning::move(const double* theta_in, double h, double alpha, GeneralMotion& out) const {
  const Vec3<double> theta = in_F(theta_in, R_start_);
  const Mat3<double> half = rotation(exp_rotation(alpha * theta));
  out.X_FM = {half * R_start_, {}};
  out.V_FM = {(1 / h) * theta, {}};
  for (int i = 0; i < joint_.nu; ++i) {
    double unit[3] = {};
    unit[i] = 1;
    const Vec3<double> b = in_F(unit, R_start_), turned = half * b;
    out.velocity[i] = out.velocity_test[i] = {turned, {}};
    out.pose[i] = {dexp(alpha * theta, b), {}};
    out.pose_test[i] = {half * dexp((1 - alpha) * theta, b), {}};
  }
}

void Turning::residual(const double* theta_in, const double* momentum, double h, double alpha, const GeneralMotion& motion,
                       double* r) const {
  const Vec3<double> theta = in_F(theta_in, R_start_), p = in_F(momentum, R_start_);
  double start[3];
  from_F(dexp(-theta, p), R_start_, start);
  for (int i = 0; i < joint_.nu; ++i)
    r[i] = start[i] + h * (1 - alpha) * dot(motion.pose_test[i].angular, motion.force.moment) -
           dot(motion.velocity_test[i].angular, motion.momentum.moment);
}

void Turning::curvature(const double* theta_in, const double* momentum, double h, double alpha, GeneralMotion& motion) const {
  const Vec3<double> theta = in_F(theta_in, R_start_), p = in_F(momentum, R_start_);
  const double b = 1 - alpha;
  const Vec3<double> force = rotation(exp_rotation(-alpha * theta)) * motion.force.moment;
  for (int j = 0; j < joint_.nu; ++j) {
    double unit[3] = {};
    unit[j] = 1;
    const Vec3<double> test = in_F(unit, R_start_);
    const Vec3<double> gradient = dexp_gradient(theta, p, test) + (h * b * b) * dexp_gradient(b * theta, force, test);
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

void Turning::momentum_at_end(const double* theta_in, const double* momentum, double h, double, const GeneralMotion& motion,
                              double* p) const {
  const Vec3<double> theta = in_F(theta_in, R_start_);
  from_F(in_F(momentum, R_start_) + h * motion.force.moment, orientation_after(theta), p);
}

void Turning::momentum_of_increment(const double* theta_in, double h, double alpha, const GeneralMotion& motion,
                                    double* p) const {
  const Vec3<double> theta = in_F(theta_in, R_start_);
  const Vec3<double> of_theta = transpose_times(rotation(exp_rotation(alpha * theta)), motion.momentum.moment) +
                                (h * alpha) * dexp(-alpha * theta, motion.force.moment);
  from_F(dexp_inverse(-theta, of_theta), orientation_after(theta), p);
}

void Turning::speeds_at_midpoint(const double* theta_in, double h, double alpha, double* u) const {
  const Vec3<double> theta = in_F(theta_in, R_start_);
  from_F((1 / h) * theta, orientation_after(alpha * theta), u);
}

void Turning::add_force(const double* theta_in, double alpha, const double* tau, GeneralMotion& motion) const {
  const Vec3<double> theta = in_F(theta_in, R_start_);
  motion.force.moment += in_F(tau, orientation_after(alpha * theta));
}

void Turning::row_on_increments(const double* theta_in, const double* row_at_end, double* row) const {
  const Vec3<double> theta = in_F(theta_in, R_start_);
  from_F(dexp(-theta, in_F(row_at_end, orientation_after(theta))), R_start_, row);
}
void Turning::row_on_tests(const double* theta_in, const double* row_at_start, double* row) const {
  const Vec3<double> theta = in_F(theta_in, R_start_);
  from_F(dexp(-theta, in_F(row_at_start, R_start_)), R_start_, row);
}

}  // namespace polhode::variational
