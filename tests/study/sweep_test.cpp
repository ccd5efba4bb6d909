#include "polhode/study/sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polhode/format/language/model.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

/// A point mass on a massless rod, whose length and angle at the start are varied.
State pendulum(std::span<const double> values) {
  const std::string text = R"((system (parameter l 1) (ry "a" (tz (- l) (name "tip") (mass 1)))))";
  const auto model = format::read_model(text, "p.pol", {}, {{"l", values[0]}}, {{"a", values[1], std::nullopt, {}}});
  return tree::initial_state(model.mechanism);
}

const Plan grid({{"l", 0.5, 2, 7}, {"a", 0, 0, 0, {0.001, 0.002}}}, {}, 0, 0);

TEST(Plan, GoesThroughEveryCombinationWithTheLastRangeFastest) {
  ASSERT_EQ(grid.size(), 14);
  EXPECT_EQ(grid.names(), (std::vector<std::string>{"l", "a"}));
  EXPECT_EQ(grid.values(0), (std::vector<double>{0.5, 0.001}));
  EXPECT_EQ(grid.values(1), (std::vector<double>{0.5, 0.002}));
  EXPECT_EQ(grid.values(2), (std::vector<double>{0.75, 0.001}));
  EXPECT_EQ(grid.values(13), (std::vector<double>{2, 0.002}));
}

TEST(Plan, DrawsSamplesThatDependOnTheSeedTheNameAndTheirNumberOnly) {
  using Kind = Distribution::Kind;
  const Plan one({}, {{"x", Kind::normal, 5, 2}}, 10, 42);
  const Plan more({{"l", 1, 2, 3}}, {{"y", Kind::uniform, -1, 1}, {"x", Kind::normal, 5, 2}}, 100, 42);
  const Plan other({}, {{"x", Kind::normal, 5, 2}}, 10, 43);
  EXPECT_EQ(more.size(), 300);
  for (long i = 0; i < 10; ++i) {
    EXPECT_EQ(one.values(i)[0], more.values(i)[2]);
    EXPECT_EQ(one.values(i)[0], more.values(200 + i)[2]);  // the same samples for every combination
    EXPECT_NE(one.values(i)[0], other.values(i)[0]);
    EXPECT_LT(std::abs(more.values(i)[1]), 1);
  }
}

TEST(Plan, RefusesWhatIsNoPlan) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  using Kind = Distribution::Kind;
  EXPECT_THROW(Plan({}, {}, 0, 0), std::invalid_argument);
  EXPECT_THROW(Plan({{"a", 0, 1, 0}}, {}, 0, 0), std::invalid_argument);
  EXPECT_THROW(Plan({{"a", 1, 1, 5}}, {}, 0, 0), std::invalid_argument);
  EXPECT_THROW(Plan({{"a", 0, 1, 1}}, {}, 0, 0), std::invalid_argument);
  EXPECT_THROW(Plan({{"a", 0, nan, 5}}, {}, 0, 0), std::invalid_argument);
  EXPECT_THROW(Plan({{"a", 0, 1, 3}, {"a", 0, 1, 3}}, {}, 0, 0), std::invalid_argument);
  EXPECT_THROW(Plan({{"a", 0, 1, 1000000000}}, {}, 0, 0), std::invalid_argument);
  EXPECT_THROW(Plan({{"a", 0, 1, 100000}, {"b", 0, 1, 100000}, {"c", 0, 1, 1000000}}, {}, 0, 0), std::invalid_argument);
  EXPECT_THROW(Plan({}, {{"a", Kind::normal, 0, 1}}, -3, 0), std::invalid_argument);
  EXPECT_THROW(Plan({}, {{"a", Kind::normal, 0, 0}}, 3, 0), std::invalid_argument);
  EXPECT_THROW(Plan({}, {{"a", Kind::uniform, 1, 0}}, 3, 0), std::invalid_argument);
}

// Small swings: a(t) = a0 cos(sqrt(g/l) t), with an error of the order of a0^3 t and of the steps of 1 ms.
TEST(Sweep, RunsEveryPendulumAsItsLengthAndAngleSay) {
  const SweepOptions options{.simulate = {.time = 2, .dt = 0.001},
                             .measures = {Measure::parse("a"), Measure::parse("tip.z:min")}};
  const SweepResult result = sweep(grid, pendulum, options);
  ASSERT_EQ(result.runs.size(), 14u);
  EXPECT_EQ(result.failures, 0);
  for (const SweepRun& run : result.runs) {
    const double l = run.values[0], a = run.values[1];
    EXPECT_NEAR(run.measures[0], a * std::cos(std::sqrt(9.81 / l) * 2), 1e-5 * a);
    EXPECT_NEAR(run.measures[1], -l, 1e-6);  // it passes the lowest point
    EXPECT_EQ(run.time_end, 2);
    EXPECT_EQ(run.steps, 2000);
  }
}

TEST(Sweep, GivesTheSameNumbersBitForBitWithAnyNumberOfThreads) {
  const Plan plan({{"l", 0.5, 2, 5}}, {{"a", Distribution::Kind::normal, 0, 1}}, 20, 3);
  SweepOptions options{.simulate = {.method = "tree-projected", .time = 1},
                       .measures = {Measure::parse("tip.x:mean"), Measure::parse("energy:max")},
                       .threads = 1};
  const SweepResult alone = sweep(plan, pendulum, options);
  for (const int threads : {2, 5}) {
    options.threads = threads;
    const SweepResult together = sweep(plan, pendulum, options);
    for (std::size_t i = 0; i < alone.runs.size(); ++i) {
      EXPECT_EQ(alone.runs[i].values, together.runs[i].values);
      EXPECT_EQ(alone.runs[i].measures, together.runs[i].measures);
      EXPECT_EQ(alone.runs[i].energy_end, together.runs[i].energy_end);
      EXPECT_EQ(alone.runs[i].steps, together.runs[i].steps);
    }
  }
}

TEST(Sweep, KeepsARunThatFailsAsARowWithItsReason) {
  const auto picky = [](std::span<const double> values) {
    if (values[0] > 1) throw std::runtime_error("too long\nfor this room");
    return pendulum(values);
  };
  const SweepResult result = sweep(grid, picky, {.simulate = {.time = 0.1}, .measures = {Measure::parse("a")}});
  long failed = 0;
  for (const SweepRun& run : result.runs) {
    EXPECT_EQ(run.completed, run.values[0] <= 1);
    EXPECT_EQ(run.measures.size(), run.completed ? 1u : 0u);
    if (!run.completed) {
      EXPECT_EQ(run.failure, "too long for this room");
    }
    failed += run.completed ? 0 : 1;
  }
  EXPECT_EQ(result.failures, failed);
  EXPECT_EQ(failed, 8);  // 1.25 to 2 by 0.25, two angles each
}

// Of fourteen runs of two thousand steps, one after the other, the question is asked for the 2500th time in the second.
TEST(Sweep, KeepsWhatWasDoneWhenItIsInterrupted) {
  long asked = 0;
  const SweepOptions options{
      .simulate = {.time = 2, .dt = 0.001}, .measures = {Measure::parse("a")}, .threads = 1, .interrupted = [&] {
        return ++asked > 2500;
      }};
  const SweepResult result = sweep(grid, pendulum, options);
  EXPECT_TRUE(result.runs[0].completed);
  EXPECT_EQ(result.runs[0].measures.size(), 1u);
  EXPECT_EQ(result.runs[1].failure, "interrupted");
  EXPECT_LT(result.runs[1].time_end, 2);
  EXPECT_EQ(result.runs[2].failure, "interrupted before it began");
  EXPECT_EQ(result.interrupted, 13);
  EXPECT_EQ(result.failures, 0);
}

TEST(Sweep, RefusesWhatNoRunCouldDo) {
  EXPECT_THROW(sweep(grid, pendulum, {.simulate = {.time = 1}, .measures = {{"tp.z"}}}), std::invalid_argument);
  EXPECT_THROW(sweep(grid, pendulum, {.simulate = {.method = "magic"}}), std::invalid_argument);
  EXPECT_THROW(sweep(grid, pendulum, {.simulate = {.time = -1}}), std::invalid_argument);
  EXPECT_THROW(Measure::parse("a:most"), std::invalid_argument);
}

// From rest at height 0 a body falls with z = -g t^2/2, whose mean over a second is -g/6; steps of 10 ms, straight between.
TEST(Measure, KeepsTheLastTheLeastTheGreatestAndTheMeanOverTime) {
  const auto fall = [](std::span<const double> values) {
    return tree::initial_state(
        format::read_model(R"((system (body "b" (mass 1))))", "b.pol", {}, {}, {{"b.z", values[0], std::nullopt, {}}})
            .mechanism);
  };
  const SweepResult result = sweep(Plan({{"b.z", 0, 0, 1}}, {}, 0, 0), fall,
                                   {.simulate = {.time = 1},
                                    .measures = {Measure::parse("b.z"), Measure::parse("b.z:min"), Measure::parse("b.z:max"),
                                                 Measure::parse("b.z:mean"), Measure::parse("b.z':final")}});
  ASSERT_EQ(result.failures, 0) << result.runs[0].failure;
  const auto& m = result.runs[0].measures;
  EXPECT_NEAR(m[0], -4.905, 1e-9);
  EXPECT_EQ(m[1], m[0]);
  EXPECT_EQ(m[2], 0);
  EXPECT_NEAR(m[3], -9.81 / 6, 9.81 * 1e-4 / 12 + 1e-9);  // the trapezoid rule's error, h^2/12 of the change of slope
  EXPECT_NEAR(m[4], -9.81, 1e-9);
}

}  // namespace
}  // namespace polhode::study
