// Motion with constant acceleration: Atwood's machine by coordinate couplers, and a nut on a screw.
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

TEST(ValidationAtwood, WeightsFallWithTheirDifferenceOverTheirSum) {
  const double a = 0.2 * standard_gravity / (1.2 + 1 + 0.0025 / 0.01);
  State start = start_of(load("atwood"));
  tree::realize(start, Stage::acceleration);
  EXPECT_NEAR(start.u_dot()[std::size_t(start.mechanism().speed("left'"))], -a, 1e-13);
  EXPECT_NEAR(start.u_dot()[std::size_t(start.mechanism().speed("right'"))], a, 1e-13);
  // M du/dt + G^T lambda = f: the cord lifts the left weight with -lambda.
  EXPECT_NEAR(-start.multipliers()[0], 1.2 * (standard_gravity - a), 1e-12);
  EXPECT_NEAR(-start.multipliers()[1], 1.0 * (standard_gravity + a), 1e-12);
  // A parabola is what every one of these methods integrates exactly.
  for (const SimulateOptions& options : {projected(2, 1e-6, "rk5"), projected(2, 1e-6), variational(2, 0.01)}) {
    SCOPED_TRACE(options.method);
    const Outcome r = run(start, options);
    EXPECT_NEAR(coordinate(r.end, "left"), -a * 2, 1e-11);  // a t^2/2; rounding in a few hundred steps
    EXPECT_NEAR(coordinate(r.end, "wheel"), -a * 2 / 0.1, 1e-10);
  }
}

// I alpha + m l^2 alpha = m g l: with a lead of 0.02 m/rad, 0.5 kg and 0.000625 kg m^2.
TEST(ValidationScrew, NutRunsDownWithConstantAcceleration) {
  const double lead = 0.02, alpha = -standard_gravity * lead / (lead * lead + 0.000625 / 0.5);
  for (const SimulateOptions& options : {projected(3, 1e-6, "rk5"), projected(3, 1e-6), variational(3, 0.01)}) {
    SCOPED_TRACE(options.method);
    const Outcome r = run(start_of(load("screw_drop")), options);
    EXPECT_NEAR(coordinate(r.end, "thread"), alpha * 4.5, 1e-13 * 300 * std::abs(alpha) * 4.5);
    EXPECT_NEAR(speed(r.end, "thread'"), alpha * 3, 1e-13 * 300 * std::abs(alpha) * 3);
  }
}

}  // namespace
}  // namespace polhode::study
