// The discrete mechanics of one turning body, from its definition in quaternions (Bruedigam & Manchester, section 3.2).
#include "polhode/variational/maximal/discrete_body.h"

#include <gtest/gtest.h>

#include "polhode/spatial/exponential.h"
#include "tests/support/near.h"
#include "tests/support/random.h"

namespace polhode::variational {
namespace {

using testing_support::Random;

struct Spin {
  Quaternion<double> r;
  Mat3<double> J;
  Vec3<double> w;
  double h;
};
Spin random_spin(unsigned seed) {
  Random random(seed);
  Spin s;
  s.r = exp_rotation(random.vec3(1.8));
  const Vec3<double> p = random.vec3(1), q = random.vec3(1);
  s.J = Mat3<double>::diagonal({1.2, 0.7, 0.9}) + outer(p, p) + outer(q, q);
  s.w = random.vec3(3);
  s.h = 0.1;
  return s;
}

constexpr TurnRule rules[] = {TurnRule::chord, TurnRule::exponential};

TEST(DiscreteBody, HasTheSameAngularMomentumInGroundAtBothEndsOfAStep) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (const TurnRule rule : rules) {
      const Spin s = random_spin(seed);
      const Turn by = turn(rule, s.h, s.w);
      const Vec3<double> start = momentum_at_start(s.J, s.w, by), end = in_axes_at_end(by, start);
      const Vec3<double> A = s.J * s.w;
      EXPECT_NEAR(norm(rotation(s.r) * start - rotation(turned(s.r, by)) * end), 0, 1e-14 * norm(A));
      // The step backwards in time starts where this one ends, with the opposite momentum: T of -xi.
      EXPECT_NEAR(norm(end - momentum_at_start(s.J, s.w, turn(rule, -s.h, s.w))), 0, 1e-14 * norm(A));
    }
}

TEST(DiscreteBody, HasTheMomentumOfTheSeedWithTheChord) {
  const Spin s = random_spin(5);
  const Vec3<double> A = s.J * s.w;
  const double root = std::sqrt(4 / (s.h * s.h) - dot(s.w, s.w));
  const Vec3<double> seed = (0.5 * s.h) * (root * A + cross(s.w, A));  // (33) in w2, times h/2
  EXPECT_NEAR(norm(momentum_at_start(s.J, s.w, turn(TurnRule::chord, s.h, s.w)) - seed), 0, 1e-14 * norm(A));
}

TEST(DiscreteBody, TurnsAsItsRuleSays) {
  for (const double h : {0.01, 0.1, 0.4}) {  // series and closed form
    const Spin s = random_spin(3);
    const auto rotation_vector = [&](const Turn& by) {
      return log_rotation(transpose(rotation(s.r)) * rotation(turned(s.r, by)));
    };
    const Turn chord = turn(TurnRule::chord, h, s.w), exponential = turn(TurnRule::exponential, h, s.w);
    EXPECT_NEAR(2 * std::sin(0.5 * norm(rotation_vector(chord))), h * norm(s.w), 1e-13);
    EXPECT_NEAR(norm(rotation_vector(exponential) - h * s.w), 0, 1e-14);
    for (const Turn& by : {chord, exponential}) {
      const Mat3<double> half = transpose(rotation(s.r)) * rotation(half_turned(s.r, by));
      EXPECT_NEAR(norm(2.0 * log_rotation(half) - rotation_vector(by)), 0, 1e-14);
    }
  }
}

TEST(DiscreteBody, HasTheDerivativesThatDifferencesShow) {
  for (unsigned seed = 1; seed <= 10; ++seed)
    for (const TurnRule rule : rules)
      for (const double h : {0.05, 0.3}) {
        const Spin s = random_spin(seed);
        const Turn by = turn(rule, h, s.w);
        const Mat3<double> momentum = momentum_by_rate(s.J, s.w, by, h);
        constexpr double d = 1e-5;  // central differences: errors of d^2 and of 1e-16/d
        for (int i = 0; i < 3; ++i) {
          Vec3<double> up = s.w, down = s.w, unit{};
          up[i] += d, down[i] -= d, unit[i] = 1;
          const Turn more = turn(rule, h, up), less = turn(rule, h, down);
          const Vec3<double> difference = (0.5 / d) * (momentum_at_start(s.J, up, more) - momentum_at_start(s.J, down, less));
          EXPECT_NEAR(norm(difference - momentum.col[std::size_t(i)]), 0, 1e-8);
          const Vec3<double> phi = log_rotation(transpose(rotation(turned(s.r, less))) * rotation(turned(s.r, more)));
          EXPECT_NEAR(norm(times_T(by, (0.5 / d / h) * phi) - unit), 0, 1e-8);
          EXPECT_NEAR(norm(matrix_T(by) * unit - times_T(by, unit)), 0, 1e-15);
        }
      }
}

TEST(DiscreteBody, HasNoJumpWhereSeriesGiveWayToClosedForms) {
  const Turn below = exponential_turn({0.5 * (1 - 1e-15), 0, 0}), above = exponential_turn({0.5 * (1 + 1e-15), 0, 0});
  EXPECT_NEAR(below.e, above.e, 1e-15);
  EXPECT_NEAR(below.n.x, above.n.x, 1e-15);
  EXPECT_NEAR(below.c, above.c, 1e-15);
  EXPECT_NEAR(below.c_slope, above.c_slope, 1e-13);  // differences of numbers of size 1 over x^2 = 1/16
}

TEST(DiscreteBody, CannotTurnTooFarInAStep) {
  for (const TurnRule rule : rules) {
    EXPECT_TRUE(std::isnan(turn(rule, 0.1, {0, 16, 0}).e));
    EXPECT_FALSE(std::isnan(turn(rule, 0.1, {0, 14, 0}).e));
  }
}

}  // namespace
}  // namespace polhode::variational
