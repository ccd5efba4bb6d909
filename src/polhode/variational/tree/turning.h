#pragma once
#include "polhode/variational/tree/step_data.h"

/// A joint that turns on the rotation group over one step: R1 = exp(theta) R0, midpoint exp(alpha theta) R0, angular velocity
/// theta/h, all in the axes of F. The discrete momentum that belongs to such increments is the ordinary one, conjugate to the
/// angular velocity in F.
///
/// With q0 varied by zeta and q1 held, theta changes by -dexp(theta)^-1 zeta. Tests are written as tau = dexp(theta)^-1 zeta:
///   velocity at the midpoint:  -exp(alpha theta) tau / h
///   pose at the midpoint:      (1 - alpha) exp(alpha theta) dexp((1 - alpha) theta) tau
/// and a trial change delta of theta moves them by exp(alpha theta) delta / h and alpha dexp(alpha theta) delta. The momentum
/// then changes by h times the force at the midpoint, whatever alpha: nothing that has a symmetry is lost.
///
/// With two axes, theta lies in their plane, and the joint moves on a great circle. A line does not feel how it spins, and tau
/// may be taken from that plane too. Where spin is felt and held (GeneralJoint::holds_spin), zeta must be in the plane, so that
/// the force that holds the spin does no work (Lagrange-d'Alembert), and the momentum about the third axis is that of the
/// step.
namespace polhode::variational {

class Turning {
 public:
  /// At the start of a step.
  void start(const GeneralJoint& joint, const double* q);

  /// Midpoint pose, velocity and columns for increments theta (by the joint's own speeds). The functions below that take theta
  /// as well are about the same one.
  void move(const double* theta, double h, double alpha, GeneralMotion& out);
  /// The joint's part of the discrete Euler-Lagrange equation, from the momentum at the start and the sweeps' results.
  void residual(const double* theta, const double* momentum, double h, double alpha, const GeneralMotion& motion,
                double* r) const;
  /// The part of the residual's derivative that comes from the joint's own curvature.
  void curvature(const double* theta, const double* momentum, double h, double alpha, GeneralMotion& motion) const;

  /// The increment that ends at q.
  void increment_to(const double* q, double* theta) const;
  /// Coordinates at a fraction of the way, and the momentum at the end of the step.
  void finish(const double* theta, double fraction, double* q) const;
  void momentum_at_end(const double* theta, const double* momentum, double h, double alpha, const GeneralMotion& motion,
                       double* p) const;
  /// The momentum at the end that belongs to theta alone, as when a motion is started from two configurations.
  void momentum_of_increment(const double* theta, double h, double alpha, const GeneralMotion& motion, double* p) const;

  /// Speeds at the midpoint, and what generalized forces there add to the pose's covector.
  void speeds_at_midpoint(const double* theta, double h, double alpha, double* u) const;
  void add_force(const double* theta, double alpha, const double* tau, GeneralMotion& motion) const;

  /// How speeds at the end follow from changes of theta: a row of a Jacobian at the end as a row on increments.
  void row_on_increments(const double* theta, const double* row_at_end, double* row) const;
  /// A row of a Jacobian at the start as the tests see it.
  void row_on_tests(const double* theta, const double* row_at_start, double* row) const;

 private:
  /// The joint's own speeds as a vector in F, where M stands as R_FM says, and back.
  Vec3<double> in_F(const double* x, const Mat3<double>& R_FM) const;
  void from_F(const Vec3<double>& a, const Mat3<double>& R_FM, double* x) const;
  Mat3<double> orientation_after(const Vec3<double>& theta) const;
  /// In F at the start: the axis of the joint's speed i, and the test tau that goes with it.
  Vec3<double> direction(int i) const;
  Vec3<double> test_direction(int i) const;
  /// What the equation of the joint without p0 is as a covector on tau.
  Vec3<double> without_start(double h, double alpha, const GeneralMotion& motion) const;

  GeneralJoint joint_{};
  double sign_ = 1;
  Quaternion<double> q_start_{};
  Mat3<double> R_start_ = Mat3<double>::identity();  // R_FM, of the tree's F and M

  // Of the last move().
  Vec3<double> theta_{};                                 // in F
  Mat3<double> to_midpoint_ = Mat3<double>::identity();  // exp(alpha theta)
};

}  // namespace polhode::variational
