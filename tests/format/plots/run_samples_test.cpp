#include "polhode/format/plots/run_samples.h"

#include <gtest/gtest.h>

#include "polhode/format/language/model.h"
#include "polhode/tree/realize.h"

namespace polhode::format {
namespace {

const char* const pendulum = "(system (gravity 0 0 -9.81) (ry \"hinge\" (tz -2 (name \"bob\") (mass 1 0.1 0.1 0.1))))";

/// States at times 0, 1, 2, ..., at an angle of a thousandth of the time.
RunSamples samples_of(const Mechanism& mechanism, int states, std::vector<int> traced = {}) {
  RunSamples samples(mechanism, std::move(traced));
  State state(mechanism);
  for (int i = 0; i < states; ++i) {
    state.set_time(i);
    state.set_q(0, 1e-3 * i);
    tree::realize(state, Stage::velocity);
    samples.add(state);
  }
  return samples;
}

TEST(RunSamples, OfAShortRunAreAllOfItsStates) {
  const Mechanism mechanism = read_model(pendulum, "p.pol").mechanism;
  const RunSamples samples = samples_of(mechanism, 7);
  EXPECT_EQ(samples.values("t"), (std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_DOUBLE_EQ(samples.values("hinge")[6], 6e-3);
}

TEST(RunSamples, OfALongRunAreFewEvenlySpreadAndReachItsEnd) {
  const Mechanism mechanism = read_model(pendulum, "p.pol").mechanism;
  for (const int states : {1999, 2000, 2001, 2002, 4001, 12345, 40000}) {
    const RunSamples samples = samples_of(mechanism, states);
    const std::vector<double> t = samples.values("t");
    ASSERT_GT(t.size(), 900u) << states;
    EXPECT_LE(t.size(), 2001u) << states;
    EXPECT_EQ(t.front(), 0);
    EXPECT_EQ(t.back(), states - 1);
    for (std::size_t i = 2; i + 1 < t.size(); ++i) EXPECT_EQ(t[i] - t[i - 1], t[1] - t[0]) << states << " states, at " << i;
  }
}

TEST(RunSamples, TraceTheFramesThatAreAskedForElseTheBodyThatGoesFarthest) {
  const Mechanism mechanism = read_model(pendulum, "p.pol").mechanism;
  const auto traced = samples_of(mechanism, 10, {mechanism.frame("bob")}).paths();
  const auto farthest = samples_of(mechanism, 10).paths();
  ASSERT_EQ(traced.size(), 1u);
  ASSERT_EQ(farthest.size(), 1u);
  EXPECT_EQ(traced[0].name, "bob");
  for (const auto& path : {traced[0], farthest[0]}) {
    EXPECT_NEAR(path.points[9].x, -2 * std::sin(9e-3), 1e-15) << "turned about y, x = z sin";
    EXPECT_NEAR(path.points[9].z, -2 * std::cos(9e-3), 1e-15);
  }
}

}  // namespace
}  // namespace polhode::format
