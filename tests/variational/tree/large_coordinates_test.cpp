// Coordinates that have grown large are stored with more rounding than Newton's tolerance asks for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "polhode/format/language/model.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"

namespace polhode::variational {
namespace {

/// The angle of the left arm of a parallelogram after a fifth of a second. Both ends of its rod have turned so often.
double arm_after(double turns) {
  const double arm = 2 * std::numbers::pi * turns - 1;
  const auto model = format::read_model(fmt::format(R"((system
      (ry "A" (mass 1 0.1 0.1 0.1) (tx 1 (ry "B" (mass 1 0.1 0.1 0.1) (tx 2 (name "end")))))
      (tx 2 (ry "D" (mass 1 0.1 0.1 0.1) (tx 1 (name "tip"))))
      (point-constraint "end" "tip" (1 0 0)) (point-constraint "end" "tip" (0 0 1))
      (initial ("A" {} 2) ("B" {} -2) ("D" -1 2))))",
                                                    arm, -arm),
                                        "parallelogram.pol");
  double angle = 0;
  const auto summary = study::simulate(tree::initial_state(model.mechanism), {.time = 0.2, .dt = 0.001},
                                       [&](const State& s) { angle = s.q()[0]; });
  EXPECT_TRUE(summary.completed) << summary.failure;
  EXPECT_EQ(summary.steps.halved, 0);
  EXPECT_LT(summary.constraint_error, 1e-10);
  return angle - 2 * std::numbers::pi * turns;
}

// At 2 pi 2000 rad doubles are 1.8e-12 apart, at 2 pi 10000 rad 7.3e-12: more than the tolerance of 1e-12.
TEST(LargeCoordinates, ALinkageThatHasTurnedThousandsOfTimesStepsLikeOneThatHasNot) {
  // Four times the rounding of an angle, 6e-11 rad, may stay in each of 200 steps; as a speed of 6e-11/h it lasts 0.2 s:
  // 1e-8 rad from each step, were they all to add up 3e-6 rad.
  for (const double turns : {2000.0, 10000.0}) EXPECT_NEAR(arm_after(turns), arm_after(0), 3e-6) << turns << " turns";
}

}  // namespace
}  // namespace polhode::variational
