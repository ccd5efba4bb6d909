// The discrete mechanics of one turning body, from its definition in quaternions (seed 001, section 3.2).
#include "polhode/variational/discrete_body.h"

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

TEST(DiscreteBody, HasTheSameAngularMomentumInGroundAtBothEndsOfAStep) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Spin s = random_spin(seed);
    const Turn by = turn(s.h, s.w);
    const Vec3<double> start = momentum_at_start(s.J, s.w, by), end = in_axes_at_end(by, start);
    const Vec3<double> A = s.J * s.w;
    EXPECT_NEAR(norm(rotation(s.r) * start - rotation(turned(s.r, by)) * end), 0, 1e-14 * norm(A));
    // (33): the momentum of the step before is J w e - n x J w.
    EXPECT_NEAR(norm(end - (by.e * A - cross(by.n, A))), 0, 1e-14 * norm(A));
  }
}

TEST(DiscreteBody, TurnsAsItsQuaternionSays) {
  const Spin s = random_spin(3);
  const Turn by = turn(s.h, s.w);
  // The mean rate of a step over which the body turns by the angle a about w is 2 sin(a/2)/h.
  const Vec3<double> rotation_vector = log_rotation(transpose(rotation(s.r)) * rotation(turned(s.r, by)));
  EXPECT_NEAR(2 * std::sin(0.5 * norm(rotation_vector)) / s.h, norm(s.w), 1e-13);
  const Mat3<double> half = transpose(rotation(s.r)) * rotation(half_turned(s.r, by));
  EXPECT_NEAR(norm(2.0 * log_rotation(half) - rotation_vector), 0, 1e-14);
}

TEST(DiscreteBody, HasTheDerivativesThatDifferencesShow) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Spin s = random_spin(seed);
    const Turn by = turn(s.h, s.w);
    const Mat3<double> momentum = momentum_by_rate(s.J, s.w, by, s.h), rate = rate_of_rotation(by);
    constexpr double d = 1e-5;  // central differences: errors of d^2 and of 1e-16/d
    for (int i = 0; i < 3; ++i) {
      Vec3<double> up = s.w, down = s.w;
      up[i] += d, down[i] -= d;
      const Vec3<double> difference =
          (0.5 / d) * (momentum_at_start(s.J, up, turn(s.h, up)) - momentum_at_start(s.J, down, turn(s.h, down)));
      EXPECT_NEAR(norm(difference - momentum.col[std::size_t(i)]), 0, 1e-9);
      // A small rotation phi of the far end, in its axes there, takes a change of w of rate * phi/h.
      const Vec3<double> turned_by =
          log_rotation(transpose(rotation(turned(s.r, turn(s.h, down)))) * rotation(turned(s.r, turn(s.h, up))));
      Vec3<double> unit{};
      unit[i] = 1;
      EXPECT_NEAR(norm(rate * ((0.5 / d / s.h) * turned_by) - unit), 0, 1e-9);
    }
  }
}

TEST(DiscreteBody, CannotTurnByHalfARevolutionInAStep) {
  EXPECT_TRUE(std::isnan(turn(0.1, {0, 21, 0}).e));
  EXPECT_FALSE(std::isnan(turn(0.1, {0, 19, 0}).e));
}

}  // namespace
}  // namespace polhode::variational
