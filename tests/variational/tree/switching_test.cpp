// Constraints switched at every step: no memory, and what a stepper gives that was made for the constraints at hand.
#include "tests/support/allocation_counter.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

using testing_support::allocations_in;

State assembled_start(const char* model) {
  State start = tree::initial_state(load(model));
  EXPECT_TRUE(tree::assemble(start).assembled) << model;
  return start;
}

/// The state with one constraint on or off, on those that are on.
void toggle(State& state, int step) {
  const int elements = state.mechanism().num_constraint_elements();
  const int element = step % elements;
  state.enable(element, !state.is_enabled(element));
  ASSERT_TRUE(tree::assemble(state).assembled);
}

bool same(std::span<const double> a, std::span<const double> b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

TEST(Switching, AConstraintAtEveryStepAllocatesNothingAndLeavesNoTrace) {
  for (const char* model : {"four_bar", "closed_chain_device", "bricard", "andrews", "marionette", "slider_crank"}) {
    const State start = assembled_start(model);
    if (start.mechanism().num_constraint_elements() == 0) continue;
    const TreeVariationalOptions options{.step = 1e-4};
    TreeVariational stepper = started(start, options);
    State state = start, expected = start;
    for (int step = 0; step < 12; ++step) {
      toggle(state, step / 2);
      StepReport report;
      const State at = state;
      EXPECT_EQ(allocations_in([&] {
                  stepper.set(state);
                  report = stepper.step(1e9);
                  stepper.get(state);
                }),
                0)
          << model << ", step " << step;
      ASSERT_TRUE(report.ok()) << model << ": " << stepper.explain(report);

      TreeVariational fresh = started(at, options);
      fresh.step(1e9);
      fresh.get(expected);
      EXPECT_TRUE(same(state.q(), expected.q()) && same(state.u(), expected.u())) << model << ", step " << step;
      EXPECT_TRUE(same(stepper.multipliers(), fresh.multipliers())) << model << ", step " << step;
    }
  }
}

// G at the end of a step is G at the start of the next: a stepper that is started there again, and finds it anew, goes on
// alike.
TEST(Switching, RowsThatAreKeptFromTheLastStepAreThoseThatAreFoundAnew) {
  const State start = assembled_start("closed_chain_device");
  TreeVariational stepper = started(start, {.step = 1e-3});
  for (int step = 0; step < 20; ++step) {
    ASSERT_TRUE(stepper.step(1e9).ok());
    Memory saved;
    stepper.remember(saved);
    TreeVariational fresh = started(start, {.step = 1e-3});
    Memory given(saved.bytes());
    fresh.remember(given);
    ASSERT_TRUE(stepper.step(1e9).ok());
    ASSERT_TRUE(fresh.step(1e9).ok());
    EXPECT_TRUE(same(stepper.q(), fresh.q()) && same(stepper.momenta(), fresh.momenta())) << "step " << step;
  }
}

}  // namespace
}  // namespace polhode::variational
