// Constraints that are switched while maximal-projected runs.
#include "polhode/projected/maximal/maximal_projected.h"

#include <numbers>
#include "tests/projected/mechanisms.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/twin_chains.h"

namespace polhode::projected {
namespace {

using testing_support::allocations_in;
using testing_support::motion_of;
using testing_support::twin_chains;
using testing_support::TwinChains;
using testing_support::with_only;
using Kind = JetProjection::Kind;

void step_to(MaximalProjected& stepper, double time) {
  while (stepper.time() < time) {
    const StepReport report = stepper.step(time);
    ASSERT_TRUE(report.ok()) << stepper.explain(report);
  }
}

State after(MaximalProjected& stepper, const State& start, double time) {
  stepper.set(start);
  step_to(stepper, time);
  State state = start;
  stepper.get(state);
  return state;
}

double distance_of(const State& a, const State& b) {
  double largest = 0;
  const std::vector<double> x = motion_of(a), y = motion_of(b);
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

/// A pendulum on a ball joint that two angles keep in a plane, in which it would swing without them, too.
State kept_in_plane() {
  MechanismBuilder b;
  b.add_body({.name = "bob", .mass = MassProperties::box(1, {0.3, 0.2, 0.1}, {0, 0, -0.2})});
  b.add_joint({.name = "ball", .model = Ball{}, .child = "bob"});
  b.add_frame({.name = "axle", .body = "bob"});
  b.add_constraint({.name = "one", .model = ConstantAngleSpec{"ground", "axle", {1, 0, 0}, {0, 1, 0}, std::numbers::pi / 2}});
  b.add_constraint({.name = "two", .model = ConstantAngleSpec{"ground", "axle", {0, 0, 1}, {0, 1, 0}, std::numbers::pi / 2}});
  b.set_initial({.coordinate = "ball.wy", .speed = 2});
  return tree::initial_state(b.build());
}

/// Steps, and switches one of the constraints, again and again.
long allocations_of_switching(const State& start, const MaximalProjectedOptions& options, std::initializer_list<int> which) {
  MaximalProjected stepper(start.mechanism(), options);
  stepper.set(start);
  State state = start;
  int k = 0;
  const auto go = [&](int times) {
    for (; k < times; ++k) {
      if (!stepper.step(0.01 * (k + 1)).ok()) throw std::runtime_error("a step failed");
      stepper.get(state);
      const int e = *(which.begin() + k % int(which.size()));
      state.enable(e, !state.is_enabled(e));
      stepper.set(state);
    }
  };
  const int all = 4 * int(which.size());  // every set of constraints twice
  go(all);
  return allocations_in([&] { go(3 * all); });
}

TEST(MaximalProjectedSwitching, CostsNoMemoryOnceASetOfConstraintsIsKnown) {
  for (const auto hinges : {TwinChains::Hinges::universal, TwinChains::Hinges::revolute})
    for (const Kind kind : {Kind::quasi, Kind::orthogonal})
      EXPECT_EQ(allocations_of_switching(twin_chains({.hinges = hinges}), {.projection = kind}, {0, 2}), 0)
          << int(hinges) << int(kind);
  EXPECT_EQ(allocations_of_switching(kept_in_plane(), {}, {0}), 0);
}

TEST(MaximalProjectedSwitching, ChangesTheFormulationWithTheConstraintsThatHoldBodiesInThePlane) {
  State state = kept_in_plane();
  MaximalProjected stepper(state.mechanism());
  stepper.set(state);
  for (const bool on : {true, false, true, false}) {
    state.enable(1, on);
    stepper.set(state);
    EXPECT_EQ(stepper.is_planar(), on);
    step_to(stepper, stepper.time() + 0.02);
    stepper.get(state);
  }
}

// The orders of elimination differ, and so does rounding: some 1e-14 a step. Projections may end one iteration earlier or
// later, which the tolerance of 1e-10 hides; both grow no more than tenfold in 0.3 s.
TEST(MaximalProjectedSwitching, GoesOnAsIfConstraintsThatAreOffWereNotThere) {
  for (const auto hinges : {TwinChains::Hinges::universal, TwinChains::Hinges::revolute})
    for (const Kind kind : {Kind::quasi, Kind::orthogonal}) {
      const State tied = twin_chains({.hinges = hinges, .swing = TwinChains::Swing::differently});
      const State loose =
          twin_chains({.hinges = hinges, .ties = TwinChains::Ties::none, .swing = TwinChains::Swing::differently});
      const MaximalProjectedOptions options{.accuracy = 1e-8, .projection = kind};
      MaximalProjected switched(tied.mechanism(), options), plain(loose.mechanism(), options);
      State all_on(tied.mechanism());
      const State alike = twin_chains({.hinges = hinges});
      all_on.set_q(alike.q());
      all_on.set_u(alike.u());
      switched.set(all_on);
      step_to(switched, 0.05);
      const State is = after(switched, with_only(tied, {}), 0.3), expected = after(plain, loose, 0.3);
      EXPECT_EQ(switched.is_planar(), plain.is_planar());
      EXPECT_LT(distance_of(is, expected), 1e-8) << int(hinges) << int(kind);
      EXPECT_GT(distance_of(is, tied), 0.1);
    }
}

}  // namespace
}  // namespace polhode::projected
