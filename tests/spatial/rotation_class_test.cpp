#include "polhode/spatial/rotation_class.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <type_traits>

namespace polhode {
namespace {

class GuardedTypes : public testing::Test {
 protected:
  double number() { return std::normal_distribution<double>()(engine_); }
  Vec3<double> vec3() { return {number(), number(), number()}; }
  Rotation rotation() { return Rotation(UnitVec3(vec3()), 3 * number()); }

 private:
  std::mt19937 engine_{5};
};

/// How far R is from a rotation: R^T R = 1 and det R = 1.
double bent(const Mat3<double>& R) { return std::max(orthogonality_error(R), std::abs(determinant(R) - 1)); }
double distance(const Mat3<double>& A, const Mat3<double>& B) {
  double largest = 0;
  for (int i = 0; i < 9; ++i) largest = std::max(largest, std::abs(A(i / 3, i % 3) - B(i / 3, i % 3)));
  return largest;
}

constexpr double rounding = 2e-15;  // some ten roundings of numbers of at most one

TEST_F(GuardedTypes, KeepTheLengthOfADirection) {
  for (int i = 0; i < 100; ++i) {
    const UnitVec3 d(std::pow(10, 60 * number()) * vec3());
    EXPECT_NEAR(norm(d.vector()), 1, rounding);
    EXPECT_NEAR(norm((rotation() * d).vector()), 1, rounding);
    EXPECT_NEAR(norm(d.perpendicular().vector()), 1, rounding);
    EXPECT_NEAR(dot(d.perpendicular().vector(), d.vector()), 0, rounding);
    EXPECT_EQ(-(-d), d);
  }
  EXPECT_EQ(UnitVec3(0, 0, 5), UnitVec3());
}

// Nothing outside can write into them.
TEST_F(GuardedTypes, CannotBeMadeFromNumbersUnchecked) {
  static_assert(!std::is_convertible_v<Vec3<double>, UnitVec3> && !std::is_aggregate_v<UnitVec3>);
  static_assert(!std::is_convertible_v<Mat3<double>, Rotation> && !std::is_constructible_v<Rotation, Mat3<double>>);
  static_assert(std::is_same_v<decltype(std::declval<UnitVec3&>()[0]), double>);
  static_assert(std::is_same_v<decltype(std::declval<Rotation&>().matrix()), const Mat3<double>&>);
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_THROW(UnitVec3(0, 0, 0), std::invalid_argument);
  EXPECT_THROW(UnitVec3(1, nan, 0), std::invalid_argument);
  EXPECT_THROW(UnitVec3(inf, 0, 0), std::invalid_argument);
  EXPECT_THROW(Rotation(UnitVec3(), inf), std::invalid_argument);
  EXPECT_THROW(Rotation(Quaternion<double>{0, 0, 0, 0}), std::invalid_argument);
  EXPECT_THROW(Rotation(Quaternion<double>{1, nan, 0, 0}), std::invalid_argument);
  EXPECT_THROW(Rotation("xyz", {0, nan, 0}), std::invalid_argument);
  EXPECT_THROW(Rotation("xyw", {0, 0, 0}), std::invalid_argument);
  EXPECT_THROW(Rotation::nearest_to(Mat3<double>::diagonal({1, 1, -1})), std::invalid_argument);
  EXPECT_THROW(Rotation::nearest_to(Mat3<double>::diagonal({1, 2, 1})), std::invalid_argument);
  EXPECT_THROW(Rotation::nearest_to(Mat3<double>::diagonal({1, nan, 1})), std::invalid_argument);
}

TEST_F(GuardedTypes, AreRotationsHoweverTheyAreMade) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_LT(bent(rotation()), rounding);
    EXPECT_LT(bent(Rotation("zxz", vec3())), rounding);
    EXPECT_LT(bent(Rotation(Quaternion<double>{number(), number(), number(), number()})), rounding);
    EXPECT_LT(bent(Rotation::with_z(UnitVec3(vec3()))), rounding);
    const Mat3<double> sheared = rotation().matrix() + 1e-4 * outer(vec3(), vec3());
    if (orthogonality_error(sheared) < 1e-2) {
      EXPECT_LT(bent(Rotation::nearest_to(sheared)), rounding);
    }
  }
  EXPECT_LT(bent(Rotation(Quaternion<double>{3e-320, 4e-320, 0, 0})), rounding);
  EXPECT_LT(bent(Rotation(Quaternion<double>{3e300, 4e300, 0, 0})), rounding);
}

// Without being brought back, the error of a product of a hundred thousand grows to some 1e-13.
TEST_F(GuardedTypes, StayRotationsThroughManyProducts) {
  Rotation R;
  const Rotation step(UnitVec3(1, 2, 3), 0.1);
  for (int i = 0; i < 100'000; ++i) R = R * step;
  EXPECT_LT(bent(R), rounding);
  const auto [axis, angle] = R.axis_and_angle();
  const double turns = 100'000 * 0.1 / (2 * std::acos(-1.0)), expected = (turns - std::floor(turns)) * 2 * std::acos(-1.0);
  // Each product turns by one rounding more or less: at most 1e5 of them.
  EXPECT_NEAR(dot(axis.vector(), UnitVec3(1, 2, 3).vector()) > 0 ? angle : 2 * std::acos(-1.0) - angle, expected, 1e-10);
}

TEST_F(GuardedTypes, FollowTheLawsOfTheirGroup) {
  for (int i = 0; i < 50; ++i) {
    const Rotation A = rotation(), B = rotation(), C = rotation();
    EXPECT_LT(distance((A * B) * C, A * (B * C)), rounding);
    EXPECT_LT(distance(A * A.inverse(), Rotation()), rounding);
    EXPECT_LT(distance((A * B).inverse(), B.inverse() * A.inverse()), rounding);
    const Vec3<double> v = vec3(), w = vec3();
    EXPECT_LT(norm((A * B) * v - A * (B * v)), 10 * rounding);
    EXPECT_LT(norm(A * cross(v, w) - cross(A * v, A * w)), 50 * rounding);
    EXPECT_LT(distance(Rotation(A.quaternion()), A), rounding);
    const auto [axis, angle] = A.axis_and_angle();
    EXPECT_GE(angle, 0);
    EXPECT_LT(distance(Rotation(axis, angle), A), rounding);
    EXPECT_LT(norm((A * axis).vector() - axis.vector()), rounding);  // what the turn leaves
    EXPECT_EQ(A.axis(1).vector().z, A.matrix()(2, 1));
  }
  EXPECT_EQ(Rotation().axis_and_angle().second, 0);
}

}  // namespace
}  // namespace polhode
