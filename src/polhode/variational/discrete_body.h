#pragma once
#include "polhode/spatial/quaternion.h"

/// The discrete mechanics of one rigid body that turns (seed 001, section 3.2 and its supplement).
namespace polhode::variational {

/// The rotation over one step, as the unit quaternion [e; n] that follows the body's: n = h w / 2 (seed 001, (32)).
struct Turn {
  double e;
  Vec3<double> n;
};

/// Not a number when the body would turn by half a revolution or more, |h w| >= 2.
inline Turn turn(double h, const Vec3<double>& w) {
  const Vec3<double> n = (0.5 * h) * w;
  return {std::sqrt(1 - dot(n, n)), n};
}

inline Quaternion<double> turned(const Quaternion<double>& r, const Turn& by) {
  // Products of unit quaternions are unit ones up to rounding, which would grow as a random walk without the correction.
  const Quaternion<double> a = r * Quaternion<double>{by.e, by.n.x, by.n.y, by.n.z};
  const double k = 1.5 - 0.5 * norm_squared(a);
  return {k * a.w, k * a.x, k * a.y, k * a.z};
}

/// Half of the way.
inline Quaternion<double> half_turned(const Quaternion<double>& r, const Turn& by) {
  return normalized(r * Quaternion<double>{1 + by.e, by.n.x, by.n.y, by.n.z});
}

/// The angular momentum with which a step begins, in body axes there: what (33) has in w2, times h/2. With the body's motion
/// over the step this is the discrete Legendre transform; in Ground's axes it is the same at both ends.
inline Vec3<double> momentum_at_start(const Mat3<double>& J, const Vec3<double>& w, const Turn& by) {
  const Vec3<double> A = J * w;
  return by.e * A + cross(by.n, A);
}

/// A vector in body axes at the start, in those at the end: the transpose of the turn's rotation.
inline Vec3<double> in_axes_at_end(const Turn& by, const Vec3<double>& a) {
  const Vec3<double> c = cross(by.n, a);
  return a - (2 * by.e) * c + 2.0 * cross(by.n, c);
}

/// dw by a small rotation of the body at the end, in its axes there, over h.
inline Mat3<double> rate_of_rotation(const Turn& by) {
  Mat3<double> T = skew(by.n);
  for (int i = 0; i < 3; ++i) T(i, i) += by.e;
  return T;
}

/// The derivative of momentum_at_start by w.
inline Mat3<double> momentum_by_rate(const Mat3<double>& J, const Vec3<double>& w, const Turn& by, double h) {
  const Vec3<double> A = J * w;
  return by.e * J - (0.5 * h / by.e) * outer(A, by.n) + skew(by.n) * J - (0.5 * h) * skew(A);
}

}  // namespace polhode::variational
