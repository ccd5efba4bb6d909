#include <gtest/gtest.h>

#include "polhode/tree/applied_forces.h"
#include "polhode/tree/batch.h"
#include "polhode/tree/realize.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::allocations_in;

class Allocation : public ::testing::Test {
 protected:
  Mechanism mechanism = testing_support::random_mechanism(2, {.forces = true});  // every joint type, every force element
  testing_support::RandomState s = testing_support::random_state(mechanism, 2);
  Workspace w{mechanism};
  int n = mechanism.num_u();
  std::vector<double> out = std::vector<double>(n), M = std::vector<double>(std::size_t(n) * n),
                      J = std::vector<double>(std::size_t(6) * n);
  std::vector<double> q_dot = std::vector<double>(mechanism.num_q());
  std::vector<Wrench<double>> F = std::vector<Wrench<double>>(mechanism.num_bodies());
  std::vector<Motion<double>> V = std::vector<Motion<double>>(mechanism.num_bodies());
};

TEST_F(Allocation, IsCounted) {
  EXPECT_GT(allocations_in([&] { Workspace another(mechanism); }), 0);
}

TEST_F(Allocation, DoesNotHappenInKinematics) {
  EXPECT_EQ(allocations_in([&] {
              positions(w, s.q);
              kinematics(w, s.q, s.u);
              accelerations(w, s.u_dot);
              for (int b = 0; b < mechanism.num_bodies(); ++b) pose(w, b), velocity(w, b), acceleration(w, b);
              coordinate_rates(mechanism, s.q, s.u, q_dot);
              speeds_of_rates(mechanism, s.q, q_dot, out);
            }),
            0);
}

TEST_F(Allocation, DoesNotHappenInDynamics) {
  EXPECT_EQ(allocations_in([&] {
              forward_dynamics(w, s.q, s.u, s.tau, out);
              forward_dynamics(w, s.q, s.u, s.tau, F, out);
              inverse_dynamics(w, s.q, s.u, s.u_dot, out);
              inverse_dynamics(w, s.q, s.u, s.u_dot, F, out);
              bias_forces(w, s.q, s.u, out);
            }),
            0);
}

TEST_F(Allocation, DoesNotHappenInOperatorsAndMatrices) {
  EXPECT_EQ(allocations_in([&] {
              mass_matrix(w, s.q, M);
              kinematics(w, s.q, s.u);
              multiply_mass(w, s.u_dot, out);
              factor_mass(w);
              solve_mass(w, s.tau, out);
              inverse_mass_matrix(w, M);
              multiply_jacobian(w, s.u, V);
              multiply_jacobian_transpose(w, F, out);
              frame_jacobian(w, 3, J);
              kinetic_energy(w), momentum(w), center_of_mass(w);
            }),
            0);
}

TEST_F(Allocation, DoesNotHappenInForces) {
  EXPECT_EQ(allocations_in([&] {
              kinematics(w, s.q, s.u);
              read_bodies(w);
              add_applied_forces(w, {0}, s.q, s.u, out, F);
              potential_energy(w, 0, s.q);
              accelerations_under_all_forces(w, {0}, s.q, s.u, s.tau, out);
            }),
            0);
}

TEST_F(Allocation, DoesNotHappenInRealizingAState) {
  State state(mechanism);
  EXPECT_EQ(
      allocations_in([&] {
        for (const Stage stage : {Stage::position, Stage::velocity, Stage::dynamics, Stage::acceleration, Stage::report}) {
          state.set_time(1);
          state.set_q(s.q);
          state.set_u(s.u);
          state.set_applied_forces(s.tau);
          realize(state, w, stage);
        }
      }),
      0);
}

TEST_F(Allocation, DoesNotHappenInPacks) {
  BatchWorkspace batch(mechanism);
  const std::size_t W = std::size_t(batch.width());
  std::vector<double> q, u(std::size_t(n) * W, 0.3), outs(u.size()), Ms(M.size() * W);
  for (const double x : s.q) q.insert(q.end(), W, x);
  EXPECT_EQ(allocations_in([&] {
              forward_dynamics(batch, q, u, u, outs);
              inverse_dynamics(batch, q, u, u, outs);
              mass_matrix(batch, q, Ms);
              kinematics(batch, q, u);
              multiply_mass(batch, u, outs);
              factor_mass(batch);
              solve_mass(batch, u, outs);
              pose(batch, 1, 0), velocity(batch, 1, 0), kinetic_energy(batch, 0);
            }),
            0);
}

}  // namespace
}  // namespace polhode::tree
