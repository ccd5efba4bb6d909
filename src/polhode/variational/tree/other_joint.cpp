#include "polhode/variational/tree/other_joint.h"

#include <algorithm>

#include "polhode/mechanism/reversed_joint.h"
#include "polhode/spatial/exponential.h"

namespace polhode::variational {
namespace {

Vec3<double> vec3(const double* x) { return {x[0], x[1], x[2]}; }
void put3(const Vec3<double>& a, double* x) { x[0] = a.x, x[1] = a.y, x[2] = a.z; }

Motion<double> ad(const Motion<double>& X, const Motion<double>& Y) {
  return {cross(X.angular, Y.angular), cross(X.linear, Y.angular) + cross(X.angular, Y.linear)};
}
double pair(const Wrench<double>& F, const Motion<double>& V) { return dot(F.moment, V.angular) + dot(F.force, V.linear); }
Wrench<double> turned(const Mat3<double>& R, const Wrench<double>& F) { return {R * F.moment, R * F.force}; }

}  // namespace

bool OtherJoint::can_step(const JointModel& model) {
  if (std::holds_alternative<Ellipsoid>(model) || std::holds_alternative<FunctionBased>(model)) return true;
  const auto* custom = std::get_if<Custom>(&model);
  if (custom == nullptr || custom->nq != custom->nv || custom->nchart != custom->nv || custom->nonholonomic != 0) return false;
  double q[CustomJoint::max_coordinates], u[CustomJoint::max_speeds], q_dot[CustomJoint::max_coordinates];
  custom->zero(q);
  for (int i = 0; i < custom->nv; ++i) q[i] += 0.1 * (i + 1), u[i] = 1 + 0.3 * i;
  custom->N<double>(q, u, q_dot);
  return std::equal(q_dot, q_dot + custom->nv, u);
}

void OtherJoint::start(const GeneralJoint& joint, const Joint& in_mechanism, const double* q) {
  joint_ = joint;
  in_mechanism_ = &in_mechanism;
  turns_ = std::holds_alternative<Ellipsoid>(in_mechanism.model);
  std::copy_n(q + joint.first_q, in_mechanism.nq, q_);
}

Motion<double> OtherJoint::velocity_of(const double* q, const double* u) const {
  Motion<double> H[most], V{};
  std::visit([&](const auto& model) { joint_hinge(model, joint_.reversed, q, H); }, in_mechanism_->model);
  for (int i = 0; i < joint_.nu; ++i) V += u[i] * H[i];
  return V;
}

/// D_u xi_u: (dH/dt) u as the moving frame sees it.
Motion<double> OtherJoint::own_change(const double* q, const double* u) const {
  const Motion<double> A = std::visit(
      [&](const auto& model) { return joint_hinge_rate_times_speed(model, joint_.reversed, q, u); }, in_mechanism_->model);
  const Motion<double> V = velocity_of(q, u);
  return {A.angular, A.linear - cross(V.angular, V.linear)};
}

/// D_e xi_w.
Motion<double> OtherJoint::change_in_moving_frame(const double* q, const double* e, const double* w) const {
  double both[most];
  for (int i = 0; i < joint_.nu; ++i) both[i] = e[i] + w[i];
  Motion<double> twice = own_change(q, both);
  const Motion<double> change_e = own_change(q, e), change_w = own_change(q, w);
  twice = {twice.angular - change_e.angular - change_w.angular, twice.linear - change_e.linear - change_w.linear};
  twice += ad(velocity_of(q, w), velocity_of(q, e));
  if (turns_) {
    double bracket[most];
    put3(cross(vec3(w), vec3(e)), bracket);
    twice += velocity_of(q, bracket);
  }
  return 0.5 * twice;
}

OtherJoint::Directions OtherJoint::directions(const double* theta_in, double alpha) const {
  Directions d;
  for (int i = 0; i < joint_.nu; ++i) d.trial[i][i] = d.test[i][i] = d.rate_of_test[i][i] = 1;
  if (!turns_) return d;
  const Vec3<double> theta = vec3(theta_in);
  const Mat3<double> half = rotation(exp_rotation(alpha * theta)), whole = rotation(exp_rotation(theta));
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> e = vec3(d.trial[i]);
    put3(dexp(alpha * theta, e), d.trial[i]);
    put3(half * dexp((1 - alpha) * theta, e), d.test[i]);
    put3(whole * e, d.rate_of_test[i]);
  }
  return d;
}

void OtherJoint::move(const double* theta, double h, double alpha, GeneralMotion& out) const {
  double q[CustomJoint::max_coordinates], scaled[most], v[most];
  for (int i = 0; i < joint_.nu; ++i) scaled[i] = alpha * theta[i], v[i] = theta[i] / h;
  std::visit(
      [&](const auto& model) {
        model.retract(q_, scaled, q);
        out.X_FM = joint_pose(model, joint_.reversed, q);
      },
      in_mechanism_->model);
  out.V_FM = velocity_of(q, v);
  const Directions d = directions(theta, alpha);
  for (int i = 0; i < joint_.nu; ++i) {
    double unit[most] = {};
    unit[i] = 1;
    out.pose[i] = velocity_of(q, d.trial[i]);
    out.pose_test[i] = velocity_of(q, d.test[i]);
    out.velocity[i] = velocity_of(q, unit) + (h * alpha) * change_in_moving_frame(q, d.trial[i], v);
    out.velocity_test[i] = velocity_of(q, d.rate_of_test[i]) + (-h * (1 - alpha)) * change_in_moving_frame(q, d.test[i], v);
  }
}

void OtherJoint::add_force(const double*, double, const double* tau, GeneralMotion&) { std::copy_n(tau, joint_.nu, tau_); }

/// The momentum at the start, as the tests see it.
void OtherJoint::add_start(const double* theta, const double* momentum, double* r) const {
  if (!turns_) {
    for (int i = 0; i < joint_.nu; ++i) r[i] += momentum[i];
    return;
  }
  const Vec3<double> start = dexp(-vec3(theta), vec3(momentum));
  for (int i = 0; i < 3; ++i) r[i] += start[i];
}

void OtherJoint::residual(const double* theta, const double* momentum, double h, double alpha, const GeneralMotion& motion,
                          double* r) const {
  const Directions d = directions(theta, alpha);
  for (int i = 0; i < joint_.nu; ++i) {
    r[i] = h * (1 - alpha) * pair(motion.force, motion.pose_test[i]) - pair(motion.momentum, motion.velocity_test[i]);
    for (int k = 0; k < joint_.nu; ++k) r[i] += h * (1 - alpha) * d.test[i][k] * tau_[k];
  }
  add_start(theta, momentum, r);
}

/// By differences, with the covectors held in the moving frame: users' joints have no second derivatives to offer. Only
/// Newton's matrix feels the error.
void OtherJoint::curvature(const double* theta_in, const double* momentum, double h, double alpha,
                           GeneralMotion& motion) const {
  constexpr double step = 1e-5;
  const Mat3<double> R_MF = transpose(motion.X_FM.R);
  const Wrench<double> P = turned(R_MF, motion.momentum), N = turned(R_MF, motion.force);
  double theta[most];
  std::copy_n(theta_in, joint_.nu, theta);
  for (int i = 0; i < joint_.nu; ++i) {
    double r[2][most] = {};
    for (int side = 0; side < 2; ++side) {
      theta[i] = theta_in[i] + (side == 0 ? -step : step);
      GeneralMotion moved;
      move(theta, h, alpha, moved);
      moved.momentum = turned(moved.X_FM.R, P), moved.force = turned(moved.X_FM.R, N);
      residual(theta, momentum, h, alpha, moved, r[side]);
    }
    theta[i] = theta_in[i];
    for (int j = 0; j < joint_.nu; ++j) motion.extra[j][i] = (r[1][j] - r[0][j]) / (2 * step);
  }
}

void OtherJoint::increment_to(const double* q, double* theta) const {
  const double* end = q + joint_.first_q;
  if (turns_) {
    const Quaternion<double> a{q_[0], q_[1], q_[2], q_[3]}, b{end[0], end[1], end[2], end[3]};
    return put3(log_rotation(b * conjugate(a)), theta);
  }
  for (int i = 0; i < joint_.nu; ++i) theta[i] = end[i] - q_[i];
}

void OtherJoint::finish(const double* theta, double fraction, double* q) const {
  double scaled[most];
  for (int i = 0; i < joint_.nu; ++i) scaled[i] = fraction * theta[i];
  std::visit([&](const auto& model) { model.retract(q_, scaled, q + joint_.first_q); }, in_mechanism_->model);
}

void OtherJoint::momentum_at_end(const double* theta, const double*, double h, double alpha, const GeneralMotion& motion,
                                 double* p) const {
  momentum_of_increment(theta, h, alpha, motion, p);
}

void OtherJoint::momentum_of_increment(const double* theta, double h, double alpha, const GeneralMotion& motion,
                                       double* p) const {
  const Directions d = directions(theta, alpha);
  for (int i = 0; i < joint_.nu; ++i) {
    p[i] = h * alpha * pair(motion.force, motion.pose[i]) + pair(motion.momentum, motion.velocity[i]);
    for (int k = 0; k < joint_.nu; ++k) p[i] += h * alpha * d.trial[i][k] * tau_[k];
  }
  if (turns_) put3(dexp_inverse(-vec3(theta), vec3(p)), p);
}

void OtherJoint::speeds_at_midpoint(const double* theta, double h, double, double* u) const {
  for (int i = 0; i < joint_.nu; ++i) u[i] = theta[i] / h;
}

void OtherJoint::row_on_increments(const double* theta, const double* row_at_end, double* row) const {
  if (turns_) return put3(dexp(-vec3(theta), vec3(row_at_end)), row);
  std::copy_n(row_at_end, joint_.nu, row);
}
void OtherJoint::row_on_tests(const double* theta, const double* row_at_start, double* row) const {
  row_on_increments(theta, row_at_start, row);
}

}  // namespace polhode::variational
