// Steps that Newton cannot solve, or that do not resolve the motion, are taken as smaller ones.
#include "tests/support/near.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

/// Energy error at the end of ten seconds, over the range of the potential energy, m g L n^2 / 2.
double whip_error(const State& start, int links, TreeVariational& stepper) {
  const double before = reached(stepper, start.mechanism()).energy();
  run(stepper, 10);
  return std::abs(reached(stepper, start.mechanism()).energy() - before) / (9.81 * links * links / 2);
}

// 1 % of that range is what issue 3 asks for; the tip of a whip moves by radians in one step of 10 ms, so some must be halved.
TEST(Halving, LetsWhipsCrackWithoutLosingEnergy) {
  for (const int n : {10, 30}) {
    const State start = tree::initial_state(rods(n, false, 0.5 * pi).build());
    TreeVariational stepper = started(start, {.step = 0.01, .tolerance = 1e-10});
    EXPECT_LT(whip_error(start, n, stepper), 0.01) << n;
    EXPECT_GT(stepper.statistics().halved, 0) << n;
    EXPECT_EQ(stepper.statistics().steps, 1000) << n;
  }
}

TEST(Halving, LetsWhipsOfBallJointsCrack) {
  for (const int n : {10, 30}) {
    MechanismBuilder builder = rods(n, true, 0.5 * pi);
    builder.set_initial({.coordinate = "joint1.wz", .speed = 1});
    State start = tree::initial_state(builder.build());
    ASSERT_EQ(start.u()[2], 1);
    TreeVariational stepper = started(start, {.step = 0.01, .tolerance = 1e-10});
    EXPECT_LT(whip_error(start, n, stepper), 0.01) << n;
  }
}

// Turning about the vertical: the angular momentum about it is kept through all halvings.
TEST(Halving, KeepsMomentaThatHaveASymmetry) {
  const int n = 10;
  MechanismBuilder builder = rods(n, true, 0.5 * pi);
  builder.set_initial({.coordinate = "joint1.wz", .speed = 1});
  const State start = tree::initial_state(builder.build());
  TreeVariational stepper = started(start, {.step = 0.02});
  const double before = reached(stepper, start.mechanism()).momentum().moment.z;
  ASSERT_TRUE(run(stepper, 10));
  EXPECT_GT(stepper.statistics().halved, 0);
  EXPECT_NEAR(reached(stepper, start.mechanism()).momentum().moment.z, before, 1e-10 * before);
}

/// A chain that floats, one end of which is flung round.
TEST(Halving, KeepsTheMomentumOfAFloatingChain) {
  MechanismBuilder builder;
  builder.gravity = {};
  for (int i = 1; i <= 8; ++i) {
    const std::string name = "link" + std::to_string(i);
    builder.add_body({.name = name, .mass = {1, {0, 0, -0.5}, SymMat3<double>::diagonal({1.0 / 12, 1.0 / 12, 0.01})}});
    builder.add_joint({.name = "joint" + std::to_string(i),
                       .model = i == 1 ? JointModel(Free{}) : JointModel(Ball{}),
                       .parent = i == 1 ? ground_name : "link" + std::to_string(i - 1),
                       .child = name,
                       .placement = LocalPlacement{at(0, 0, i == 1 ? 0 : -1), {}}});
  }
  State start = tree::initial_state(builder.build());
  start.set_u(testing_support::Random(5).vector(start.mechanism().num_u(), 12));
  TreeVariational stepper = started(start, {.step = 0.03});
  const auto before = testing_support::numbers(reached(stepper, start.mechanism()).momentum());
  ASSERT_TRUE(run(stepper, 6));
  EXPECT_GT(stepper.statistics().halved, 0);
  // 200 steps and their parts, each solved to 1e-12 of an increment, in momenta of some 100.
  EXPECT_TRUE(testing_support::near(testing_support::numbers(reached(stepper, start.mechanism()).momentum()), before, 1e-10));
}

// The step sizes of the report are those that were asked for: halving is inside a step.
TEST(Halving, IsInsideAStep) {
  const State start = tree::initial_state(rods(10, false, 0.5 * pi).build());
  TreeVariational stepper = started(start, {.step = 0.01});
  long k = 0;
  run(stepper, 10, [&] { ASSERT_NEAR(stepper.time(), 0.01 * double(++k), 1e-12); });
  EXPECT_GT(stepper.statistics().halved, 0);
  EXPECT_NEAR(stepper.statistics().largest_step, 0.01, 1e-12);
}

}  // namespace
}  // namespace polhode::variational
