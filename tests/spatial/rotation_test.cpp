#include "polhode/spatial/rotation.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "polhode/spatial/exponential.h"

namespace polhode {
namespace {

double distance(const Mat3<double>& A, const Mat3<double>& B) {
  double sum = 0;
  for (int j = 0; j < 3; ++j) sum += norm(A.col[j] - B.col[j]);
  return sum;
}

class Rotation : public testing::Test {
 protected:
  double number(double range) { return std::uniform_real_distribution<double>(-range, range)(engine_); }
  Vec3<double> vec3(double range) { return {number(range), number(range), number(range)}; }
  Vec3<double> direction() { return normalized(vec3(1)); }
  Mat3<double> any() { return rotation(Quaternion<double>{number(1), number(1), number(1), number(1)}); }

 private:
  std::mt19937 engine_{1};
};

// A handful of products of unit-sized numbers: some 1e-15.
constexpr double rounding = 1e-14;

TEST_F(Rotation, OfEveryDescriptionIsAProperRotation) {
  for (int i = 0; i < 50; ++i)
    for (const auto& R : {any(), rotation_about(direction(), number(5)), rotation_body_xyz(vec3(4)), rotation_rpy(vec3(4)),
                          rotation_with_z(direction()), rotation_with_xy(direction(), direction())}) {
      EXPECT_LT(orthogonality_error(R), rounding);
      EXPECT_NEAR(determinant(R), 1, rounding);
    }
}

TEST_F(Rotation, AboutZTakesXToY) {
  // The sense of rotation is a convention that no law of composition could tell from its mirror image.
  EXPECT_LT(norm(rotation_z(pi / 2) * Vec3<double>{1, 0, 0} - Vec3<double>{0, 1, 0}), rounding);
  EXPECT_LT(norm(rotation_x(pi / 2) * Vec3<double>{0, 1, 0} - Vec3<double>{0, 0, 1}), rounding);
  EXPECT_LT(norm(rotation_y(pi / 2) * Vec3<double>{0, 0, 1} - Vec3<double>{1, 0, 0}), rounding);
}

TEST_F(Rotation, AxisAngleQuaternionAndExponentialAgree) {
  for (int i = 0; i < 50; ++i) {
    const Vec3<double> axis = direction();
    const double angle = number(3);
    const Mat3<double> R = rotation_about(axis, angle);
    const double s = std::sin(angle / 2);
    EXPECT_LT(distance(rotation(Quaternion<double>{std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z}), R), rounding);
    EXPECT_LT(distance(rotation(exp_rotation(angle * axis)), R), rounding);
    EXPECT_LT(distance(rotation(quaternion(R)), R), rounding);
  }
}

TEST_F(Rotation, AboutCoordinateAxesAgreesWithAnyAxis) {
  const double angle = 0.7;
  EXPECT_LT(distance(rotation_x(angle), rotation_about(Vec3<double>{1, 0, 0}, angle)), rounding);
  EXPECT_LT(distance(rotation_y(angle), rotation_about(Vec3<double>{0, 1, 0}, angle)), rounding);
  EXPECT_LT(distance(rotation_z(angle), rotation_about(Vec3<double>{0, 0, 1}, angle)), rounding);
}

// Turns about fixed axes are the turns about moving axes in the opposite order.
TEST_F(Rotation, AnglesAboutMovingAndFixedAxesAgree) {
  const Vec3<double> a = vec3(3);
  EXPECT_LT(distance(rotation_body_xyz(a), rotation_from_angles("xyz", {a.x, a.y, a.z})), rounding);
  EXPECT_LT(distance(rotation_rpy(a), rotation_from_angles("zyx", {a.z, a.y, a.x})), rounding);
}

TEST_F(Rotation, AnglesNeedOneAxisEach) {
  EXPECT_THROW(rotation_from_angles("xq", {1, 2}), std::invalid_argument);
  EXPECT_THROW(rotation_from_angles("x", {1, 2}), std::invalid_argument);
  EXPECT_THROW(rotation_from_angles("xyz", {1, 2}), std::invalid_argument);
}

TEST_F(Rotation, BodyAnglesComeBack) {
  for (int i = 0; i < 50; ++i) {
    const Vec3<double> angles{number(3), number(1.5), number(3)};
    EXPECT_LT(norm(body_xyz_angles(rotation_body_xyz(angles)) - angles), 1e-13);  // divided by cos(1.5) = 0.07
  }
}

// At 90 degrees x and z cannot be told apart, but together they must still give the rotation, as near as doubles go.
TEST_F(Rotation, BodyAnglesGiveTheirRotationUpToGimbalLock) {
  for (const double from_lock : {1e-1, 1e-4, 1e-7, 1e-8, 1e-9, 1e-12, 0.0})
    for (const double sign : {1.0, -1.0})
      for (int i = 0; i < 10; ++i) {
        const Mat3<double> R = rotation_body_xyz(Vec3<double>{number(3), sign * (pi / 2 - from_lock), number(3)});
        EXPECT_LT(distance(rotation_body_xyz(body_xyz_angles(R)), R), 1e-13) << from_lock;
      }
}

TEST_F(Rotation, QuaternionProductIsTheProductOfRotations) {
  const Quaternion<double> a{number(1), number(1), number(1), number(1)}, b{number(1), number(1), number(1), number(1)};
  EXPECT_LT(distance(rotation(a * b), rotation(a) * rotation(b)), rounding);
  EXPECT_LT(distance(rotation(conjugate(a)), transpose(rotation(a))), rounding);
}

// The conversion takes another branch for each largest diagonal entry; half turns are where they meet.
TEST_F(Rotation, QuaternionOfAHalfTurnIsItsAxis) {
  for (const Vec3<double>& axis :
       {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}, direction(), direction()}) {
    const Quaternion<double> a = quaternion(rotation_about(axis, pi));
    EXPECT_NEAR(std::abs(dot(a.vector(), axis)), 1, rounding);
    EXPECT_GE(a.w, 0);
  }
}

// Any frame that is given may be off by rounding; the nearest rotation to R S, S symmetric positive, is R.
TEST_F(Rotation, NearestRotationIsThePolarFactor) {
  const Mat3<double> R = any();
  const SymMat3<double> S{1.3, 0.8, 1.1, 0.1, -0.2, 0.15};
  EXPECT_LT(distance(nearest_rotation(R * S.full()), R), 1e-13);
}

TEST_F(Rotation, FrameWithGivenAxesHasThem) {
  const Vec3<double> z = direction(), hint = direction();
  EXPECT_EQ(rotation_with_z(z).col[2], z);
  const Mat3<double> R = rotation_with_xy(z, hint);
  EXPECT_EQ(R.col[0], z);
  EXPECT_GT(dot(R.col[1], hint), 0);
  EXPECT_NEAR(dot(R.col[2], hint), 0, rounding);
}

TEST(UnitVector, IsTheSameForVectorsOfAnySize) {
  const Vec3<double> expected = normalized({3, -4, 12});
  EXPECT_NEAR(norm(expected), 1, 4e-16);
  for (const double size : {1e-300, 1e-20, 1e200, 1e307})
    EXPECT_LT(norm(normalized({3 * size, -4 * size, 12 * size}) - expected), 1e-15) << size;
  EXPECT_FALSE(has_direction({0, 0, 0}));
  EXPECT_FALSE(has_direction({0, HUGE_VAL, 0}));
  EXPECT_FALSE(has_direction({std::nan(""), 1, 0}));
  EXPECT_TRUE(has_direction({0, 0, -1e-308}));
}

}  // namespace
}  // namespace polhode
