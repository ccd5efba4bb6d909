#include "polhode/spatial/lanes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/random.h"

namespace polhode {
namespace {

/// Error in units of the last place of the right value.
double ulps(double value, long double right) {
  const double rounded = std::abs(double(right));
  const double ulp = std::nextafter(rounded, std::numeric_limits<double>::infinity()) - rounded;
  return double(std::fabs((long double)value - right) / ulp);
}

template <int W>
double worst_error(const std::vector<double>& angles) {
  double worst = 0;
  for (std::size_t i = 0; i + W <= angles.size(); i += W) {
    const auto r = sin_cos(Lanes<W>::load(&angles[i]));
    for (int lane = 0; lane < W; ++lane) {
      worst = std::max(worst, ulps(r.s[lane], sinl(angles[i + lane])));
      worst = std::max(worst, ulps(r.c[lane], cosl(angles[i + lane])));
    }
  }
  return worst;
}

// Reduction rounds twice, half a unit of the reduced angle r each. Between 0.5 and pi/6 a unit of r is two of sin r, and
// passes on with cos r < 0.88: 1.76. The polynomial adds three quarters.
constexpr double allowed_ulps = 2.5;

std::vector<double> spread(double low, double high) {
  testing_support::Random random(1);
  std::vector<double> angles(80000);
  for (double& a : angles) a = random.uniform(low, high);
  return angles;
}

TEST(LanesSinCos, IsRightToTheLastPlaceOverItsRange) {
  for (const double reach : {1e-8, 0.7, 0.8, 3.2, 100.0, 1e4, 999999.0}) {
    const auto angles = spread(-reach, reach);
    EXPECT_LE(worst_error<2>(angles), allowed_ulps) << reach;
    EXPECT_LE(worst_error<4>(angles), allowed_ulps) << reach;
    EXPECT_LE(worst_error<8>(angles), allowed_ulps) << reach;
  }
}

TEST(LanesSinCos, KeepsItsDigitsNextToMultiplesOfARightAngle) {
  // Where the reduced angle is small, a reduction that was not exact would leave few right digits.
  std::vector<double> angles;
  for (int k = 1; k < 636000; k += 37)
    for (const double x : {double(k * (3.141592653589793238462643L / 2))})
      for (const double y : {x, std::nextafter(x, 0.0), std::nextafter(x, 1e9), -x}) angles.push_back(y);
  while (angles.size() % 8 != 0) angles.push_back(0.5);
  EXPECT_LE(worst_error<4>(angles), allowed_ulps);
  EXPECT_LE(worst_error<8>(angles), allowed_ulps);
}

TEST(LanesSinCos, ChangesOverToTheLibraryWithoutASeam) {
  std::vector<double> angles;
  for (double x = std::nextafter(1e6, 0.0), i = 0; i < 8; ++i, x = std::nextafter(x, 2e6)) angles.push_back(x);
  for (const double x : {1e6, -1e6, 1e7, 1e15, -1e22, 1e300, 1.7976931348623157e308, 0.3}) angles.push_back(x);
  EXPECT_LE(worst_error<2>(angles), allowed_ulps);
  EXPECT_LE(worst_error<4>(angles), allowed_ulps);
  EXPECT_LE(worst_error<8>(angles), allowed_ulps);
}

TEST(LanesSinCos, HasNoValueAtInfinityAndNaN) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {inf, -inf, std::nan("")}) {
    const double angles[4] = {0.3, bad, -2, bad};
    const auto r = sin_cos(Lanes<4>::load(angles));
    EXPECT_TRUE(std::isnan(r.s[1]) && std::isnan(r.c[1]) && std::isnan(r.s[3]) && std::isnan(r.c[3]));
  }
}

TEST(LanesSinCos, OfOneLaneDoesNotDependOnTheOthers) {
  for (const double neighbour : {0.2, 5e7, std::nan("")}) {
    for (const double x : spread(-1000, 1000)) {
      const double alone[4] = {x, x, x, x}, beside[4] = {neighbour, x, neighbour, neighbour};
      const auto a = sin_cos(Lanes<4>::load(alone)), b = sin_cos(Lanes<4>::load(beside));
      ASSERT_EQ(a.s[1], b.s[1]);
      ASSERT_EQ(a.c[1], b.c[1]);
    }
  }
}

TEST(Lanes, ComputeEachLaneAsADoubleWould) {
  const double a[4] = {1.5, -2, 1e300, 0.1}, b[4] = {3, 7, 1e10, -0.3};
  const auto A = Lanes<4>::load(a), B = Lanes<4>::load(b);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ((A + B)[i], a[i] + b[i]);
    EXPECT_EQ((A - B)[i], a[i] - b[i]);
    EXPECT_EQ((A * B)[i], a[i] * b[i]);
    EXPECT_EQ((A / B)[i], a[i] / b[i]);
    EXPECT_EQ((-A)[i], -a[i]);
    EXPECT_EQ(square_root(A * A)[i], std::sqrt(a[i] * a[i]));
    EXPECT_EQ(Lanes<4>(2.5)[i], 2.5);
  }
}

}  // namespace
}  // namespace polhode
