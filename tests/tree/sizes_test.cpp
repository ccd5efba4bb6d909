#include <gtest/gtest.h>

#include <functional>

#include "polhode/tree/applied_forces.h"
#include "polhode/tree/batch.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

/// Every argument of every function once with one number too few; the others have the right sizes.
class Sizes : public ::testing::Test {
 protected:
  using Call = std::function<void()>;
  void refuses(const char* what, std::size_t given, std::size_t needed, const Call& call) {
    SCOPED_TRACE(what);
    try {
      call();
      ADD_FAILURE() << "took " << given << " numbers where " << needed << " are needed";
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(std::to_string(given)), std::string::npos) << message;
      EXPECT_NE(message.find(std::to_string(needed)), std::string::npos) << message;
    }
  }

  Mechanism mechanism = testing_support::random_mechanism(3, {.forces = true});
  Workspace w{mechanism};
  std::size_t nq = std::size_t(mechanism.num_q()), nu = std::size_t(mechanism.num_u()),
              nb = std::size_t(mechanism.num_bodies());
  std::vector<double> q = testing_support::random_state(mechanism, 3).q, q_short = std::vector<double>(nq - 1);
  std::vector<double> u = std::vector<double>(nu), u_short = std::vector<double>(nu - 1), out = u;
  std::vector<double> M = std::vector<double>(nu * nu), M_short = std::vector<double>(nu * nu - 1);
  std::vector<Wrench<double>> F = std::vector<Wrench<double>>(nb), F_short = std::vector<Wrench<double>>(nb - 1);
  std::vector<Motion<double>> V_short = std::vector<Motion<double>>(nb - 1);
};

TEST_F(Sizes, OfKinematicsAreChecked) {
  refuses("positions", nq - 1, nq, [&] { positions(w, q_short); });
  refuses("kinematics q", nq - 1, nq, [&] { kinematics(w, q_short, u); });
  refuses("kinematics u", nu - 1, nu, [&] { kinematics(w, q, u_short); });
  refuses("accelerations", nu - 1, nu, [&] { accelerations(w, u_short); });
}

TEST_F(Sizes, OfDynamicsAreChecked) {
  refuses("forward q", nq - 1, nq, [&] { forward_dynamics(w, q_short, u, u, out); });
  refuses("forward u", nu - 1, nu, [&] { forward_dynamics(w, q, u_short, u, out); });
  refuses("forward tau", nu - 1, nu, [&] { forward_dynamics(w, q, u, u_short, out); });
  refuses("forward du/dt", nu - 1, nu, [&] { forward_dynamics(w, q, u, u, u_short); });
  refuses("forward wrenches", nb - 1, nb, [&] { forward_dynamics(w, q, u, u, F_short, out); });
  refuses("forward with wrenches q", nq - 1, nq, [&] { forward_dynamics(w, q_short, u, u, F, out); });
  refuses("inverse q", nq - 1, nq, [&] { inverse_dynamics(w, q_short, u, u, out); });
  refuses("inverse u", nu - 1, nu, [&] { inverse_dynamics(w, q, u_short, u, out); });
  refuses("inverse du/dt", nu - 1, nu, [&] { inverse_dynamics(w, q, u, u_short, out); });
  refuses("inverse tau", nu - 1, nu, [&] { inverse_dynamics(w, q, u, u, u_short); });
  refuses("inverse wrenches", nb - 1, nb, [&] { inverse_dynamics(w, q, u, u, F_short, out); });
  refuses("inverse with wrenches q", nq - 1, nq, [&] { inverse_dynamics(w, q_short, u, u, F, out); });
  refuses("inverse with wrenches u", nu - 1, nu, [&] { inverse_dynamics(w, q, u_short, u, F, out); });
  refuses("bias", nu - 1, nu, [&] { bias_forces(w, q, u, u_short); });
}

TEST_F(Sizes, OfOperatorsAndMatricesAreChecked) {
  std::vector<Motion<double>> V(nb);
  std::vector<double> J_short(6 * nu - 1);
  positions(w, q);
  refuses("multiply_mass a", nu - 1, nu, [&] { multiply_mass(w, u_short, out); });
  refuses("multiply_mass f", nu - 1, nu, [&] { multiply_mass(w, u, u_short); });
  refuses("solve_mass f", nu - 1, nu, [&] { solve_mass(w, u_short, out); });
  refuses("solve_mass a", nu - 1, nu, [&] { solve_mass(w, u, u_short); });
  refuses("jacobian u", nu - 1, nu, [&] { multiply_jacobian(w, u_short, V); });
  refuses("jacobian V", nb - 1, nb, [&] { multiply_jacobian(w, u, V_short); });
  refuses("jacobian transpose F", nb - 1, nb, [&] { multiply_jacobian_transpose(w, F_short, out); });
  refuses("jacobian transpose tau", nu - 1, nu, [&] { multiply_jacobian_transpose(w, F, u_short); });
  refuses("mass matrix q", nq - 1, nq, [&] { mass_matrix(w, q_short, M); });
  refuses("mass matrix", nu * nu - 1, nu * nu, [&] { mass_matrix(w, q, M_short); });
  refuses("inverse mass matrix", nu * nu - 1, nu * nu, [&] { inverse_mass_matrix(w, M_short); });
  refuses("frame jacobian", 6 * nu - 1, 6 * nu, [&] { frame_jacobian(w, 1, J_short); });
  std::vector<double> J(6 * nu);
  EXPECT_THROW(frame_jacobian(w, int(mechanism.frames().size()), J), std::out_of_range);
}

TEST_F(Sizes, OfForcesAreChecked) {
  kinematics(w, q, u);
  read_bodies(w);
  refuses("forces q", nq - 1, nq, [&] { add_applied_forces(w, {0}, q_short, u, out, F); });
  refuses("forces u", nu - 1, nu, [&] { add_applied_forces(w, {0}, q, u_short, out, F); });
  refuses("forces tau", nu - 1, nu, [&] { add_applied_forces(w, {0}, q, u, u_short, F); });
  refuses("forces wrenches", nb - 1, nb, [&] { add_applied_forces(w, {0}, q, u, out, F_short); });
  refuses("energy q", nq - 1, nq, [&] { potential_energy(w, 0, q_short); });
  refuses("all forces, tau", nu - 1, nu, [&] { accelerations_under_all_forces(w, {0}, q, u, u_short, out); });
  refuses("all forces, du/dt", nu - 1, nu, [&] { accelerations_under_all_forces(w, {0}, q, u, u, u_short); });
}

TEST_F(Sizes, LimitBodyAndCopyNumbers) {
  BatchWorkspace batch(mechanism);
  const int bodies = int(nb);
  for (const int body : {-1, bodies}) {
    EXPECT_THROW(pose(w, body), std::out_of_range);
    EXPECT_THROW(velocity(w, body), std::out_of_range);
    EXPECT_THROW(acceleration(w, body), std::out_of_range);
    EXPECT_THROW(pose(batch, body, 0), std::out_of_range);
    EXPECT_THROW(velocity(batch, body, 0), std::out_of_range);
  }
  for (const int copy : {-1, batch.width()}) {
    EXPECT_THROW(pose(batch, 1, copy), std::out_of_range);
    EXPECT_THROW(kinetic_energy(batch, copy), std::out_of_range);
  }
}

TEST_F(Sizes, OfPacksCountEveryCopy) {
  BatchWorkspace batch(mechanism);
  const std::size_t W = std::size_t(batch.width());
  std::vector<double> qs(nq * W, 1.0), us(nu * W), Ms(nu * nu * W);
  refuses("pack forward q", nq, nq * W, [&] { forward_dynamics(batch, q, us, us, us); });
  refuses("pack forward u", nu, nu * W, [&] { forward_dynamics(batch, qs, u, us, us); });
  refuses("pack forward tau", nu, nu * W, [&] { forward_dynamics(batch, qs, us, u, us); });
  refuses("pack forward du/dt", nu, nu * W, [&] { forward_dynamics(batch, qs, us, us, u); });
  refuses("pack inverse", nu, nu * W, [&] { inverse_dynamics(batch, qs, us, us, u); });
  refuses("pack kinematics", nu, nu * W, [&] { kinematics(batch, qs, u); });
  refuses("pack mass matrix", nu * nu, nu * nu * W, [&] { mass_matrix(batch, qs, M); });
  refuses("pack multiply", nu, nu * W, [&] { multiply_mass(batch, u, us); });
  refuses("pack solve", nu, nu * W, [&] { solve_mass(batch, us, u); });
}

}  // namespace
}  // namespace polhode::tree
