// Nonholonomic constraints with closed forms: the rolling disk's steady circles and Chaplygin's sleigh.
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

/// A disk of 2 kg and radius 0.2 m leaning inwards on the circle of radius R that its contact draws.
struct Circle {
  double lean, R;
  static constexpr double m = 2, r = 0.2, A = 0.02, C = 0.04;

  /// Moments about the centre: with the axle n, the contact force m (a + g k) at -r d and the spin -P R/r about n,
  ///   P^2 (m r (R - r sin a) + C (R/r - sin a) + A sin a) = m g r tan a.
  double rate() const {
    const double s = std::sin(lean);
    return std::sqrt(m * standard_gravity * r * std::tan(lean) / (m * r * (R - r * s) + C * (R / r - s) + A * s));
  }
  Vec3<double> centre(double t) const {
    const double radius = R - r * std::sin(lean), angle = rate() * t;
    return {radius * std::cos(angle), radius * std::sin(angle), r * std::cos(lean)};
  }
  State start() const {
    State state(load("rolling_disk"));
    const double turn = (pi / 2 - lean) / 2, P = rate(), spin = -P * R / r;  // about y, so that z of the disk is the axle
    const double q[] = {std::cos(turn), 0, std::sin(turn), 0, centre(0).x, 0, centre(0).z};
    const double u[] = {spin * std::cos(lean), 0, P + spin * std::sin(lean), 0, P * centre(0).x, 0};
    state.set_q(q), state.set_u(u);
    return state;
  }
};

TEST(ValidationRollingDisk, ModelIsOneOfTheSteadyCircles) {
  State model = start_of(load("rolling_disk"));
  const State circle = Circle{pi / 9, 0.6}.start();
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(model.q()[i], circle.q()[i], 1e-12) << i;
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(model.u()[i], circle.u()[i], 1e-12) << i;
}

// Two rounds each. The circles are stable (the disk rolls faster than upright rolling needs), so errors only add up.
TEST(ValidationRollingDisk, RollsInSteadyCircles) {
  for (const Circle& circle : {Circle{pi / 9, 0.6}, Circle{pi / 18, 1.5}, Circle{pi / 4, 0.5}}) {
    SimulateOptions options = projected((sanitized ? 1 : 4) * pi / circle.rate(), 1e-11);
    options.interval = 0.1;
    const Outcome r = run(circle.start(), options, [&](const State& s) {
      EXPECT_LT(norm(place(s, "disk") - circle.centre(s.time())), 1e-7) << "lean " << circle.lean << ", t " << s.time();
    });
    EXPECT_LT(r.summary.constraint_error, 1e-10);
  }
}

// At rest on the circle the disk presses with its weight, and the ground pushes it inwards by m P^2 (R - r sin a).
TEST(ValidationRollingDisk, ContactForcesHoldItOnTheCircle) {
  const Circle circle{pi / 9, 0.6};
  State s = circle.start();
  tree::realize(s, Stage::acceleration);
  ASSERT_EQ(s.multipliers().size(), 3u);
  const double inwards = 2 * circle.rate() * circle.rate() * circle.centre(0).x;
  EXPECT_NEAR(std::abs(s.multipliers()[0]), 2 * standard_gravity, 1e-11);
  EXPECT_NEAR(s.multipliers()[1], 0, 1e-11);  // along the heading
  EXPECT_NEAR(std::abs(s.multipliers()[2]), inwards, 1e-11);
}

// Not a steady circle: no force slips, so no energy is lost.
TEST(ValidationRollingDisk, KeepsItsEnergyWhenItWobbles) {
  State start = Circle{pi / 9, 0.6}.start();
  start.set_u(1, 0.5);
  ASSERT_TRUE(tree::assemble(start).assembled);
  SimulateOptions options = projected(sanitized ? 0.5 : 5, 1e-10);
  options.interval = 0.05;
  const Outcome r = run(start, options, [](const State&) {});
  EXPECT_LT(r.summary.energy_span(), 1e-7 * r.summary.energy_start);
}

// v = V tanh s, w = V sqrt(m/I) / cosh s, s = s0 + a m V t/I; the heading is sqrt(I/m)/a times the angle whose tangent is sinh
// s.
TEST(ValidationSleigh, FollowsChaplyginsClosedForm) {
  const double a = 0.2, I = 0.05 + a * a, v0 = -1, w0 = 2, V = std::sqrt(v0 * v0 + I * w0 * w0), s0 = std::atanh(v0 / V);
  const auto heading = [&](double s) { return std::sqrt(I) / a * (std::atan(std::sinh(s)) - std::atan(std::sinh(s0))); };
  SimulateOptions options = projected(sanitized ? 0.5 : 3, 1e-12);
  options.interval = 0.05;
  double x = 0, y = 0, t_last = 0;
  run(start_of(load("chaplygin_sleigh")), options, [&](const State& state) {
    const double t = state.time(), s = s0 + a * V * t / I, angle = heading(s);
    // The blade's place by Simpson's rule on the closed form, 200 panels in each interval.
    const int panels = 200;
    const double h = (t - t_last) / panels;
    for (int i = 0; i < panels && h > 0; ++i)
      for (const auto& [where, weight] : {std::pair{0.0, 1.0}, {0.5, 4.0}, {1.0, 1.0}}) {
        const double at = s0 + a * V * (t_last + (i + where) * h) / I, v = V * std::tanh(at);
        x += h / 6 * weight * v * std::cos(heading(at)), y += h / 6 * weight * v * std::sin(heading(at));
      }
    t_last = t;
    EXPECT_NEAR(speed(state, "ice.angle'"), V / std::sqrt(I) / std::cosh(s), 1e-9) << t;
    EXPECT_NEAR(coordinate(state, "ice.angle"), angle, 1e-9) << t;
    EXPECT_NEAR(coordinate(state, "ice.x"), x, 1e-9) << t;
    EXPECT_NEAR(coordinate(state, "ice.y"), y, 1e-9) << t;
    EXPECT_NEAR(-std::sin(angle) * speed(state, "ice.x'") + std::cos(angle) * speed(state, "ice.y'"), 0, 1e-9) << t;
  });
}

}  // namespace
}  // namespace polhode::study
