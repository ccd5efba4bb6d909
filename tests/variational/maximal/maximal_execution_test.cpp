// How steps of maximal-variational are solved, and what they say when they cannot be.
#include "tests/support/allocation_counter.h"
#include "tests/variational/maximal/maximal.h"

namespace polhode::variational {
namespace {

using testing_support::allocations_in;

TEST(MaximalNewton, ConvergesQuadratically) {
  // Bruedigam & Manchester, Fig. 4d: from a bad guess (the start of a run has no past to extrapolate) each correction squares
  // the error.
  for (const int links : {1, 10, 100}) {
    const State start = tree::initial_state(rods(links).build());
    MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01, .tolerance = 1e-13});
    ASSERT_TRUE(stepper.step(1).ok());
    const auto errors = stepper.equations().history();
    ASSERT_GE(errors.size(), 2u);
    for (std::size_t i = 0; i + 1 < errors.size(); ++i)
      EXPECT_LE(errors[i + 1], 10 * errors[i] * errors[i] + 1e-13) << links << " links, correction " << i;
  }
}

// From one correction to the next the error falls, at every step of mechanisms that are thrown about.
TEST(MaximalNewton, BringsTheErrorDownWithEveryCorrection) {
  for (const char* model : {"double_pendulum", "four_bar", "closed_chain_device", "bricard", "spatial_slider_crank"}) {
    const State start = assembled(model);
    MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.02, .tolerance = 1e-12});
    for (int k = 0; k < 300; ++k) {
      ASSERT_TRUE(stepper.step(1e9).ok()) << model;
      const auto errors = stepper.equations().history();
      for (std::size_t i = 0; i + 1 < errors.size(); ++i)
        EXPECT_TRUE(errors[i + 1] < errors[i] || errors[i + 1] <= 1e-12) << model << ", step " << k << ", correction " << i;
    }
  }
}

// The loosest tolerance that is allowed. One correction from a good guess leaves the square of its error, and no step may add
// up what the last one left: half a second of a pendulum is as with a strict tolerance, but for less than the tolerance.
TEST(MaximalNewton, CorrectsEveryStepWhateverTheTolerance) {
  const State start = assembled("pendulum");
  const auto end = [&](double tolerance) {
    MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01, .tolerance = tolerance});
    for (int k = 0; k < 200; ++k) {
      const StepReport report = stepper.step(1e9);
      EXPECT_TRUE(report.ok()) << stepper.explain(report);
      if (!report.ok()) break;
    }
    State state = start;
    stepper.get(state);
    return state.q()[0];
  };
  EXPECT_NEAR(end(1e-3), end(1e-12), 1e-3);
}

TEST(MaximalNewton, TakesFewCorrectionsAtTheToleranceOfTheSeed) {
  const State start = tree::initial_state(rods(100).build());
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01, .tolerance = 1e-10});
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(stepper.step(1e9).ok());
  EXPECT_LE(double(stepper.statistics().newton_iterations) / 200, 4);  // "three to four", section 4.2
}

// A body that turns by 2.6 rad in a step of 0.5 s: the chord rule of order 1 knows turns of less than 2 rad only, so that steps
// must be halved from the first one on, and the step that the start's velocity is taken to be of as well.
TEST(MaximalOrderOne, HalvesStepsThatAreFarTooLongFromTheStartOn) {
  MechanismBuilder builder;
  builder.gravity = {0, 0, 0};
  builder.add_body({.name = "top", .mass = {1, {}, SymMat3<double>::diagonal({1, 2, 2.5})}});
  builder.add_joint({.name = "free", .model = Free{}, .child = "top"});
  builder.set_initial({.coordinate = "free.wx", .speed = 1});
  builder.set_initial({.coordinate = "free.wy", .speed = 5});
  const State start = tree::initial_state(builder.build());
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.5, .order = 1});
  for (int k = 0; k < 16; ++k) {
    const StepReport report = stepper.step(8);
    ASSERT_TRUE(report.ok()) << stepper.explain(report);
  }
  EXPECT_EQ(stepper.time(), 8);
  EXPECT_GT(stepper.statistics().halved, 0);
}

TEST(MaximalWhip, EndsWithTheEnergyThatItStartedWith) {
  // A chain let go from the horizontal cracks: its end turns at up to 50 rad/s, half a radian in a step of 10 ms. Steps of that
  // size gain or lose a fifth of m g L n^2 / 2 for good; smaller ones where it cracks keep the error below a thirtieth.
  for (const int links : {10, 30}) {
    const State start = tree::initial_state(rods(links, false, 0.5 * 3.14159265358979323846).build());
    MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01, .tolerance = 1e-10});
    const double energy = reached(stepper, start.mechanism()).energy();
    run(stepper, 10);
    const double scale = 0.5 * 9.81 * links * links;
    EXPECT_NEAR(reached(stepper, start.mechanism()).energy(), energy, 0.03 * scale) << links << " links";
    EXPECT_GT(stepper.statistics().halved, 0) << links << " links";
    EXPECT_LT(stepper.statistics().halved, 500) << links << " links: most of the motion is gentle";
  }
}

TEST(MaximalNewton, NeedsNoFillOnTrees) {
  const MaximalVariational stepper(rods(50).build(), {});
  EXPECT_EQ(stepper.equations().factors().num_fill(), 0);
}

TEST(MaximalAllocation, DoesNotHappenInSteps) {
  for (const char* model : {"bricard", "spatial_slider_crank", "four_bars", "closed_chain_device", "humanoid"}) {
    const State start = assembled(model);
    MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 1e-4});
    const long count = allocations_in([&] {
      for (int k = 0; k < 10; ++k)
        if (!stepper.step(1e9).ok()) throw std::runtime_error("a step failed");
    });
    EXPECT_EQ(count, 0) << model;
    State state(start.mechanism());
    EXPECT_EQ(allocations_in([&] { stepper.get(state), stepper.interpolate(stepper.time() - 5e-5, state); }), 0) << model;
  }
}

TEST(MaximalSingular, PassesThroughFoldedFourBars) {
  // Bruedigam & Manchester, Fig. 6: links of the segments lie on each other again and again.
  const State start = assembled("four_bar_chain");
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01});
  const double energy = reached(stepper, start.mechanism()).energy();
  double most = 0;
  const long steps = std::min(100'000L, long_run / 5);
  for (long k = 0; k < steps; ++k) {
    const StepReport report = stepper.step(1e9);
    ASSERT_TRUE(report.ok()) << stepper.explain(report);
    if (k % 10 == 0) most = std::max(most, std::abs(reached(stepper, start.mechanism()).energy() - energy));
  }
  EXPECT_LT(most, 0.1 * std::abs(energy));
}

TEST(MaximalVariational, GivesBackTheStateThatItWasGiven) {
  for (const char* model : {"humanoid", "bricard", "marionette", "satellite_with_arm"}) {
    const State start = assembled(model);
    const MaximalVariational stepper = started(start, MaximalVariationalOptions{});
    State state(start.mechanism());
    stepper.get(state);
    EXPECT_TRUE(testing_support::near(testing_support::numbers(state.q()), testing_support::numbers(start.q()), 1e-11))
        << model;
    for (int i = 0; i < start.mechanism().num_u(); ++i)
      EXPECT_NEAR(state.u()[std::size_t(i)], start.u()[std::size_t(i)], 1e-10) << model;
  }
}

TEST(MaximalVariational, CountsTurnsOn) {
  MechanismBuilder builder;
  builder.add_body({.name = "wheel", .mass = MassProperties::box(1, {0.1, 0.2, 0.3})});
  builder.add_joint({.name = "axle", .model = Revolute{}, .child = "wheel"});
  builder.set_initial({.coordinate = "axle", .value = 0.3, .speed = 7});
  const State start = tree::initial_state(builder.build());
  // Steady spin is exact with the exponential turn; with the chord of order one it is faster: sin(angle of a step) = h w.
  EXPECT_NEAR(end_of_run(start, 10, MaximalVariationalOptions{.step = 0.01}).q()[0], 0.3 + 70, 1e-9);
  EXPECT_NEAR(end_of_run(start, 10, MaximalVariationalOptions{.step = 0.01, .order = 1}).q()[0],
              0.3 + 1000 * 2 * std::asin(0.5 * 0.01 * 7), 1e-9);
}

TEST(MaximalVariational, InterpolatesBetweenSteps) {
  const State start = assembled("double_pendulum");
  MaximalVariational coarse = started(start, MaximalVariationalOptions{.step = 0.01}),
                     fine = started(start, MaximalVariationalOptions{.step = 0.0025});
  run(coarse, 0.5), run(fine, 0.4975);
  State between(start.mechanism());
  coarse.interpolate(0.4975, between);
  EXPECT_NEAR(between.q()[0], reached(fine, start.mechanism()).q()[0], 1e-3);
  EXPECT_THROW(coarse.interpolate(0.2, between), std::out_of_range);
}

TEST(MaximalVariational, ReportsTheForcesThatKinematicCoordinatesTake) {
  // A mass on a vertical slider that is accelerated upwards takes m (g + a).
  MechanismBuilder builder;
  builder.add_body({.name = "load", .mass = MassProperties::box(2, {0.1, 0.1, 0.1})});
  builder.add_joint({.name = "lift", .model = Prismatic{}, .child = "load"});
  builder.add_kinematic({.coordinate = "lift", .signal = Signal::polynomial({0.1, 0, 1.5})});
  const State start = tree::initial_state(builder.build());
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.01});
  run(stepper, 1);
  EXPECT_NEAR(reached(stepper, start.mechanism()).q()[0], 0.1 + 1.5, 1e-10);
  EXPECT_NEAR(stepper.driving_forces()[0], 2 * (9.81 + 3), 1e-6);
}

TEST(MaximalVariational, RefusesWhatItCannotDoByName) {
  EXPECT_THROW(MaximalVariational(rods(2).build(), {.step = -1}), std::invalid_argument);
  EXPECT_THROW(MaximalVariational(rods(2).build(), {.order = 3}), std::invalid_argument);
  EXPECT_THROW(MaximalVariational(rods(2).build(), {.tolerance = 0}), std::invalid_argument);
  MechanismBuilder builder = rods(2);
  builder.add_constraint({"", ConstantAccelerationSpec{"joint1", 2}});
  EXPECT_THROW(MaximalVariational(builder.build(), {}), ModelError);
}

TEST(MaximalVariational, StopsWithItsLastGoodStateAndSaysWhatIsWrong) {
  // Steps far too long for a body that spins at 300 rad/s can only be taken by halving them many times, which is refused here.
  MechanismBuilder builder;
  builder.add_body({.name = "top", .mass = MassProperties::box(1, {0.1, 0.2, 0.3})});
  State start = tree::initial_state(builder.build());
  for (int i = 0; i < 3; ++i) start.set_u(i, 300);
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.1, .max_halvings = 1});
  const StepReport report = stepper.step(1);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(stepper.time(), 0);
  EXPECT_NE(stepper.explain(report).find("top"), std::string::npos) << stepper.explain(report);
}

TEST(MaximalVariational, CountsTurnsOfBodiesThatTurnAgainstEachOther) {
  // 3.6 rad of the joint in a step of 10 ms, 1.8 of either body: too much to be told from poses, so steps are halved.
  MechanismBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_body({.name = name, .mass = MassProperties::box(1, {0.3, 0.3, 0.3})});
  builder.add_joint({.name = "first", .model = Revolute{}, .child = "a"});
  builder.add_joint({.name = "second", .model = Revolute{}, .parent = "a", .child = "b"});
  builder.set_initial({.coordinate = "first", .value = 0, .speed = 180});
  builder.set_initial({.coordinate = "second", .value = 0, .speed = -360});
  const State end = end_of_run(tree::initial_state(builder.build()), 1, MaximalVariationalOptions{.step = 0.01});
  EXPECT_NEAR(end.q()[0], 180, 1e-8);
  EXPECT_NEAR(end.q()[1], -360, 1e-8);
}

}  // namespace
}  // namespace polhode::variational
