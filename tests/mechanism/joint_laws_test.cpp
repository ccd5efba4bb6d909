// What must be true of every joint type as motion (Simbody theory manual (5.1)-(5.8) and 5.1 for reversed ones).
// A new type is tested by adding it to all_joint_cases().
#include <algorithm>

#include "joint_cases.h"

namespace polhode::test {
namespace {

// Slopes of dual numbers are exact derivatives, so only rounding is left (for custom joints, the difference quotient).
TEST(JointLaws, HingeMatrixIsTheDerivativeOfThePose) {
  for_all_joints([](const JointCase& c, Random& random) {
    const auto q = random.coordinates(c), u = random.numbers(c.nv(), 2);
    const auto X = c.X_FM(moving(q, c.N(q, u)));
    const Motion<double> V = velocity(c.H_FM(q), u);
    for (int j = 0; j < 3; ++j) EXPECT_LT(distance(rate(X.R.col[j]), cross(V.angular, value(X.R.col[j]))), 10 * c.rounding);
    EXPECT_LT(distance(rate(X.p), V.linear), 10 * c.rounding);
  });
}

TEST(JointLaws, BiasAccelerationIsTheDerivativeOfTheHingeMatrix) {
  for_all_joints([](const JointCase& c, Random& random) {
    const auto q = random.coordinates(c), u = random.numbers(c.nv(), 2);
    const auto H = c.H_FM(moving(q, c.N(q, u)));
    Motion<double> A{};
    for (int k = 0; k < c.nv(); ++k) A += u[k] * Motion<double>{rate(H[k].angular), rate(H[k].linear)};
    EXPECT_LT(distance(c.Hdot_u(q, u), A), 100 * c.rounding);
  });
}

TEST(JointLaws, CoordinateRatesGiveBackTheSpeeds) {
  for_all_joints([](const JointCase& c, Random& random) {
    const auto q = random.coordinates(c), u = random.numbers(c.nv(), 2);
    const auto again = c.N_inverse(q, c.N(q, u));
    for (int k = 0; k < c.nv(); ++k) EXPECT_NEAR(again[k], u[k], 1e-14);
  });
}

// Moving the chart's coordinates at the rate that belongs to u moves q at N(q) u, at the chart's centre and off it.
// Central difference with h = 1e-5: truncation h^2 = 1e-10 times third derivatives of order 10, rounding 1e-16/h = 1e-11.
TEST(JointLaws, ChartsMoveAsTheSpeedsSay) {
  constexpr double h = 1e-5;
  for_all_joints([](const JointCase& c, Random& random) {
    const auto q0 = random.coordinates(c), u = random.numbers(c.nv(), 2);
    for (const double radius : {0.0, 1e-3, 1.0}) {
      const auto theta = random.numbers(c.nchart(), radius);
      const auto theta_dot = c.rate_of_chart(q0, theta, u);
      const auto q_after = [&](double t) {
        auto moved = theta;
        for (int i = 0; i < c.nchart(); ++i) moved[i] += t * theta_dot[i];
        return c.retract(q0, moved);
      };
      const auto before = q_after(-h), after = q_after(h), q_dot = c.N(c.retract(q0, theta), u);
      for (int i = 0; i < c.nq(); ++i) EXPECT_NEAR((after[i] - before[i]) / (2 * h), q_dot[i], 1e-8) << "radius " << radius;
    }
  });
}

TEST(JointLaws, QuaternionsStayUnitThroughAThousandSteps) {
  for_all_joints(
      [](const JointCase& c, Random& random) {
        const bool quaternion = std::visit([](const auto& j) { return j.nq > 3 && j.coordinate_suffix(0) == ".qw"; }, c.model);
        if (!quaternion) return;
        auto q = random.coordinates(c);
        for (int step = 0; step < 1000; ++step) q = c.retract(q, random.numbers(c.nchart(), 0.1));
        // Each step normalises, so rounding does not add up.
        EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15);
      },
      3);
}

// A search (types without closed form) stops where the error's slope is 1e-15, far closer than this.
TEST(JointLaws, CoordinatesReadFromAPoseGiveThatPose) {
  for_all_joints([](const JointCase& c, Random& random) {
    const auto q = random.coordinates(c);
    const Transform<double> X = c.X_FM(q);
    EXPECT_LT(distance(c.X_FM(c.read_pose(X)), X), c.closed_form ? 1e-13 : 1e-10);
  });
}

TEST(JointLaws, ScrewKnowsWhichTurnItIsOn) {
  const Screw screw(0.02);
  for (const double angle : {-31.0, -3.0, 0.0, 3.2, 100.0}) {
    double q = 0;
    screw.read_pose(screw.X_FM(&angle), &q);
    EXPECT_NEAR(q, angle, 1e-12);
  }
}

// The drawing gives the frames at coordinates zero, so M must lie on F there. An ellipsoid's M stands on the surface,
// and functions and users put theirs where they like.
TEST(JointLaws, FramesCoincideAtZero) {
  for (const JointCase& c : all_joint_cases()) {
    if (!c.closed_form || std::holds_alternative<Ellipsoid>(c.model)) continue;
    EXPECT_EQ(distance(c.X_FM(c.zero()), Transform<double>{}), 0) << c.name;
  }
  const Ellipsoid ellipsoid{{0.3, 0.5, 0.8}};
  double q[4];
  ellipsoid.zero(q);
  EXPECT_EQ(ellipsoid.X_FM(q).p, (Vec3<double>{0, 0, 0.8}));
}

TEST(JointLaws, ReversedJointHasTheInversePose) {
  for_all_joints([](const JointCase& c, Random& random) {
    JointCase other = c;
    other.reversed = !c.reversed;
    const auto q = random.coordinates(c);
    EXPECT_LT(distance(c.X_FM(q) * other.X_FM(q), Transform<double>{}), 1e-14);
  });
}

// The body is a line along M's z axis: whatever its speeds, it does not spin about itself.
TEST(JointLaws, LinesNeverSpin) {
  Random random(7);
  for (const JointCase& c : {JointCase{.name = "", .model = LineOrientation{}}, JointCase{.name = "", .model = FreeLine{}}}) {
    const auto q = random.coordinates(c), u = random.numbers(c.nv());
    EXPECT_NEAR(dot(velocity(c.H_FM(q), u).angular, c.X_FM(q).R.col[2]), 0, 1e-15);
  }
}

TEST(JointLaws, EllipsoidCarriesTheOriginOnItsSurface) {
  Random random(8);
  const JointCase c{.name = "", .model = Ellipsoid{{0.3, 0.5, 0.8}}};
  for (int i = 0; i < 20; ++i) {
    const Vec3<double> p = c.X_FM(random.coordinates(c)).p;
    EXPECT_NEAR(square(p.x / 0.3) + square(p.y / 0.5) + square(p.z / 0.8), 1, 1e-14);
  }
}

TEST(JointLaws, NamesOfCoordinatesAndSpeedsAreDistinct) {
  for (const JointCase& c : all_joint_cases())
    std::visit(
        [&](const auto& j) {
          std::vector<std::string> names;
          for (int i = 0; i < j.nq; ++i) names.emplace_back(j.coordinate_suffix(i));
          for (int i = 0; i < j.nv; ++i) names.emplace_back(j.speed_suffix(i));
          std::sort(names.begin(), names.end());
          EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << c.name;
          if (j.nq == 1) {
            EXPECT_EQ(j.coordinate_suffix(0), "") << c.name;
            EXPECT_EQ(j.speed_suffix(0), "'") << c.name;
          }
        },
        c.model);
}

}  // namespace
}  // namespace polhode::test
