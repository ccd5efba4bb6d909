#pragma once
#include "polhode/spatial/inline.h"
#include "polhode/spatial/quaternion.h"

/// The discrete mechanics of one rigid body that turns.
///
/// Over a step of h the body's quaternion is multiplied by the unit quaternion of the turn, which the step's angular velocity w
/// (in body axes) makes in one of two ways, with xi = h w:
///   chord        [sqrt(1 - |xi|^2/4); xi/2], as Bruedigam & Manchester have it (section 3.2, (32)): w is a difference of
///   quaternions; exponential  [cos(|xi|/2); sin(|xi|/2) xi/|xi|]: w is constant over the step, so steady spin is exact at any
///   rate.
/// Both have the action h w.J w/2. With T = a + [xi]x/2 + c [xi]x [xi]x, where a = sqrt(1 - |xi|^2/4), c = 0 for the chord and
/// a = 1, c = (1 - (|xi|/2) cot(|xi|/2))/|xi|^2 for the exponential, both also have
///   the angular momentum with which a step begins, in body axes there:            T J w     (Bruedigam & Manchester (33),
///   times h/2) that with which it ends, in body axes there: the same vector in Ground's axes the change of w that a small
///   rotation phi of the body at the end, in its axes there, takes:   T phi/h
namespace polhode::variational {

enum class TurnRule { chord, exponential };

/// The turn over one step.
struct Turn {
  double e;  ///< the quaternion [e; n]
  Vec3<double> n;
  Vec3<double> xi;          ///< [rad]
  double a, c;              ///< of T
  double a_slope, c_slope;  ///< da = a_slope xi . dxi, dc likewise
};

/// A body cannot turn by more in one step, so that two bodies that turn against each other turn by less than half a revolution,
/// and the angle between them can be told from their poses. Turns beyond are not numbers.
inline constexpr double largest_turn = 1.5;  // [rad]

inline Turn chord_turn(const Vec3<double>& xi) {
  const double square = dot(xi, xi);
  const double e = square < largest_turn * largest_turn ? std::sqrt(1 - 0.25 * square) : std::nan("");
  return {e, 0.5 * xi, xi, e, 0, -0.25 / e, 0};
}

POLHODE_INLINE Turn exponential_turn(const Vec3<double>& xi) {
  const double x = dot(xi, xi);
  if (x < 0.25) {  // Taylor series in x = |xi|^2, to rounding
    const double y = 0.25 * x;
    const double e =
        1 -
        y * 0.5 *
            (1 - y * (1.0 / 12) * (1 - y * (1.0 / 30) * (1 - y * (1.0 / 56) * (1 - y * (1.0 / 90) * (1 - y * (1.0 / 132))))));
    const double s =
        0.5 * (1 - y * (1.0 / 6) * (1 - y * (1.0 / 20) * (1 - y * (1.0 / 42) * (1 - y * (1.0 / 72) * (1 - y * (1.0 / 110))))));
    // (1 - t cot t)/(4 t^2), t = |xi|/2, by the Bernoulli numbers.
    const double c =
        1.0 / 12 +
        x * (1.0 / 720 + x * (1.0 / 30240 + x * (1.0 / 1209600 + x * (1.0 / 47900160 + x * (691.0 / 1307674368000.0 +
                                                                                            x * (1.0 / 74724249600.0))))));
    const double c_slope =
        1.0 / 360 +
        x * (4.0 / 30240 +
             x * (6.0 / 1209600 + x * (8.0 / 47900160 + x * (10.0 * 691.0 / 1307674368000.0 + x * (12.0 / 74724249600.0)))));
    return {e, s * xi, xi, 1, c, 0, c_slope};
  }
  if (!(x < largest_turn * largest_turn)) return {std::nan(""), xi, xi, std::nan(""), 0, 0, 0};
  const double angle = std::sqrt(x), half = 0.5 * angle, sine = std::sin(half), cosine = std::cos(half);
  const double c = (1 - half * cosine / sine) / x;
  // d(t cot t)/dt = cot t - t/sin^2 t
  const double c_slope = (-0.5 * (cosine / sine - half / (sine * sine)) / angle - 2 * c) / x;
  return {cosine, (sine / angle) * xi, xi, 1, c, 0, c_slope};
}

POLHODE_INLINE Turn turn(TurnRule rule, double h, const Vec3<double>& w) {
  return rule == TurnRule::chord ? chord_turn(h * w) : exponential_turn(h * w);
}

inline Quaternion<double> turned(const Quaternion<double>& r, const Turn& by) {
  // Products of unit quaternions are unit ones up to rounding, which would grow as a random walk without the correction.
  const Quaternion<double> q = r * Quaternion<double>{by.e, by.n.x, by.n.y, by.n.z};
  const double k = 1.5 - 0.5 * norm_squared(q);
  return {k * q.w, k * q.x, k * q.y, k * q.z};
}

/// Half of the way.
inline Quaternion<double> half_turned(const Quaternion<double>& r, const Turn& by) {
  return normalized(r * Quaternion<double>{1 + by.e, by.n.x, by.n.y, by.n.z});
}

/// The first half of a turn, as a turn of its own; only its quaternion.
inline Turn half_of(const Turn& by) {
  const double k = 1 / std::sqrt(2 + 2 * by.e);
  return {k * (1 + by.e), k * by.n, {}, 0, 0, 0, 0};
}

/// T v.
inline Vec3<double> times_T(const Turn& by, const Vec3<double>& v) {
  const Vec3<double> once = cross(by.xi, v);
  return by.a * v + 0.5 * once + by.c * cross(by.xi, once);
}

inline Vec3<double> momentum_at_start(const Mat3<double>& J, const Vec3<double>& w, const Turn& by) {
  return times_T(by, J * w);
}

/// A vector in body axes at the start, in those at the end.
inline Vec3<double> in_axes_at_end(const Turn& by, const Vec3<double>& v) {
  const Vec3<double> once = cross(by.n, v);
  return v - (2 * by.e) * once + 2.0 * cross(by.n, once);
}

/// And back.
inline Vec3<double> in_axes_at_start(const Turn& by, const Vec3<double>& v) {
  const Vec3<double> once = cross(by.n, v);
  return v + (2 * by.e) * once + 2.0 * cross(by.n, once);
}

inline Mat3<double> matrix_T(const Turn& by) {
  const Mat3<double> X = skew(by.xi);
  Mat3<double> T = 0.5 * X + by.c * (X * X);
  for (int i = 0; i < 3; ++i) T(i, i) += by.a;
  return T;
}

/// The derivative of momentum_at_start by w.
inline Mat3<double> momentum_by_rate(const Mat3<double>& J, const Vec3<double>& w, const Turn& by, double h) {
  const Vec3<double> A = J * w, once = cross(by.xi, A), twice = cross(by.xi, once);
  const Mat3<double> by_xi =
      outer(by.a_slope * A + by.c_slope * twice, by.xi) - 0.5 * skew(A) - by.c * (skew(once) + skew(by.xi) * skew(A));
  return matrix_T(by) * J + h * by_xi;
}

}  // namespace polhode::variational
