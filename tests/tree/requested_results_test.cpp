// Results that a State computes on request: when they are computed, kept, and taken back.
#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "polhode/tree/applied_forces.h"
#include "polhode/tree/constraint_errors.h"
#include "polhode/tree/realize.h"

namespace polhode::tree {
namespace {

/// A bob on a string that is 0.01 m too long, and swings.
Mechanism bob_on_a_string() {
  MechanismBuilder builder;
  builder.add_body({.name = "bob", .mass = MassProperties::sphere(1, 0.1)});
  builder.add_joint({.name = "bob", .model = Free{}, .child = "bob"});
  builder.add_constraint({"string", WireSpec{"ground", "bob", 2}});
  builder.set_initial({.coordinate = "bob.z", .value = -2.01});
  return builder.build();
}

TEST(ConstraintErrors, AreResultsOfTheirStages) {
  const Mechanism m = bob_on_a_string();
  Workspace w(m);
  State state(m);
  EXPECT_THROW(constraint_errors(state, w), StageError);
  realize(state, w, Stage::position);
  EXPECT_NEAR(constraint_errors(state, w)[0], 0.01, 1e-15);
  EXPECT_THROW(constraint_velocity_errors(state, w), StageError);
  state.set_u(m.speed("bob.vz"), -0.5);
  realize(state, w, Stage::velocity);
  EXPECT_NEAR(constraint_velocity_errors(state, w)[0], 0.5, 1e-15);  // it gets longer
  EXPECT_NEAR(largest_constraint_error(state, w), 0.01, 1e-15);
}

TEST(ConstraintErrors, FollowWhatIsMovedAndSwitched) {
  const Mechanism m = bob_on_a_string();
  Workspace w(m);
  State state(m);
  realize(state, w, Stage::position);
  constraint_errors(state, w);
  state.set_q(m.coordinate("bob.z"), -2.5);
  EXPECT_THROW(constraint_errors(state, w), StageError);
  realize(state, w, Stage::position);
  EXPECT_NEAR(constraint_errors(state, w)[0], 0.5, 1e-15);
  State copy = state;
  copy.disable(0);
  realize(copy, w, Stage::position);
  EXPECT_TRUE(constraint_errors(copy, w).empty());
  EXPECT_NEAR(constraint_errors(state, w)[0], 0.5, 1e-15);
}

/// A brush that wears: it counts how often each of its results is computed.
struct Brush final : ForceElement {
  explicit Brush(std::array<int, 3>& counts) : computed(counts) {}
  void add_forces(const Configuration&, AppliedForces&) const override {}
  std::vector<CacheEntry> cache_entries() const override {
    return {{.name = "gap", .depends_on = DependsOn::position, .unit = "m"},
            {.name = "slip", .depends_on = DependsOn::velocity, .size = 2},
            {.name = "heat", .depends_on = DependsOn::everything}};
  }
  void compute_entry(int entry, const Configuration& at, std::span<double> out) const override {
    ++computed[std::size_t(entry)];
    if (entry == 0) out[0] = at.q[0] + 100 * at.u[0];  // the speed is not its business, and is shown as zero
    if (entry == 1) out[0] = at.u[0], out[1] = -at.u[0];
    if (entry == 2) out[0] = at.u[0] * at.input(0);
  }
  std::array<int, 3>& computed;
};

TEST(CacheEntries, OfUsersElementsAreComputedOnRequestAndKeptUntilSomethingChanges) {
  std::array<int, 3> computed{};
  MechanismBuilder builder;
  builder.add_body({.name = "slide", .mass = MassProperties::sphere(1, 0.1)});
  builder.add_joint({.name = "slide", .model = Prismatic{}, .child = "slide"});
  builder.add_input({.name = "load", .initial = 3});
  builder.add_force_element([&](const Mechanism&) { return std::make_shared<Brush>(computed); });
  const Mechanism m = builder.build();
  Workspace w(m);
  State state(m);
  state.set_q(0, 0.25);
  state.set_u(0, 2);
  EXPECT_THROW(cache_entry(state, w, 0), StageError);
  realize(state, w, Stage::velocity);
  EXPECT_EQ(cache_entry(state, w, 0)[0], 0.25);
  EXPECT_EQ(cache_entry(state, w, 1)[1], -2);
  EXPECT_THROW(cache_entry(state, w, 2), StageError);
  realize(state, w, Stage::dynamics);
  EXPECT_EQ(cache_entry(state, w, 2)[0], 6);
  cache_entry(state, w, 0), cache_entry(state, w, 1), cache_entry(state, w, 2);
  EXPECT_EQ(computed, (std::array{1, 1, 1}));

  state.set_input(0, 5);  // of the three only the last depends on it
  realize(state, w, Stage::dynamics);
  cache_entry(state, w, 0), cache_entry(state, w, 1);
  EXPECT_EQ(cache_entry(state, w, 2)[0], 10);
  EXPECT_EQ(computed, (std::array{1, 1, 2}));

  state.set_u(0, 1);
  realize(state, w, Stage::dynamics);
  EXPECT_EQ(cache_entry(state, w, 0)[0], 0.25);
  EXPECT_EQ(cache_entry(state, w, 1)[0], 1);
  EXPECT_EQ(computed, (std::array{1, 2, 2}));
  EXPECT_THROW(cache_entry(state, w, 3), std::out_of_range);
}

}  // namespace
}  // namespace polhode::tree
