#include "polhode/spatial/rotation_vector.h"

#include <gtest/gtest.h>

#include "polhode/spatial/along.h"
#include "polhode/spatial/exponential.h"
#include "polhode/spatial/rotation.h"
#include "tests/support/random.h"

namespace polhode {
namespace {

using testing_support::Random;

TEST(RotationVector, OfAnyTurnIsTheLogarithm) {
  Random random(1);
  for (const double size : {0.0, 1e-9, 1e-4, 0.1, 0.5, 1.5, 2.5, 3.1}) {
    const Vec3<double> theta = size * normalized(random.vec3(1));
    const HalfTurn<double> turn = half_turn(rotation(exp_rotation(theta)));
    const Vec3<double> found = (2 * angle_over_sine_of(dot(turn.v, turn.v))) * turn.v;
    // asin loses half of the digits where the half turn nears a right angle: eps / cos(phi/2), 2e-14 at 3.1 rad.
    EXPECT_LT(norm(found - theta), 1e-13) << size;
    EXPECT_NEAR(turn.w, std::cos(size / 2), 1e-15);
  }
}

// g(z) = asin(s)/s and (g - 1)/z, on both sides of where the series takes over; central differences, h = 1e-5: truncation
// h^2 g'''/6 < 1e-10 up to z = 0.9 (g''' < 3000 there: 5e-8), rounding 1e-11.
TEST(RotationVector, RatiosHaveTheirOwnSlopes) {
  constexpr double h = 1e-5;
  for (const double z : {1e-4, 0.01, 0.0399, 0.0401, 0.2, 0.6, 0.9}) {
    const double tolerance = z > 0.5 ? 1e-7 : 1e-9;
    EXPECT_NEAR(angle_over_sine(z).slope, (angle_over_sine_of(z + h) - angle_over_sine_of(z - h)) / (2 * h), tolerance) << z;
    EXPECT_NEAR(angle_over_sine_excess(z).slope,
                (angle_over_sine_excess_of(z + h) - angle_over_sine_excess_of(z - h)) / (2 * h), tolerance)
        << z;
    const double s = std::sqrt(z);
    EXPECT_NEAR(angle_over_sine(z).value, std::asin(s) / s, 1e-15);
    EXPECT_NEAR(angle_over_sine_excess(z).value, (std::asin(s) / s - 1) / z, 1e-14 / z);
  }
}

// d(theta)/dt = dexp^-1(theta) w, which the exponential map of this room has in closed form.
TEST(RotationVector, ChangesAsTheExponentialMapSays) {
  Random random(2);
  for (const double size : {1e-6, 0.3, 1.2, 2.4, 3.0}) {
    const Vec3<double> theta = size * normalized(random.vec3(1)), w = random.vec3(1);
    const Transform<double> X{rotation(exp_rotation(theta)), {}};
    const HalfTurn<Dual<double>> turn = half_turn(along(X, Motion<double>{w, {}}).R);
    const Vec3<Dual<double>> found = (Dual<double>(2) * angle_over_sine_of(dot(turn.v, turn.v))) * turn.v;
    const Vec3<double> rate{found.x.slope, found.y.slope, found.z.slope};
    EXPECT_LT(norm(rate - dexp_inverse(theta, w)), 1e-12) << size;
  }
}

}  // namespace
}  // namespace polhode
