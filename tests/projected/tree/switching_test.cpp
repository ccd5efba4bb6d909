// Constraints, locks and forces changed at every step: no memory, and what an integrator gives that was made for what is at
// hand.
#include <gtest/gtest.h>

#include "polhode/format/language/model.h"
#include "polhode/projected/tree/make_integrator.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/paths.h"

namespace polhode::projected {
namespace {

using testing_support::allocations_in;

State assembled_start(const char* model) {
  State start = tree::initial_state(format::load_model(testing_support::model_path(model)).mechanism);
  EXPECT_TRUE(tree::assemble(start).assembled) << model;
  return start;
}

/// Another constraint on or off, and another force.
void change(State& state, int step) {
  const int element = step / 2 % state.mechanism().num_constraint_elements();
  state.enable(element, !state.is_enabled(element));
  state.set_applied_force(0, 0.1 * step);
  ASSERT_TRUE(tree::assemble(state).assembled);
}

bool same(std::span<const double> a, std::span<const double> b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

/// One step from the state by a stepper that has a past, and by one that has none.
void expect_no_trace(Stepper& stepper, const Options& options, State& state, const std::string& what) {
  const State at = state;
  StepReport report;
  EXPECT_EQ(allocations_in([&] {
              stepper.set(state);
              report = stepper.step(state.time() + 1e-4);
              stepper.get(state);
            }),
            0)
      << what;
  ASSERT_TRUE(report.ok()) << what << ": " << stepper.explain(report);
  const auto fresh = make_integrator(at.mechanism(), options);
  fresh->set(at);
  ASSERT_TRUE(fresh->step(at.time() + 1e-4).ok()) << what;
  State expected = at;
  fresh->get(expected);
  EXPECT_EQ(state.time(), expected.time()) << what;
  EXPECT_TRUE(same(state.q(), expected.q()) && same(state.u(), expected.u())) << what;
}

TEST(ProjectedSwitching, AConstraintAtEveryStepAllocatesNothingAndLeavesNoTrace) {
  for (const char* model : {"four_bar", "closed_chain_device", "bricard", "slider_crank"}) {
    for (const char* integrator : {"rk3", "merson", "rk8", "verlet"}) {
      const State start = assembled_start(model);
      if (start.mechanism().num_constraint_elements() == 0) continue;
      const Options options{.integrator = integrator};
      const auto stepper = make_integrator(start.mechanism(), options);
      State state = start;
      for (int step = 0; step < 8; ++step) {
        change(state, step);
        expect_no_trace(*stepper, options, state, std::string(model) + ", " + integrator + ", step " + std::to_string(step));
      }
    }
  }
}

TEST(ProjectedSwitching, ALockAtEveryStepAllocatesNothingAndLeavesNoTrace) {
  const State start = assembled_start("arm7");
  const Options options{};
  const auto stepper = make_integrator(start.mechanism(), options);
  State state = start;
  for (int step = 0; step < 8; ++step) {
    const int joint = 1 + step % 3;
    if (state.is_locked(joint)) {
      state.unlock(joint);
    } else {
      state.lock(joint, step % 2 == 0 ? Drive::position : Drive::velocity);
    }
    expect_no_trace(*stepper, options, state, "step " + std::to_string(step));
  }
}

}  // namespace
}  // namespace polhode::projected
