#pragma once
#include "polhode/variational/tree/step_data.h"

/// A joint whose hinge matrix changes with its coordinates, over one step: ellipsoid, function-based, a user's own.
///
/// The path goes from q0 to q0 (+) theta through q0 (+) s theta: coordinates that add, or for the ellipsoid a turn exp(s
/// theta). What is needed is how the velocity V = H(q) v of the midpoint changes with the pose, in the moving frame. H and
/// (dH/dt) u give it exactly: with xi_u = H u seen from the moving frame and D_e its derivative along the motion e,
///   D_e xi_w + D_w xi_e  follows from (dH/dt) u, which is quadratic in u, by polarisation, and
///   D_e xi_w - D_w xi_e = ad(xi_w) xi_e + xi_[e, w]      (Maurer-Cartan; the last term is zero where coordinates add).
namespace polhode::variational {

class OtherJoint {
 public:
  static constexpr int most = GeneralMotion::most;

  /// Whether a joint can be stepped through in this way: its speeds must be the rates of its coordinates, or it must turn as a
  /// ball does.
  static bool can_step(const JointModel& model);

  void start(const GeneralJoint& joint, const Joint& in_mechanism, const double* q);

  // The same functions as Turning has.
  void move(const double* theta, double h, double alpha, GeneralMotion& out) const;
  void residual(const double* theta, const double* momentum, double h, double alpha, const GeneralMotion& motion,
                double* r) const;
  void curvature(const double* theta, const double* momentum, double h, double alpha, GeneralMotion& motion) const;
  void increment_to(const double* q, double* theta) const;
  void finish(const double* theta, double fraction, double* q) const;
  void momentum_at_end(const double* theta, const double* momentum, double h, double alpha, const GeneralMotion& motion,
                       double* p) const;
  void momentum_of_increment(const double* theta, double h, double alpha, const GeneralMotion& motion, double* p) const;
  void speeds_at_midpoint(const double* theta, double h, double alpha, double* u) const;
  void add_force(const double* theta, double alpha, const double* tau, GeneralMotion& motion);
  void row_on_increments(const double* theta, const double* row_at_end, double* row) const;
  void row_on_tests(const double* theta, const double* row_at_start, double* row) const;

 private:
  /// Directions in speeds at the midpoint: of a trial change of theta, of a test, and of the rate that a test changes.
  struct Directions {
    double trial[most][most] = {}, test[most][most] = {}, rate_of_test[most][most] = {};
  };
  Directions directions(const double* theta, double alpha) const;
  Motion<double> change_in_moving_frame(const double* q, const double* e, const double* w) const;
  Motion<double> own_change(const double* q, const double* u) const;
  Motion<double> velocity_of(const double* q, const double* u) const;
  void add_start(const double* theta, const double* momentum, double* r) const;

  GeneralJoint joint_{};
  const Joint* in_mechanism_ = nullptr;
  bool turns_ = false;
  double q_[CustomJoint::max_coordinates] = {};
  double tau_[most] = {};  // generalized forces at the midpoint
};

}  // namespace polhode::variational
