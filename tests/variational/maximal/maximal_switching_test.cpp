// Constraints that are switched while maximal-variational runs.
#include "tests/support/allocation_counter.h"
#include "tests/support/twin_chains.h"
#include "tests/variational/maximal/maximal.h"

namespace polhode::variational {
namespace {

using testing_support::allocations_in;
using testing_support::motion_of;
using testing_support::twin_chains;
using testing_support::TwinChains;
using testing_support::with_only;

void take_steps(MaximalVariational& stepper, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper.step(1e9);
    ASSERT_TRUE(report.ok()) << stepper.explain(report);
  }
}

State after(MaximalVariational& stepper, const State& start, int steps) {
  stepper.set(start);
  take_steps(stepper, steps);
  return reached(stepper, start.mechanism());
}

const MaximalVariationalOptions millisecond{.step = 1e-3};

TEST(MaximalSwitching, CostsNoMemory) {
  const State start = twin_chains({});
  MaximalVariational stepper(start.mechanism(), millisecond);
  State state = start;
  for (const State& known : {with_only(start, {1, 2}), with_only(start, {1}), with_only(start, {0, 1}), start})
    stepper.set(known);  // the check of states allocates for sets of constraints that it has not seen
  EXPECT_EQ(allocations_in([&] {
              for (int k = 0; k < 30; ++k) {
                if (!stepper.step(1e9).ok()) throw std::runtime_error("a step failed");
                stepper.get(state);
                state.enable(k % 2 == 0 ? 0 : 2, (k / 2) % 2 == 1);
                stepper.set(state);
              }
            }),
            0);
}

// Rounding differs, for the order of elimination does: some 1e-15 a step, and what Newton's tolerance of 1e-12 hides; both grow
// no more than tenfold in 0.3 s.
TEST(MaximalSwitching, GoesOnAsIfConstraintsThatAreOffWereNotThere) {
  const State tied = twin_chains({.swing = TwinChains::Swing::differently});
  const State loose = twin_chains({.ties = TwinChains::Ties::none, .swing = TwinChains::Swing::differently});
  MaximalVariational switched(tied.mechanism(), millisecond), plain(loose.mechanism(), millisecond);
  take_steps(switched, 3);  // with all of them on, from where it was made
  const State is = after(switched, with_only(tied, {}), 300), expected = after(plain, loose, 300);
  EXPECT_LT(largest_difference(motion_of(is), motion_of(expected)), 1e-9);
  EXPECT_GT(largest_difference(motion_of(is), motion_of(tied)), 0.1);
}

TEST(MaximalSwitching, TakesEachConstraintUpAgain) {
  State start = twin_chains({.swing = TwinChains::Swing::differently});
  ASSERT_TRUE(tree::assemble(start, tree::given_by_model(start.mechanism())).assembled);
  MaximalVariational switched(start.mechanism(), millisecond);
  for (const auto& on : {std::vector<char>{1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}}) {
    State state = start;
    for (int e = 0; e < 3; ++e) state.enable(e, on[std::size_t(e)] != 0);
    MaximalVariational fresh(start.mechanism(), millisecond);
    const State expected = after(fresh, state, 50), is = after(switched, state, 50);
    EXPECT_EQ(motion_of(is), motion_of(expected));
    EXPECT_LT(switched.constraint_error(), 1e-11);
  }
}

}  // namespace
}  // namespace polhode::variational
