#include <gtest/gtest.h>

#include "polhode/format/language/model.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"
#include "tests/support/allocation_counter.h"

/// What an event costs beside the step that it is in: no memory, once the run has begun.
namespace polhode::study {
namespace {

const char* const model = R"((system (ry "a" (tz -1 (mass 1) (rx "b" (tz -1 (name "tip") (mass 1))))) (discrete "n" 0)
  (initial ("a" 1) ("b" 0.5))))";

/// Allocations of a run of so many events, one every millisecond, all at ends of steps.
long allocations(const Event& event, double time) {
  const State start = tree::initial_state(format::read_model(model, "events.pol").mechanism);
  const SimulateOptions options{.time = time, .dt = 1e-3, .interval = 1.0};
  SimulateSummary summary;
  const long count = testing_support::allocations_in([&] { summary = simulate(start, options, {}, {}, {event}); });
  EXPECT_TRUE(summary.completed) << summary.failure;
  EXPECT_GE(summary.events, long(time / 1e-3) - 1);
  return count;
}

/// The first thousand events are kept in the summary; later ones must leave no trace in memory.
void expect_none(const Event& event) { EXPECT_EQ(allocations(event, 2.5), allocations(event, 1.5)) << event.name; }

const EveryPeriod every_millisecond{1e-3, 0};

TEST(EventCost, IsNoMemoryWhereNothingChanges) {
  expect_none({"nothing", every_millisecond, {}});
  expect_none({"looks", every_millisecond, [](State& s) { return s.energy() > 1e9 ? EventAction{true, {}} : EventAction{}; }});
  expect_none({"looks", EveryStep{}, [](State&) { return EventAction{}; }});
}

TEST(EventCost, IsNoMemoryWhereAForceIsApplied) {
  expect_none({"controller", every_millisecond, [](State& s) {
                 s.set_applied_force(0, -0.1 * s.u()[0]);
                 return EventAction{};
               }});
}

TEST(EventCost, IsNoMemoryWhereSpeedsAndDiscreteVariablesChange) {
  expect_none({"count", every_millisecond, [](State& s) {
                 s.set_discrete(0, s.discrete()[0] + 1);
                 return EventAction{};
               }});
  expect_none({"brake", every_millisecond, [](State& s) {
                 s.set_u(1, 0.9999 * s.u()[1]);
                 return EventAction{};
               }});
}

// Neither workspaces nor plans of rows, hundreds of allocations, but what a search for a state on the constraints takes.
TEST(EventCost, IsLittleMemoryWhereAConstraintIsSwitched) {
  const char* const guided = R"((system (ry "a" (tz -1 (mass 1) (rx "b" (tz -1 (mass 1)))))
    (constant-coordinate "b" 0 (name "guide")) (initial ("a" 1))))";
  const State start = tree::initial_state(format::read_model(guided, "guided.pol").mechanism);
  const Event switches{"switch", every_millisecond, [](State& s) {
                         s.enable(0, !s.is_enabled(0));
                         return EventAction{};
                       }};
  const auto count = [&](double time) {
    return testing_support::allocations_in(
        [&] { simulate(start, {.time = time, .dt = 1e-3, .interval = 100.0}, {}, {}, {switches}); });
  };
  constexpr int events = 1000, each = 60;
  EXPECT_LE(count(2.5) - count(1.5), events * each);
}

TEST(EventCost, IsNoMemoryWhileAWitnessIsWatched) {
  const State start = tree::initial_state(format::read_model(model, "events.pol").mechanism);
  const auto count = [&](double time) {
    const Event passes{"passes", Trigger{[](const State& s) { return s.q()[0]; }, Stage::time, Crossing::crosses},
                       [](State&) { return EventAction{}; }};
    return testing_support::allocations_in(
        [&] { simulate(start, {.time = time, .dt = 1e-3, .interval = 100.0}, {}, {}, {passes}); });
  };
  EXPECT_EQ(count(20), count(10));
}

}  // namespace
}  // namespace polhode::study
