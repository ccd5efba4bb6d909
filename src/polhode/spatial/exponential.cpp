#include "polhode/spatial/exponential.h"

namespace polhode {
namespace {

// The functions below are smooth but 0/0 at zero. Below the switch the first terms left out are under 1e-17.
constexpr double small_angle = 1e-2;

double sin_over(double x) {  // sin(x)/x
  const double y = x * x;
  return x < small_angle ? 1 - y / 6 * (1 - y / 20 * (1 - y / 42)) : std::sin(x) / x;
}
double one_minus_cos_over(double x) {  // (1 - cos x)/x^2, without cancellation
  return 0.5 * square(sin_over(0.5 * x));
}
double x_minus_sin_over(double x) {  // (x - sin x)/x^3
  const double y = x * x;
  return x < 0.1 ? (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110)))) / 6 : (x - std::sin(x)) / (x * y);
}
double one_minus_cos_slope(double x) {  // d/dx of one_minus_cos_over, over x
  const double y = x * x;
  return x < 0.1 ? -(1 - y / 15 * (1 - y / 37.333333333333333 * (1 - y / 67.5))) / 12
                 : (sin_over(x) - 2 * one_minus_cos_over(x)) / y;
}
double x_minus_sin_slope(double x) {  // d/dx of x_minus_sin_over, over x
  const double y = x * x;
  return x < 0.1 ? -(1 - y / 21 * (1 - y / 48 * (1 - y / 82.5))) / 60 : (one_minus_cos_over(x) - 3 * x_minus_sin_over(x)) / y;
}
double dexp_inverse_coefficient(double x) {  // (1 - (x/2) cot(x/2))/x^2
  const double y = x * x;
  return x < 0.1 ? (1 + y / 60 * (1 + y / 42 * (1 + y / 40))) / 12 : (1 - 0.5 * x / std::tan(0.5 * x)) / y;
}

}  // namespace

Quaternion<double> exp_rotation(const Vec3<double>& theta) {
  const double half = 0.5 * norm(theta);
  const Vec3<double> v = (0.5 * sin_over(half)) * theta;
  return {std::cos(half), v.x, v.y, v.z};
}

Vec3<double> log_rotation(const Quaternion<double>& a) {
  const Quaternion<double> b = a.w < 0 ? Quaternion<double>{-a.w, -a.x, -a.y, -a.z} : a;
  const double length = std::sqrt(norm_squared(b));
  const double half = std::atan2(norm(b.vector()), b.w);
  return (2 / (length * sin_over(half))) * b.vector();
}

Vec3<double> dexp_inverse(const Vec3<double>& theta, const Vec3<double>& omega) {
  const Vec3<double> first = cross(theta, omega);
  return omega - 0.5 * first + dexp_inverse_coefficient(norm(theta)) * cross(theta, first);
}

Vec3<double> dexp(const Vec3<double>& theta, const Vec3<double>& delta) {
  const double angle = norm(theta);
  const Vec3<double> first = cross(theta, delta);
  return delta + one_minus_cos_over(angle) * first + x_minus_sin_over(angle) * cross(theta, first);
}

Mat3<double> dexp_matrix(const Vec3<double>& theta) {
  const double angle = norm(theta);
  const Mat3<double> K = skew(theta);
  return Mat3<double>::identity() + one_minus_cos_over(angle) * K + x_minus_sin_over(angle) * (K * K);
}

Vec3<double> dexp_gradient(const Vec3<double>& theta, const Vec3<double>& a, const Vec3<double>& b) {
  const double angle = norm(theta);
  const Vec3<double> t_b = cross(theta, b), a_t = cross(a, theta);
  const double radial = one_minus_cos_slope(angle) * dot(a, t_b) + x_minus_sin_slope(angle) * dot(a_t, t_b);
  return radial * theta + one_minus_cos_over(angle) * cross(b, a) + x_minus_sin_over(angle) * (cross(t_b, a) + cross(b, a_t));
}

Transform<double> exp_motion(const Motion<double>& screw) {
  const Vec3<double>& theta = screw.angular;
  const double angle = norm(theta);
  const Vec3<double> first = cross(theta, screw.linear);
  return {rotation(exp_rotation(theta)),
          screw.linear + one_minus_cos_over(angle) * first + x_minus_sin_over(angle) * cross(theta, first)};
}

Motion<double> log_motion(const Transform<double>& X) {
  const Vec3<double> theta = log_rotation(X.R);
  const Vec3<double> first = cross(theta, X.p);
  return {theta, X.p - 0.5 * first + dexp_inverse_coefficient(norm(theta)) * cross(theta, first)};
}

}  // namespace polhode
