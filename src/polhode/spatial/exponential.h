#pragma once
#include "polhode/spatial/spatial_vector.h"

namespace polhode {

/// exp: the unit quaternion that turns by |theta| about theta.
Quaternion<double> exp_rotation(const Vec3<double>& theta);
/// log: the shortest rotation vector of a, |log| <= pi.
Vec3<double> log_rotation(const Quaternion<double>& a);
inline Vec3<double> log_rotation(const Mat3<double>& R) { return log_rotation(quaternion(R)); }

/// With R = exp(theta) R0 and dR/dt = skew(omega) R, gives d(theta)/dt (Munthe-Kaas' dexp^-1 in closed form).
Vec3<double> dexp_inverse(const Vec3<double>& theta, const Vec3<double>& omega);

/// The inverse of that: dexp(theta) delta = the integral of exp(s theta) delta over s from 0 to 1. Its transpose is
/// dexp(-theta).
Vec3<double> dexp(const Vec3<double>& theta, const Vec3<double>& delta);
Mat3<double> dexp_matrix(const Vec3<double>& theta);
/// The gradient with respect to theta of a . dexp(theta) b.
Vec3<double> dexp_gradient(const Vec3<double>& theta, const Vec3<double>& a, const Vec3<double>& b);

/// exp and log of SE(3): the screw motion that starts with the given angular and linear velocity and lasts one second.
Transform<double> exp_motion(const Motion<double>& screw);
Motion<double> log_motion(const Transform<double>& X);

}  // namespace polhode
