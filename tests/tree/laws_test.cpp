#include <gtest/gtest.h>

#include "polhode/tree/applied_forces.h"
#include "tests/oracle/oracle.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using testing_support::Random;
using testing_support::random_mechanism;
using testing_support::random_state;

std::vector<double> moved(const std::vector<double>& x, const std::vector<double>& rate, double h) {
  std::vector<double> y(x);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * rate[i];
  return y;
}

double energy(Workspace& w, const std::vector<double>& q, const std::vector<double>& u) {
  kinematics(w, q, u);
  read_bodies(w);
  return kinetic_energy(w) + potential_energy(w, 0, q);
}

class Laws : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, Laws, ::testing::Range(1u, 9u));

TEST_P(Laws, EnergyGrowsByThePowerOfTheGeneralizedForces) {
  const Mechanism mechanism = random_mechanism(GetParam(), {.forces = true, .conservative = true});
  const auto s = random_state(mechanism, GetParam());
  Workspace w(mechanism);
  std::vector<double> u_dot(s.u.size()), q_dot(s.q.size());
  accelerations_under_all_forces(w, {0}, s.q, s.u, s.tau, u_dot);
  coordinate_rates(mechanism, s.q, s.u, q_dot);

  // The straight line q + h dq/dt, u + h du/dt touches the trajectory, so energy has the same slope along both. A sixth-order
  // central difference: with rates of some 10/s, h^6/140 times the seventh derivative is below 1e-12 of the largest term;
  // rounding is 1e-16/h = 1e-13 of the energy, which is up to 1e3 times the power.
  constexpr double h = 1e-3;
  double rate = 0, power = 0, exchanged = 0;
  constexpr double weights[] = {0.75, -0.15, 1.0 / 60};
  for (int k = 1; k <= 3; ++k)
    rate += weights[k - 1] / h *
            (energy(w, moved(s.q, q_dot, k * h), moved(s.u, u_dot, k * h)) -
             energy(w, moved(s.q, q_dot, -k * h), moved(s.u, u_dot, -k * h)));
  for (std::size_t i = 0; i < s.u.size(); ++i) power += s.tau[i] * s.u[i];
  std::vector<double> inertial(s.u.size());
  kinematics(w, s.q, s.u);
  multiply_mass(w, u_dot, inertial);
  for (std::size_t i = 0; i < s.u.size(); ++i) exchanged += std::abs(inertial[i] * s.u[i]);
  EXPECT_TRUE(near(rate, power, 1e-9, exchanged));
}

TEST_P(Laws, MomentumOfAFloatingTreeChangesByExternalForcesOnly) {
  const Mechanism mechanism = random_mechanism(GetParam(), {.floating = true, .gravity = false});
  auto s = random_state(mechanism, GetParam());
  // The root joint's forces would be external; all others act between two bodies of the tree.
  ASSERT_EQ(mechanism.joints()[1].nu, 6);
  std::fill_n(s.tau.begin(), 6, 0.0);
  Random random(GetParam());
  for (const bool pushed : {false, true}) {
    std::vector<Wrench<double>> wrenches(mechanism.num_bodies());
    if (pushed)
      for (int b = 1; b < mechanism.num_bodies(); ++b) wrenches[b] = random.wrench(2);
    Workspace w(mechanism);
    std::vector<double> u_dot(s.u.size());
    forward_dynamics(w, s.q, s.u, s.tau, wrenches, u_dot);

    const auto bodies = oracle::motions(mechanism, s.q, s.u, u_dot);
    Wrench<double> rate{}, external{};
    double terms = 0;
    for (int b = 1; b < mechanism.num_bodies(); ++b) {
      const auto& B = bodies[b];
      const Mat3<double> I = B.X_WB.R * mechanism.bodies()[b].mass.inertia.full() * transpose(B.X_WB.R);
      const Vec3<double>&omega = B.V_WB.angular, force = mechanism.bodies()[b].mass.mass * B.a_C;
      rate += Wrench<double>{cross(B.p_C, force) + I * B.A_WB.angular + cross(omega, I * omega), force};
      external += shifted_back(wrenches[b], B.X_WB.p);
      terms += norm(force) + norm(cross(B.p_C, force));
    }
    // Rounding of du/dt (1e-16 times the condition of M, some 1e5) passes to every body's own rate of momentum.
    EXPECT_TRUE(near(rate, external, 1e-10, terms));
  }
}

TEST(FreeFall, IsGravityAlone) {
  MechanismBuilder builder;
  builder.gravity = {0.5, -1, -9};
  builder.add_body({.name = "brick", .mass = MassProperties::box(2, {1, 2, 3}, {0.1, 0.2, 0.3})});
  const Mechanism mechanism = builder.build();
  Workspace w(mechanism);
  const std::vector<double> q = mechanism.initial_q(), zero(6, 0.0);
  std::vector<double> u_dot(6);
  forward_dynamics(w, q, zero, zero, u_dot);
  kinematics(w, q, zero);
  accelerations(w, u_dot);
  EXPECT_TRUE(near(acceleration(w, 1), Motion<double>{{}, {0.5, -1, -9}}, 1e-14));
}

}  // namespace
}  // namespace polhode::tree
