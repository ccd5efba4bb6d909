// What tree-projected must see, and what it must refuse: signals that break, jumps, contradictions, fast coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polhode/format/language/model.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

State start_of(const std::string& text) { return tree::initial_state(format::read_model(text, "test.pol").mechanism); }

SimulateOptions projected(double time, const char* integrator = "rk5") {
  return {.method = "tree-projected", .time = time, .options = {{"integrator", integrator}}};
}
bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

// A triangle of 2000 N for 1 ms has an impulse of 1 N s; steps of up to 0.1 s lead up to it.
TEST(ProjectedRun, DoesNotStepOverANarrowPulse) {
  const State start = start_of(R"((system (gravity 0 0 0) (tx "x" (mass 1))
    (generalized-force "x" (samples (0 0) (2 0) (2.0005 2000) (2.001 0) (3 0) (linear)))))");
  for (const char* integrator : {"rk5", "rk8", "merson", "verlet", "cvode"}) {
    double speed = 0;
    const auto summary = simulate(start, projected(4, integrator), [&](const State& s) { speed = s.u()[0]; });
    EXPECT_TRUE(summary.completed) << summary.failure;
    EXPECT_NEAR(speed, 1, 1e-4) << integrator;  // a hundred times the accuracy
  }
}

// All that moves follows from the crank, which follows its signal: no error is left for the estimate to see. A step of half a
// turn could still close the loop on the piston's other side, 0.3 m away.
TEST(ProjectedRun, KeepsALinkageThatIsDrivenInItsBranch) {
  const double r = 0.05, l = 0.15, w = 50 * std::acos(-1.0);
  const State start = start_of(R"((system (gravity 0 0 0)
    (body "crank" (mass 2) (inertia 0.001 0.002 0.001)) (body "rod" (pose 0.05 0 0))
    (body "piston" (mass 0.5) (inertia 0.0003 0.0003 0.0003) (pose 0.2 0 0))
    (joint revolute "main" ground "crank" (at 0 0 0) (axis 0 -1 0))
    (joint revolute "crank pin" "crank" "rod" (at 0.05 0 0) (axis 0 -1 0))
    (joint revolute "wrist pin" "rod" "piston" (at 0.2 0 0) (axis 0 -1 0))
    (joint prismatic "cylinder" ground "piston" (at 0.2 0 0) (axis 1 0 0))
    (kinematic "main" (polynomial 0 157.07963267948966))))");
  const int piston = start.mechanism().body("piston");
  for (const double accuracy : {1e-3, 1e-6, 1e-10}) {
    SimulateOptions options = projected(0.2);
    options.options.set("accuracy", accuracy);
    double farthest = 0;
    const auto summary = simulate(start, options, [&](const State& s) {
      State here = s;
      tree::realize(here, Stage::position);
      const double height = r * std::sin(w * s.time()), x = r * std::cos(w * s.time()) + std::sqrt(l * l - height * height);
      farthest = std::max(farthest, std::abs(here.pose(piston).p.x - x));
    });
    EXPECT_TRUE(summary.completed) << summary.failure;
    EXPECT_LT(farthest, 1e-3) << accuracy;  // the constraints hold to a tenth of the accuracy, of some tenths of a metre
  }
}

TEST(ProjectedRun, RefusesADrivenSpeedThatJumps) {
  const auto summary = simulate(start_of(R"((system (tx "cart" (mass 1) (ry "p" (tz -1 (mass 1))))
    (kinematic "cart" (samples (0 0) (1 1) (2 0) (linear)))))"),
                                projected(2));
  EXPECT_FALSE(summary.completed);
  EXPECT_DOUBLE_EQ(summary.time_end, 1);
  EXPECT_TRUE(says(summary.failure, "cart") && says(summary.failure, "jump")) << summary.failure;
}

// cvode starts anew after each bounce with steps far below the event window; none of them may hide a crossing.
TEST(ProjectedRun, KeepsABallAboveTheFloorWithCvode) {
  double lowest = 1;
  const auto summary = simulate(
      start_of(R"((system (tz "z" (mass 1)) (initial ("z" 1)) (event "bounce" (when "z" falls 0) (scale-speed "z" -0.8))))"),
      projected(3, "cvode"), [&](const State& s) { lowest = std::min(lowest, s.q()[0]); });
  EXPECT_TRUE(summary.completed) << summary.failure;
  EXPECT_GT(lowest, -1e-6);
  const double fall = std::sqrt(2 / 9.81);
  int bounces = 0;
  for (double t = fall, e = 0.8; t < 3; t += 2 * fall * e, e *= 0.8) ++bounces;
  EXPECT_EQ(summary.event_counts.at(0).count, bounces);
}

TEST(ProjectedRun, SaysWhetherConstraintsDoWork) {
  const auto driven = start_of(R"((system (tx "x" (mass 1)) (motion-constraint "x" (sine 0.1 2))))");
  EXPECT_FALSE(simulate(driven, projected(0.1)).conservative);
  const auto held = start_of(R"((system (tx "x" (mass 1)) (constant-coordinate "x" 0)))");
  EXPECT_TRUE(simulate(held, projected(0.1)).conservative);
}

const std::string hanging = R"((system (tz "z" (mass 1)) (torsion-spring "z" 100 0) (fast "z"))";

TEST(ProjectedRun, HasFastCoordinatesInBalanceFromTheStart) {
  std::vector<double> z;
  const auto summary = simulate(start_of(hanging + ")"), projected(0.1), [&](const State& s) { z.push_back(s.q()[0]); });
  EXPECT_TRUE(summary.completed) << summary.failure;
  ASSERT_FALSE(z.empty());
  EXPECT_NEAR(z.front(), -0.0981, 1e-9);  // m g / k
}

// Springs of equal stiffness on both sides of y: k (x - y - 1) = k y.
TEST(ProjectedRun, ReportsFastCoordinatesInBalanceAfterAnEvent) {
  const State start = start_of(R"((system (gravity 0 0 0) (tx "x" (name "a") (mass 1)) (tx "y" (name "b") (mass 1))
    (spring "a" "b" 10 1) (torsion-spring "y" 10 0) (fast "y") (initial ("x" 3) ("y" 1))
    (event "move" (at 0.05) (set "x" 5))))");
  const auto x = std::size_t(start.mechanism().coordinate("x")), y = std::size_t(start.mechanism().coordinate("y"));
  bool moved = false;
  const auto summary = simulate(start, projected(0.1), [&](const State& s) {
    moved |= s.q()[x] == 5;
    EXPECT_NEAR(s.q()[y], (s.q()[x] - 1) / 2, 1e-8) << "at " << s.time();
  });
  EXPECT_TRUE(summary.completed) << summary.failure;
  EXPECT_TRUE(moved) << "the state just after the event is reported";
}

TEST(ProjectedRun, RefusesAccuraciesBelowRounding) {
  auto options = projected(1);
  options.options.set("accuracy", 1e-18);
  try {
    simulate(start_of(R"((system (tz "z" (mass 1))))"), options);
    FAIL() << "was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_TRUE(says(error.what(), "accuracy") && says(error.what(), "rounding")) << error.what();
  }
}

std::string refusal(const State& start, double time) {
  try {
    return simulate(start, projected(time)).failure;
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(EventLimits, RefuseWhatCannotHappen) {
  const auto with = [](const std::string& event) {
    return start_of(R"((system (tz "z" (mass 1)) (initial ("z" 1)) (event "e" )" + event + "))");
  };
  const std::string often = refusal(with("(every 1e-12) (say \"x\")"), 1);
  EXPECT_TRUE(says(often, "\"e\"") && says(often, "1e-12") && says(often, "times in a run")) << often;
  const std::string early = refusal(with("(at -1 2) (say \"x\")"), 1);
  EXPECT_TRUE(says(early, "\"e\"") && says(early, "-1 s is before the start")) << early;
  EXPECT_EQ(refusal(with("(at 0 2) (say \"x\")"), 1), "");
}

TEST(EventLimits, NameLockedCoordinatesThatAreSet) {
  const auto with = [](const std::string& actions) {
    return start_of(R"((system (ry "a" (tz -1 (mass 1))) (lock "a") (event "e" (at 0.1) )" + actions + "))");
  };
  for (const char* action : {"(set \"a\" 1)", "(set-speed \"a\" 1)"}) {
    const std::string why = refusal(with(action), 0.2);
    EXPECT_TRUE(says(why, "\"e\"") && says(why, "\"a\" is locked")) << action << ": " << why;
  }
  EXPECT_EQ(refusal(with("(unlock \"a\") (set-speed \"a\" 1)"), 0.2), "");
}

TEST(EventLimits, NameFastCoordinatesThatAreSet) {
  try {
    start_of(hanging + " (event \"e\" (at 0.1) (set \"z\" 1)))");
    FAIL() << "was accepted";
  } catch (const std::exception& error) {
    EXPECT_TRUE(says(error.what(), "\"z\" is fast")) << error.what();
  }
}

// A ball that comes to rest: the run ends at the last bounce, not at the end of the step after it.
TEST(EventLimits, EndAFailedRunAtTheTimeOfTheEvent) {
  const auto summary = simulate(
      start_of(R"((system (tz "z" (mass 1)) (initial ("z" 1)) (event "bounce" (when "z" falls 0) (scale-speed "z" -0.5))))"),
      projected(3));
  EXPECT_FALSE(summary.completed);
  ASSERT_TRUE(says(summary.failure, "without end")) << summary.failure;
  EXPECT_NEAR(summary.time_end, summary.event_counts.at(0).last, 1e-9);  // a few windows of 1e-10 s
}

}  // namespace
}  // namespace polhode::study
