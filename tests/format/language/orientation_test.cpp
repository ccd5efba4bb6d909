#include <random>

#include "polhode/spatial/rotation.h"
#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

Mat3<double> orientation(const std::string& form) {
  return sound("(system (body \"b\" (mass 1) (pose 0 0 0 " + form + ")))").bodies()[0].drawn_pose.R;
}
double distance(const Mat3<double>& A, const Mat3<double>& B) {
  double largest = 0;
  for (int i = 0; i < 9; ++i) largest = std::max(largest, std::abs(A(i / 3, i % 3) - B(i / 3, i % 3)));
  return largest;
}
std::string mistake(const std::string& form) { return error_of("(system (body \"b\" (mass 1) (pose 0 0 0 " + form + ")))"); }

/// A turn by a quaternion: shares nothing with the matrices that the reader multiplies.
Quaternion<double> turn(char axis, double angle) {
  const double s = std::sin(angle / 2), c = std::cos(angle / 2);
  return {c, axis == 'x' ? s : 0, axis == 'y' ? s : 0, axis == 'z' ? s : 0};
}

constexpr double rounding = 1e-15;  // a few roundings of numbers of at most one

TEST(Orientation, OfEulerAnglesTurnsAboutMovingOrFixedAxes) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-4, 4);
  int sequences = 0;
  for (const char a : {'x', 'y', 'z'})
    for (const char b : {'x', 'y', 'z'})
      for (const char c : {'x', 'y', 'z'}) {
        const std::string axes{a, b, c};
        const double p = any(random), q = any(random), r = any(random);
        const std::string form =
            "(euler \"" + axes + "\" " + std::to_string(p) + " " + std::to_string(q) + " " + std::to_string(r);
        if (a == b || b == c) {
          EXPECT_TRUE(contains(mistake(form + ")"), "is not a sequence of axes")) << axes;
          continue;
        }
        ++sequences;
        const Quaternion<double> first = turn(a, std::stod(std::to_string(p))), second = turn(b, std::stod(std::to_string(q))),
                                 third = turn(c, std::stod(std::to_string(r)));
        EXPECT_LT(distance(orientation(form + ")"), rotation(first * second * third)), 4 * rounding) << axes;
        EXPECT_LT(distance(orientation(form + " (extrinsic))"), rotation(third * second * first)), 4 * rounding) << axes;
      }
  EXPECT_EQ(sequences, 12);
}

TEST(Orientation, OfRollPitchAndYawIsTheExtrinsicSequenceXyz) {
  EXPECT_EQ(distance(orientation("(rpy 0.1 0.2 0.3)"), orientation("(euler XYZ 0.1 0.2 0.3 (extrinsic))")), 0);
}

TEST(Orientation, OfAnAxisAndAnAngleIsItsQuaternion) {
  EXPECT_LT(distance(orientation("(axis-angle 0 0 7 (deg 90))"), orientation("(quat 1 0 0 1)")), rounding);
  const double s = std::sin(0.4) / 3, c = std::cos(0.4);  // (1, 2, 2) has length 3
  EXPECT_LT(distance(orientation("(axis-angle 1 2 2 0.8)"), rotation(Quaternion<double>{c, s, 2 * s, 2 * s})), 2 * rounding);
  EXPECT_LT(distance(orientation("(axis-angle 1e200 2e200 2e200 0.8)"), orientation("(axis-angle 1e-200 2e-200 2e-200 0.8)")),
            rounding);
}

TEST(Orientation, StandsWhereverOneMay) {
  const Model model = read_model(R"((system
      (body "b" (mass 1) (inertia 1 1 1))
      (frame "f" "b" (pose 0 0 1 (axis-angle 0 0 1 (deg 90))))
      (joint ball "j" ground "b" (parent-frame 0 0 0 (euler "xyz" 0.1 0.2 0.3)) (child-frame (pose 0 0 0 (euler "zxz" 1 2 3))))
      (initial ("j" (axis-angle 0 0 1 (deg 90))))))",
                                 "m.pol");
  EXPECT_NEAR(model.mechanism.initial_q()[0], std::sqrt(0.5), rounding);
  EXPECT_NEAR(model.mechanism.initial_q()[3], std::sqrt(0.5), rounding);
}

TEST(Orientation, ThatMeansNothingIsRefused) {
  EXPECT_TRUE(contains(mistake("(axis-angle 0 0 0 1)"), "has no direction"));
  EXPECT_TRUE(contains(mistake("(axis-angle 0 0 1)"), "angle is missing; write (axis-angle x y z angle)"));
  EXPECT_TRUE(contains(mistake("(axis-angle 0 0 1 (mm 3))"), "angle is a quantity in rad"));
  EXPECT_TRUE(contains(mistake("(euler 1 2 3)"), "must be a text in quotes"));
  EXPECT_TRUE(contains(mistake("(euler \"zx\" 1 2)"), "is not a sequence of axes"));
  EXPECT_TRUE(contains(mistake("(euler \"zxw\" 1 2 3)"), "is not a sequence of axes"));
  EXPECT_TRUE(contains(mistake("(euler \"zxz\" 1 2)"), "third angle is missing"));
  EXPECT_TRUE(contains(mistake("(euler \"zxz\" 1 2 3 extrinsic)"), "not expected here"));
  EXPECT_TRUE(contains(mistake("(euler)"), "sequence of axes is missing"));
}

}  // namespace
}  // namespace polhode::format
