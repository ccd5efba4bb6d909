// IFToMM A02: N four-bars of equal rods. When they lie flat the mechanism has N + 1 freedoms for an instant.
#include "polhode/mechanism/builder.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

struct OneDegree {
  double angle, rate;
};
/// All arms stay parallel: J a'' = g P sin a with J = (N+1)/3 + N and P = (N+1)/2 + N, the angle from upright. Runge's and
/// Kutta's rule with steps of 0.2 ms: an error of 1e-13 in 10 s.
OneDegree exact(int N, double time) {
  const long double k = 9.81L * ((N + 1) / 2.0L + N) / ((N + 1) / 3.0L + N);
  const long steps = std::lround(time / 2e-4);
  const long double h = time / steps;
  long double a = 0, w = 1;
  for (long i = 0; i < steps; ++i) {
    const auto slope = [&](long double x) { return k * std::sin(x); };
    const long double a1 = w, w1 = slope(a), a2 = w + h / 2 * w1, w2 = slope(a + h / 2 * a1);
    const long double a3 = w + h / 2 * w2, w3 = slope(a + h / 2 * a2), a4 = w + h * w3, w4 = slope(a + h * a3);
    a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
  }
  return {double(a), double(w)};
}

/// As `polhode generate four-bars` makes it: 2 N + 1 rods of 1 m and 1 kg, loops closed by spatial pins or by two equations.
Mechanism four_bars(int N, bool pins) {
  MechanismBuilder builder;
  const Vec3<double> up{0, 0, 1}, along{1, 0, 0};
  const auto pin = [&](const std::string& name, const std::string& parent, const std::string& child, const Vec3<double>& at) {
    builder.add_joint(
        {.name = name, .parent = parent, .child = child, .placement = DrawnPlacement{.at = at, .axis = Vec3<double>{0, 1, 0}}});
  };
  for (int i = 0; i <= N; ++i) {
    const std::string n = std::to_string(i), arm = "arm" + n, bar = "bar" + n, last = "arm" + std::to_string(i - 1);
    builder.add_body({.name = arm, .mass = MassProperties::rod(1, up), .drawn_pose = at(i, 0, 0)});
    builder.add_frame({.name = "B" + n, .body = arm, .X_BF = at(0, 0, 1)});
    pin("foot" + n, ground_name, arm, {double(i), 0, 0});
    builder.set_initial({.coordinate = "foot" + n, .speed = 1});
    if (i == 0) continue;
    builder.add_body({.name = bar, .mass = MassProperties::rod(1, along), .drawn_pose = at(i - 1, 0, 1)});
    pin("left" + n, last, bar, {i - 1.0, 0, 1});
    builder.set_initial({.coordinate = "left" + n, .speed = -1});
    if (pins) {
      pin("right" + n, bar, arm, {double(i), 0, 1});
    } else {
      builder.add_frame({.name = "end" + n, .body = bar, .X_BF = at(1, 0, 0)});
      builder.add_constraint({"x" + n, PointConstraintSpec{"end" + n, "B" + n, {1, 0, 0}}});
      builder.add_constraint({"z" + n, PointConstraintSpec{"end" + n, "B" + n, {0, 0, 1}}});
    }
  }
  return builder.build();
}

double distance(const State& end, const OneDegree& to) {
  return norm(place(end, "B0") - Vec3<double>{std::sin(to.angle), 0, std::cos(to.angle)});
}

// Seven published digits, extrapolated from runs with two steps.
TEST(ValidationFourBars, PublishedPlaceIsThatOfItsOneFreedom) {
  const OneDegree end = exact(2, 10);
  EXPECT_NEAR(std::sin(end.angle), 0.3284581, 2e-7);
  EXPECT_NEAR(std::cos(end.angle), 0.9445185, 2e-7);
  EXPECT_NEAR(std::cos(end.angle) * end.rate, 1.4230514, 2e-6);
  EXPECT_NEAR(-std::sin(end.angle) * end.rate, -0.4948688, 2e-6);
}

// Flat positions are passed ten times in 10 s, upright ones, slowly, five times: these make local errors grow, to about fifty
// accuracies. Below 1e-9 error control would follow rounding into the other branches that meet where the bars lie flat, as
// docs/methods/ tree-projected.md says.
TEST(ValidationFourBars, TwoComeToThePublishedPlace) {
  const State start = start_of(load("four_bars"));
  for (const double accuracy : {1e-5, 1e-6, 1e-7, 1e-8})
    EXPECT_LT(distance(run(start, projected(10, accuracy, "rk5")).end, exact(2, 10)), 100 * accuracy) << accuracy;
  const Outcome end = run(start, projected(10, 3e-9, "rk5"));
  EXPECT_LT(distance(end.end, exact(2, 10)), 2e-7);
  EXPECT_NEAR(velocity(end.end, "B0").x, 1.4230514, 2e-6);
  EXPECT_NEAR(velocity(end.end, "B0").z, -0.4948688, 2e-6);
}

TEST(ValidationFourBars, FortyPassTheirSingularPositionsAndStayParallel) {
  const double time = sanitized ? 1 : 10;
  for (const bool pins : {false, true}) {
    SCOPED_TRACE(pins ? "pins" : "points");
    const Outcome end = run(start_of(four_bars(40, pins)), projected(time, 1e-7, "rk5"));
    EXPECT_LT(distance(end.end, exact(40, time)), 1e-3);  // local errors of 1e-7, growing as above
    for (int i = 1; i <= 40; ++i)
      EXPECT_NEAR(coordinate(end.end, "foot" + std::to_string(i)), coordinate(end.end, "foot0"), 1e-4) << i;
    EXPECT_LT(end.summary.energy_span(), 1e-3 * 600) << "of about 600 J";  // 61.5 kg m times 9.81 from upright to flat
    if (sanitized) break;
  }
}

}  // namespace
}  // namespace polhode::study
