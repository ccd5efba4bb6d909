// The state between the ends of a step.
#include "tests/support/near.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

using testing_support::near;
using testing_support::numbers;

std::vector<double> poses(const State& state) {
  std::vector<double> all;
  for (int b = 1; b < state.mechanism().num_bodies(); ++b)
    for (const double x : numbers(state.pose(b))) all.push_back(x);
  return all;
}

/// How far the interpolated poses, and velocities, in one step of h are from a fine run's.
struct Error {
  double pose, velocity;
};
Error error_within(const State& start, double h, double fraction) {
  const Mechanism& m = start.mechanism();
  // One whole step of order 6 is exact beside the cubic's error.
  TreeVariational stepper = started(start, {.step = h, .order = 6});
  stepper.step(1e9);
  State between(m);
  stepper.interpolate(fraction * h, between);
  tree::realize(between, Stage::velocity);
  const State exact = end_of_run(start, fraction * h, {.step = fraction * h / 4, .order = 6});
  const auto a = poses(between), b = poses(exact);
  Error error{};
  for (std::size_t i = 0; i < a.size(); ++i) error.pose = std::max(error.pose, std::abs(a[i] - b[i]));
  for (int i = 1; i < m.num_bodies(); ++i) {
    const auto v = numbers(between.velocity(i)), w = numbers(exact.velocity(i));
    for (int k = 0; k < 6; ++k) error.velocity = std::max(error.velocity, std::abs(v[k] - w[k]));
  }
  return error;
}

// The cubic leaves h^4 q''''/384 and h^3 of the speeds.
TEST(Interpolation, IsOfFourthOrderInPosesAndOfThirdInVelocities) {
  for (const unsigned seed : {1u, 4u}) {
    const State start = random_start(testing_support::random_mechanism(seed, without_lines({.bodies = 12})), seed);
    const Error coarse = error_within(start, 0.004, 0.4), fine = error_within(start, 0.002, 0.4);
    EXPECT_NEAR(coarse.pose / fine.pose, 16, 2.5) << "seed " << seed << ": " << coarse.pose << ", " << fine.pose;
    EXPECT_NEAR(coarse.velocity / fine.velocity, 8, 1.5) << "seed " << seed;
  }
}

TEST(Interpolation, MeetsBothEndsAndRefusesWhatWasBefore) {
  const Mechanism mechanism = testing_support::random_mechanism(2, without_lines());
  TreeVariational stepper = started(random_start(mechanism, 2), {.step = 0.002});
  State before(mechanism), after(mechanism), asked(mechanism);
  stepper.step(1), stepper.get(before);
  stepper.step(1), stepper.get(after);
  stepper.interpolate(0.002, asked);
  EXPECT_TRUE(near(asked.q(), numbers(before.q()), 1e-13));
  EXPECT_TRUE(near(asked.u(), numbers(before.u()), 1e-7));  // speeds of quaternion joints are differences along the curve
  stepper.interpolate(0.004, asked);
  EXPECT_EQ(numbers(asked.q()), numbers(after.q()));
  EXPECT_EQ(asked.time(), 0.004);
  EXPECT_THROW(stepper.interpolate(0.0019, asked), std::out_of_range);
}

TEST(Interpolation, KinematicCoordinatesFollowTheirSignalsBetweenStepsToo) {
  MechanismBuilder builder = rods(2);
  builder.add_body({.name = "cart", .mass = MassProperties::particle(1, {})});
  builder.add_joint({.name = "cart", .model = Prismatic{}, .child = "cart"});
  builder.add_kinematic({.coordinate = "cart", .signal = Signal::sine(1, 40)});
  const Mechanism mechanism = builder.build();
  TreeVariational stepper = started(tree::initial_state(mechanism), {.step = 0.05});
  State state(mechanism);
  stepper.step(1);
  stepper.interpolate(0.02, state);
  EXPECT_DOUBLE_EQ(state.q()[std::size_t(mechanism.coordinate("cart"))], std::sin(0.8));
  EXPECT_DOUBLE_EQ(state.u()[std::size_t(mechanism.speed("cart'"))], 40 * std::cos(0.8));
}

}  // namespace
}  // namespace polhode::variational
