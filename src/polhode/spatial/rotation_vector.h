#pragma once
#include "polhode/spatial/dual.h"
#include "polhode/spatial/mat3.h"

/// The rotation vector of a rotation matrix on numbers with derivatives, and what its rate is made of.
namespace polhode {

/// asin(sqrt(z)) / sqrt(z) and its derivative, for 0 <= z < 1: with z = sin^2(a), a / sin(a).
struct AngleOverSine {
  double value, slope;
};
AngleOverSine angle_over_sine(double z);
/// (that - 1) / z, and its derivative.
AngleOverSine angle_over_sine_excess(double z);

inline double angle_over_sine_of(double z) { return angle_over_sine(z).value; }
inline double angle_over_sine_excess_of(double z) { return angle_over_sine_excess(z).value; }
inline Dual<double> angle_over_sine_of(const Dual<double>& z) {
  const AngleOverSine g = angle_over_sine(z.value);
  return {g.value, g.slope * z.slope};
}
inline Dual<double> angle_over_sine_excess_of(const Dual<double>& z) {
  const AngleOverSine g = angle_over_sine_excess(z.value);
  return {g.value, g.slope * z.slope};
}

/// The unit quaternion of R with w >= 0, from R's largest diagonal combination so that nothing cancels.
template <class T>
struct HalfTurn {
  T w;        ///< cos(phi/2)
  Vec3<T> v;  ///< n sin(phi/2)
};
template <class T>
HalfTurn<T> half_turn(const Mat3<T>& R) {
  const T xx = R(0, 0), yy = R(1, 1), zz = R(2, 2);
  const double x = value_of(xx), y = value_of(yy), z = value_of(zz);
  HalfTurn<T> a;
  if (x + y + z >= 0) {
    a = {T(1) + xx + yy + zz, {R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)}};
  } else if (x >= y && x >= z) {
    a = {R(2, 1) - R(1, 2), {T(1) + xx - yy - zz, R(1, 0) + R(0, 1), R(0, 2) + R(2, 0)}};
  } else if (y >= z) {
    a = {R(0, 2) - R(2, 0), {R(1, 0) + R(0, 1), T(1) + yy - xx - zz, R(2, 1) + R(1, 2)}};
  } else {
    a = {R(1, 0) - R(0, 1), {R(0, 2) + R(2, 0), R(2, 1) + R(1, 2), T(1) + zz - xx - yy}};
  }
  T k = T(1) / square_root(a.w * a.w + dot(a.v, a.v));
  if (value_of(a.w) < 0) k = -k;
  return {k * a.w, k * a.v};
}

}  // namespace polhode
