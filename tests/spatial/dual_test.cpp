#include "polhode/spatial/dual.h"

#include <gtest/gtest.h>

#include "polhode/spatial/rotation.h"

namespace polhode {
namespace {

using D = Dual<double>;
using DD = Dual<Dual<double>>;

const D t{0.7, 1};  // the variable itself
DD twice(double x) { return {D(x, 1), D(1, 0)}; }

TEST(Dual, FollowsTheRulesOfDerivatives) {
  const double x = t.value;
  EXPECT_NEAR((t * t * t).slope, 3 * x * x, 1e-15);
  EXPECT_NEAR((D(1) / t).slope, -1 / (x * x), 1e-15);
  EXPECT_NEAR(((t + D(2)) / (t - D(3))).slope, -5 / ((x - 3) * (x - 3)), 1e-15);
  EXPECT_NEAR(sin_cos(D(2) * t).s.slope, 2 * std::cos(2 * x), 1e-15);
  EXPECT_NEAR(sin_cos(D(2) * t).c.slope, -2 * std::sin(2 * x), 1e-15);
  EXPECT_NEAR(square_root(t).slope, 0.5 / std::sqrt(x), 1e-15);
  EXPECT_EQ((-t).slope, -1);
  EXPECT_EQ(D(4).slope, 0);
}

TEST(Dual, CompoundAssignmentIsTheOperatorItNames) {
  D a = t;
  a += t;
  EXPECT_EQ(a.slope, 2);
  a *= t;
  EXPECT_NEAR(a.slope, 4 * t.value, 1e-15);
  a -= t;
  EXPECT_NEAR(a.slope, 4 * t.value - 1, 1e-15);
}

TEST(Dual, ValuesAreThoseOfDoubles) {
  EXPECT_EQ((t / (t + D(1))).value, 0.7 / 1.7);
  EXPECT_EQ(square_root(t).value, std::sqrt(0.7));
}

TEST(Dual, OfDualGivesSecondDerivatives) {
  const double x = 0.7;
  EXPECT_NEAR((twice(x) * twice(x) * twice(x)).slope.slope, 6 * x, 1e-15);
  EXPECT_NEAR(sin_cos(twice(x)).s.slope.slope, -std::sin(x), 1e-15);
  EXPECT_NEAR((DD(1) / twice(x)).slope.slope, 2 / (x * x * x), 1e-14);
  EXPECT_NEAR(square_root(twice(x)).slope.slope, -0.25 / (x * std::sqrt(x)), 1e-15);
}

// d/dt rotation_z(t) = skew(z) R: the derivative of a rotation at unit rate.
TEST(Dual, DifferentiatesRotations) {
  const Mat3<D> R = rotation_z(t);
  for (int j = 0; j < 3; ++j) {
    const Vec3<double> column{R.col[j].x.value, R.col[j].y.value, R.col[j].z.value};
    const Vec3<double> rate{R.col[j].x.slope, R.col[j].y.slope, R.col[j].z.slope};
    EXPECT_LT(norm(rate - cross(Vec3<double>{0, 0, 1}, column)), 1e-16);
  }
}

}  // namespace
}  // namespace polhode
