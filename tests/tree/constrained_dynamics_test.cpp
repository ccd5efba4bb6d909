// Accelerations and multipliers satisfy the two equations they are defined by, on random mechanisms.
#include "polhode/tree/constrained_dynamics.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "polhode/tree/applied_forces.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/support/random_constraints.h"

namespace polhode::tree {
namespace {

using testing_support::near_numbers;
using testing_support::Random;
using testing_support::random_state;
using testing_support::RandomState;

/// A random tree with a handful of independent constraints: on three bodies that are added to it and are free.
MechanismBuilder loosely_constrained(unsigned seed) {
  MechanismBuilder builder = testing_support::random_description(seed, {.forces = true});
  for (const char* name : {"a", "b", "c"}) {
    builder.add_body({.name = name, .mass = MassProperties::box(1, {0.3, 0.5, 0.2}, {0.1, 0.2, 0})});
    builder.add_joint({.name = name, .model = Free{}, .parent = builder.bodies()[4].name, .child = name});
  }
  const std::string a = "a", b = "b", c = "c";
  builder.add_constraint({"rod", WireSpec{a, b, 0.7}});
  builder.add_constraint({"pins", CoincidentPointsSpec{"ground", c}});
  builder.add_constraint({"plane", PointInPlaneSpec{a, c, {1, 2, 3}}});
  return builder;
}

struct Evaluated {
  State state;
  Workspace w;
  ConstrainedDynamics dynamics;
  std::vector<double> u_dot;
};
Evaluated evaluated(const State& state) {
  Evaluated e{state, Workspace(state.mechanism()), ConstrainedDynamics(state), std::vector<double>(state.u().size())};
  EXPECT_TRUE(e.dynamics.evaluate(e.w, state.time(), state.q(), state.u(), state.z(), e.u_dot, {}));
  return e;
}
State moving(const Mechanism& mechanism, unsigned seed) {
  const RandomState s = random_state(mechanism, seed);
  State state(mechanism);
  state.set_q(s.q);
  state.set_u(s.u);
  state.set_applied_forces(s.tau);
  return state;
}
std::vector<double> jacobian_times(const Evaluated& e, std::span<const double> x) {
  std::vector<double> out(std::size_t(e.dynamics.constraints().num_rows()));
  e.dynamics.constraints().multiply(e.dynamics.jacobian(), x, out);
  return out;
}
std::vector<double> bias(Evaluated& e) {
  std::vector<double> b(std::size_t(e.dynamics.constraints().num_rows()));
  kinematics(e.w, e.state.q(), e.state.u());
  e.dynamics.constraints().acceleration_bias(e.w, e.state.time(), e.state.q(), e.state.u(), b);
  return b;
}
/// M du/dt + G^T lambda - f - motion forces, by inverse dynamics, which is another algorithm than what is tested.
std::vector<double> force_residual(Evaluated& e) {
  const State& s = e.state;
  std::vector<double> f(s.applied_forces().begin(), s.applied_forces().end()), tau(f.size());
  add_all_forces(e.w, {s.time()}, s.q(), s.u(), f);
  inverse_dynamics(e.w, s.q(), s.u(), e.u_dot, tau);
  e.dynamics.constraints().add_transpose(e.dynamics.jacobian(), e.dynamics.multipliers(), tau);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] -= f[k] + e.dynamics.motion_forces()[k];
  return tau;
}
double size_of(std::span<const double> x) {
  double largest = 0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

// Round-off grows with the condition of G M^-1 G^T of random mechanisms, some 1e4, and with the forces, some hundreds.
TEST(ConstrainedDynamics, AccelerationsAndMultipliersMeetBothEquations) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Mechanism mechanism = loosely_constrained(seed).build();
    Evaluated e = evaluated(moving(mechanism, seed));
    ASSERT_EQ(e.dynamics.rank(), 5);
    const double scale = 1 + size_of(e.u_dot) + size_of(bias(e));
    EXPECT_TRUE(near_numbers(jacobian_times(e, e.u_dot), bias(e), 1e-9, scale)) << seed;
    EXPECT_LT(size_of(force_residual(e)), 1e-9 * (1 + size_of(e.dynamics.multipliers()))) << seed;
  }
}

TEST(ConstrainedDynamics, DrivenSpeedsComeFirstAndConstraintsMoveTheOthers) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Mechanism mechanism = loosely_constrained(seed).build();
    State state = moving(mechanism, seed);
    state.lock(1, Drive::acceleration);
    state.lock(mechanism.num_bodies() / 3, Drive::velocity);
    Evaluated e = evaluated(state);
    for (std::size_t k = 0; k < e.u_dot.size(); ++k) {
      const bool free = state.drives()[k] == Drive::forces;
      EXPECT_EQ(free ? e.dynamics.motion_forces()[k] : e.u_dot[k], 0);
    }
    const double scale = 1 + size_of(e.u_dot) + size_of(bias(e));
    EXPECT_TRUE(near_numbers(jacobian_times(e, e.u_dot), bias(e), 1e-8, scale)) << seed;
    EXPECT_LT(size_of(force_residual(e)), 1e-8 * (1 + size_of(e.dynamics.multipliers()))) << seed;
  }
}

// The same rod three times over: each carries a third, and the motion is that of one.
TEST(ConstrainedDynamics, RedundantRowsShareTheLoadAndLeaveTheMotionAlone) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    MechanismBuilder once = loosely_constrained(seed), thrice = loosely_constrained(seed);
    const WireSpec rod = std::get<WireSpec>(once.constraints()[0].model);
    thrice.add_constraint({"second", rod});
    thrice.add_constraint({"third", rod});
    Evaluated one = evaluated(moving(once.build(), seed)), three = evaluated(moving(thrice.build(), seed));
    EXPECT_EQ(three.dynamics.rank(), 5);
    EXPECT_TRUE(near_numbers(three.u_dot, one.u_dot, 1e-9)) << seed;
    const auto lambda = one.dynamics.multipliers(), shared = three.dynamics.multipliers();
    for (const int row : {0, 5, 6}) EXPECT_NEAR(shared[row], lambda[0] / 3, 1e-8 * (1 + size_of(lambda))) << seed;
    for (int row = 1; row < 5; ++row) EXPECT_NEAR(shared[row], lambda[row], 1e-8 * (1 + size_of(lambda))) << seed;
  }
}

TEST(ConstrainedDynamics, DisabledConstraintsDoNothing) {
  const unsigned seed = 3;
  const Mechanism constrained = loosely_constrained(seed).build();
  State state = moving(constrained, seed);
  for (const char* name : {"rod", "pins", "plane"}) state.disable(constrained.constraint_element(name));
  State alone = moving(constrained, seed);
  Workspace w(constrained);
  std::vector<double> u_dot(alone.u().size());
  accelerations_under_all_forces(w, {0}, alone.q(), alone.u(), alone.applied_forces(), u_dot);
  EXPECT_EQ(evaluated(state).u_dot, u_dot);
}

TEST(ConstrainedDynamics, DoesNotAllocate) {
  const Mechanism mechanism = loosely_constrained(1).build();
  State state = moving(mechanism, 1);
  state.lock(2);
  Evaluated e = evaluated(state);
  EXPECT_EQ(testing_support::allocations_in(
                [&] { e.dynamics.evaluate(e.w, state.time(), state.q(), state.u(), state.z(), e.u_dot, {}); }),
            0);
}

}  // namespace
}  // namespace polhode::tree
