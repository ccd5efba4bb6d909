// IFToMM A05: the flyball governor, whose couplers are springs of 8e5 N/m with dampers of 4e4 N s/m.
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

constexpr double seconds = sanitized ? 3 : 10;

std::vector<double> numbers(const State& s) {
  return {coordinate(s, "lift"), coordinate(s, "right"), coordinate(s, "left"), coordinate(s, "spin"),
          speed(s, "lift'"),     speed(s, "right'"),     speed(s, "spin'")};
}
double largest_difference(const State& a, const State& b) {
  const auto x = numbers(a), y = numbers(b);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
  return worst;
}

// The dampers' rates are c/m = 1e4 per second: explicit steps are held below 1e-4 s by stability whatever the accuracy,
// implicit ones are not.
TEST(ValidationGovernor, ImplicitStepsGiveTheSameWithFarFewerEvaluations) {
  const State start = start_of(load("governor"));
  const Outcome reference = run(start, projected(seconds, 1e-9, "rk5"));
  const Outcome five = run(start, projected(seconds, 1e-5, "rk5")), eight = run(start, projected(seconds, 1e-5, "rk8"));
  const Outcome implicit = run(start, projected(seconds, 1e-5, "cvode"));
  // Local errors of 1e-5 in some hundred steps of a motion that does not spread them.
  EXPECT_LT(largest_difference(five.end, reference.end), 5e-3);
  EXPECT_LT(largest_difference(eight.end, reference.end), 5e-3);
  EXPECT_LT(largest_difference(implicit.end, reference.end), 5e-3);
  EXPECT_LT(10 * implicit.summary.steps.steps, five.summary.steps.steps);
  EXPECT_LT(3 * implicit.summary.steps.evaluations, five.summary.steps.evaluations);
  EXPECT_LT(3 * implicit.summary.steps.evaluations, eight.summary.steps.evaluations);
}

// Gravity and the springs have no moment about the shaft; both sides do the same.
TEST(ValidationGovernor, KeepsItsSpinAndItsSymmetry) {
  State start = start_of(load("governor"));
  tree::realize(start, Stage::velocity);
  const double momentum = start.momentum().moment.z;
  SimulateOptions options = projected(seconds, 1e-8, "cvode");
  options.interval = 0.1;
  run(start, options, [&](const State& s) {
    EXPECT_NEAR(s.momentum().moment.z / momentum, 1, 1e-5) << s.time();
    EXPECT_NEAR(coordinate(s, "left"), -coordinate(s, "right"), 1e-6) << s.time();
  });
}

}  // namespace
}  // namespace polhode::study
