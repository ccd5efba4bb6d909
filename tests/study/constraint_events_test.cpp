#include <gtest/gtest.h>

#include <cmath>

#include "polhode/format/language/model.h"
#include "polhode/study/method_registry.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"

/// Events that enable and disable constraints, and lock joints.
namespace polhode::study {
namespace {

constexpr double g = 9.81;

State start_of(const std::string& text) {
  State state = tree::initial_state(format::read_model(text, "test.pol").mechanism);
  EXPECT_TRUE(tree::assemble(state, tree::given_by_model(state.mechanism())).assembled);
  return state;
}
/// Methods that can disable constraints.
std::vector<SimulateOptions> methods() {
  return {{.method = "tree-variational", .dt = 1e-3}, {.method = "tree-projected", .options = {{"accuracy", 1e-9}}}};
}

// A bob on a string of 1 m falls from the side and is let go at x = 1/2 on the other: its speed there is sqrt(2 g depth) along
// the tangent, and it flies on in a parabola.
const std::string sling = R"((system
  (body "bob" (mass 2) (pose -1 0 0)) (wire ground "bob" 1 (name "string")) (point-constraint ground "bob" 0 1 0)
  (event "let go" (when "bob.x" rises 0.5) (disable "string"))))";

TEST(ConstraintEvents, LetGoIntoABallisticFlight) {
  for (SimulateOptions options : methods()) {
    options.time = 1.6;
    options.interval = 0.1;
    std::vector<std::array<double, 3>> seen;
    const auto keep = [&](const State& s) {
      const auto p = s.pose(1).p;
      seen.push_back({s.time(), p.x, p.z});
    };
    const auto summary = simulate(start_of(sling), options, keep);
    ASSERT_TRUE(summary.completed) << summary.failure;
    ASSERT_EQ(summary.event_counts[0].count, 1);
    const double t0 = summary.event_counts[0].first, x0 = 0.5, z0 = -std::sqrt(0.75), v = std::sqrt(2 * g * -z0);
    const double vx = v * -z0, vz = v * x0;
    int in_flight = 0;
    for (const auto& [t, x, z] : seen) {
      if (t <= t0) {
        EXPECT_NEAR(std::hypot(x, z), 1, 1e-4);  // interpolation between steps; the constraint holds at their ends
        continue;
      }
      // Steps of 1e-3 s leave speeds with errors of (h g / v)^2 v, about 1e-5 m/s.
      ++in_flight;
      EXPECT_NEAR(x, x0 + vx * (t - t0), 1e-4) << t;
      EXPECT_NEAR(z, z0 + vz * (t - t0) - g / 2 * (t - t0) * (t - t0), 1e-4) << t;
    }
    EXPECT_GT(in_flight, 3);
    EXPECT_LT(summary.constraint_error, 1e-4) << "the string must not count once it is disabled";
    EXPECT_NEAR(summary.energy_by_events, 0, 1e-8) << "letting go does no work";
  }
}

// A free mass meets a rod: the string is caught taut at x = 3/5. The impulse acts along the string only, so the momentum across
// it stays and that along it is lost.
TEST(ConstraintEvents, CatchKeepsTheMomentumAcrossTheString) {
  const std::string text = R"((system (gravity 0 0 0)
    (body "bob" (mass 2) (pose 0 0 0.8)) (velocity "bob" (linear 1 0 0)) (wire ground "bob" 1 (name "string"))
    (event "catch" (when "bob.x" rises 0.6) (enable "string"))))";
  State start = tree::initial_state(format::read_model(text, "test.pol").mechanism);
  start.disable(0);  // it begins at a distance of 0.8 m, not on the string
  for (SimulateOptions options : methods()) {
    options.time = 0.7;
    std::vector<double> speed_along, speed_across, distance;
    simulate(start, options, [&](const State& s) {
      const Vec3<double> p = s.pose(1).p, v = s.velocity(1).linear;
      distance.push_back(norm(p));
      speed_along.push_back(dot(p, v) / norm(p));
      speed_across.push_back((p.z * v.x - p.x * v.z) / norm(p));
    });
    EXPECT_NEAR(distance.back(), 1, 1e-9);
    EXPECT_NEAR(speed_along.back(), 0, 1e-9);
    EXPECT_NEAR(speed_across.back(), 0.8, 1e-6);  // v times z / 1 m at the catch, whose window moves it by 1e-10
  }
}

// The same with the energy that a perfectly plastic impact takes: half of m v^2 along the string.
TEST(ConstraintEvents, CatchTakesTheEnergyAlongTheString) {
  const std::string text = R"((system (gravity 0 0 0)
    (body "bob" (mass 2) (pose 0 0 0.8)) (velocity "bob" (linear 1 0 0)) (wire ground "bob" 1 (name "string"))
    (event "catch" (when "bob.x" rises 0.6) (enable "string"))))";
  State start = tree::initial_state(format::read_model(text, "test.pol").mechanism);
  start.disable(0);
  for (SimulateOptions options : methods()) {
    options.time = 0.7;
    const auto summary = simulate(start, options);
    EXPECT_NEAR(summary.energy_by_events, -0.36, 1e-8);
    EXPECT_NEAR(summary.energy_drift(), 0, 1e-6);
  }
}

TEST(ConstraintEvents, SaysWhichConstraintCannotBeMet) {
  const std::string text = R"((system (tx 2 (tz "z" (name "ball") (mass 1))) (wire ground "ball" 1 (name "rope"))
    (event "impossible" (at 0.1) (enable "rope"))))";
  State start = tree::initial_state(format::read_model(text, "test.pol").mechanism);
  start.disable(0);
  for (SimulateOptions options : methods()) {
    options.time = 1;
    const auto summary = simulate(start, options);
    EXPECT_FALSE(summary.completed);
    EXPECT_NE(summary.failure.find("event \"impossible\""), std::string::npos) << summary.failure;
    EXPECT_NE(summary.failure.find("wire \"rope\""), std::string::npos) << summary.failure;
    EXPECT_NE(summary.failure.find("is still off by 1"), std::string::npos) << summary.failure;
    EXPECT_EQ(summary.time_end, 0.1);
  }
}

// A flywheel on a carriage that rolls free: the lock stops it against the carriage, and both go on with the momentum they had.
TEST(ConstraintEvents, LockStopsAJointAndUnlockLetsItGo) {
  const std::string text = R"((system (gravity 0 0 0)
    (tx "cart" (mass 3) (tx "slider" (mass 1))) (initial ("cart" 0 1) ("slider" 0 2))
    (event "hold" (when "slider" rises 0.5) (lock "slider"))
    (event "release" (at 0.75) (unlock "slider") (set-speed "slider" -1))))";
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    double cart = 0, slider = 0;
    const auto summary =
        simulate(start_of(text), {.method = method, .time = 1}, [&](const State& s) { cart = s.q()[0], slider = s.q()[1]; });
    ASSERT_TRUE(summary.completed) << summary.failure;
    EXPECT_NEAR(summary.event_counts[0].first, 0.25, 1e-9);
    // 1 m/s for 0.25 s; then (3 * 1 + 1 * 3) / 4 = 1.5 m/s, to the end: the speed that is set moves the slider alone.
    EXPECT_NEAR(cart, 0.25 + 1.5 * 0.75, 1e-8);
    EXPECT_NEAR(slider, 0.5 - 0.25, 1e-8);
  }
}

}  // namespace
}  // namespace polhode::study
