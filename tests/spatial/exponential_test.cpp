#include "polhode/spatial/exponential.h"

#include <gtest/gtest.h>

#include <random>

namespace polhode {
namespace {

class Exponential : public testing::Test {
 protected:
  double number(double range = 1) { return std::uniform_real_distribution<double>(-range, range)(engine_); }
  Vec3<double> vec3(double range = 1) { return {number(range), number(range), number(range)}; }
  Vec3<double> direction() { return normalized(vec3()); }

 private:
  std::mt19937 engine_{2};
};

// Angles around every switch between series and closed form, at rest, and near the half turn.
constexpr double angles[] = {0,      1e-300, 1e-12, 1e-5, 0.0099, 0.0101,    0.0199,    0.0201,
                             0.0999, 0.1001, 1,     3,    3.1415, pi - 1e-7, pi - 1e-10};

TEST_F(Exponential, LogUndoesExp) {
  for (const double angle : angles)
    for (int i = 0; i < 10; ++i) {
      const Vec3<double> theta = angle * direction();
      EXPECT_LT(norm(log_rotation(exp_rotation(theta)) - theta), 1e-15 * (1 + 4 * angle)) << angle;
      // The matrix keeps angles near pi as sin(angle) ~ pi - angle, and the quaternion recovers them from its largest entry.
      EXPECT_LT(norm(log_rotation(rotation(exp_rotation(theta))) - theta), 1e-14) << angle;
    }
}

TEST_F(Exponential, LogIsTheShortestTurnWhateverTheQuaternionsSignAndLength) {
  const Vec3<double> theta = 2.5 * direction();
  const Quaternion<double> a = exp_rotation(theta);
  const Quaternion<double> b{-3 * a.w, -3 * a.x, -3 * a.y, -3 * a.z};
  EXPECT_LT(norm(log_rotation(b) - theta), 1e-14);
  const Vec3<double> beyond = 4.0 * direction();
  EXPECT_NEAR(norm(log_rotation(exp_rotation(beyond))), 2 * pi - 4, 1e-14);
}

// R(t) = exp(theta + t theta') turns with omega where theta' = dexp^-1(theta, omega): to first order
// exp(theta + h theta') exp(theta)^-1 = exp(h omega). Central difference, h = 1e-5: error h^2 = 1e-10 times a few.
TEST_F(Exponential, DexpInverseIsTheRateOfTheRotationVector) {
  constexpr double h = 1e-5;
  for (const double angle : angles) {
    if (angle > 3.1) continue;  // the same formula; larger angles only lose digits to 1/(2 pi - angle)
    const Vec3<double> theta = angle * direction(), omega = vec3(2), rate = dexp_inverse(theta, omega);
    const auto turned = [&](double t) { return log_rotation(exp_rotation(theta + t * rate) * conjugate(exp_rotation(theta))); };
    EXPECT_LT(norm((0.5 / h) * (turned(h) - turned(-h)) - omega), 1e-8) << angle;
  }
}

TEST_F(Exponential, DexpInverseKeepsTurnsAboutTheSameAxis) {
  for (const double angle : angles) {
    const Vec3<double> axis = direction();
    EXPECT_LT(norm(dexp_inverse(angle * axis, 1.7 * axis) - 1.7 * axis), 1e-14);
  }
}

TEST_F(Exponential, LogOfAScrewMotionGivesTheScrew) {
  for (const double angle : angles) {
    if (angle > 3.14159) continue;  // the axis of a half turn is known only to the square root of the rounding
    const Motion<double> screw{angle * direction(), vec3(2)};
    const Motion<double> again = log_motion(exp_motion(screw));
    EXPECT_LT(norm(again.angular - screw.angular), 1e-13) << angle;
    EXPECT_LT(norm(again.linear - screw.linear), 1e-12) << angle;
  }
}

// A screw motion for two seconds is the screw motion for one, twice.
TEST_F(Exponential, ScrewMotionsAboutOneAxisCompose) {
  const Motion<double> screw{vec3(), vec3()};
  const Transform<double> once = exp_motion(screw), twice = exp_motion(2.0 * screw), product = once * once;
  EXPECT_LT(norm(twice.p - product.p), 1e-14);
  for (int j = 0; j < 3; ++j) EXPECT_LT(norm(twice.R.col[j] - product.R.col[j]), 1e-14);
}

// Analytic: turning about z by angle while starting along x goes round the circle of radius 1/angle.
TEST_F(Exponential, ScrewMotionWithoutPitchGoesRoundACircle) {
  const double angle = 2;
  const Transform<double> X = exp_motion({{0, 0, angle}, {1, 0, 0}});
  EXPECT_NEAR(X.p.x, std::sin(angle) / angle, 1e-15);
  EXPECT_NEAR(X.p.y, (1 - std::cos(angle)) / angle, 1e-15);
}

}  // namespace
}  // namespace polhode
