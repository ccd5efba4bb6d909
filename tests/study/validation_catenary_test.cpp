// The chain at rest between two hooks: Leibniz's and Huygens' curve, and the exact law of its rods.
#include "polhode/study/equilibrium.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

constexpr int rods = 20;
constexpr double span = 1.2, length = 2, weight = 0.1 * standard_gravity;

/// dz/dx of rod i, from its ends.
double slope(const State& s, int i) {
  const auto joint = [&](int k) { return k > rods ? place(s, "hook") : s.pose(s.mechanism().body("a" + std::to_string(k))).p; };
  const Vec3<double> along = joint(i + 1) - joint(i);
  return along.z / along.x;
}

// Each rod is pulled at both ends with the same horizontal force H; the vertical ones differ by its weight, so that from rod to
// rod the slope grows by m g/H. Forces are balanced to 1e-9 of the largest, and slopes of at most 3 shift by as much times H/(m
// g) < 10.
TEST(ValidationCatenary, SlopesOfTheRodsGrowByEqualSteps) {
  State s = start_of(load("catenary"));
  const Equilibrium found = find_equilibrium(s);
  ASSERT_TRUE(found.found) << found.failure;
  EXPECT_EQ(found.stability, Stability::stable);
  tree::realize(s, Stage::position);
  ASSERT_EQ(found.multipliers.size(), 2u);
  const double H = std::abs(found.multipliers[0]);
  for (int i = 1; i < rods; ++i) EXPECT_NEAR(slope(s, i + 1) - slope(s, i), weight / H, 1e-6) << i;
  EXPECT_NEAR(std::abs(found.multipliers[1]), rods * weight / 2, 1e-6);  // either hook bears half of it
}

// A chain of length L between hooks at a distance d hangs as z = c cosh(x/c) with 2 c sinh(d/(2 c)) = L. Straight rods instead
// of arcs change the sag by a relative (rod/c)^2/24 = 0.3 % at most.
TEST(ValidationCatenary, HangsAsDeepAsTheCatenary) {
  double low = 0.1, high = 10;  // c
  for (int i = 0; i < 60; ++i) (2 * (low + high) / 2 * std::sinh(span / (low + high)) > length ? low : high) = (low + high) / 2;
  State s = start_of(load("catenary"));
  ASSERT_TRUE(find_equilibrium(s).found);
  tree::realize(s, Stage::position);
  const double sag = low * (std::cosh(span / (2 * low)) - 1);
  EXPECT_NEAR(-s.pose(s.mechanism().body("a11")).p.z / sag, 1, 0.003);
}

}  // namespace
}  // namespace polhode::study
