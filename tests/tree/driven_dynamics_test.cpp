#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "polhode/tree/dynamics.h"
#include "tests/oracle/oracle.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::eps;
using testing_support::near;
using testing_support::Random;

/// A random tree in a random state, some of whose speeds are driven with random accelerations.
struct DrivenCase {
  explicit DrivenCase(unsigned seed, double share = 0.4)
      : mechanism(testing_support::random_mechanism(seed)),
        s(testing_support::random_state(mechanism, seed)),
        w(mechanism),
        n(mechanism.num_u()),
        u_dot(s.u_dot),
        motion_forces(std::size_t(n), -77.0) {
    Random random(seed + 2000);
    for (int b = 0; b < mechanism.num_bodies(); ++b) wrenches.push_back(b == 0 ? Wrench<double>{} : random.wrench(3));
    for (int k = 0; k < n; ++k) {
      driven.push_back(random.chance(share));
      (driven.back() ? p : f).push_back(k);
    }
    const std::vector<double> zero(std::size_t(n), 0.0);
    const std::vector<double> bias_minus_wrenches = oracle::inverse_dynamics(mechanism, s.q, s.u, zero, wrenches);
    bias = Eigen::Map<const Eigen::VectorXd>(bias_minus_wrenches.data(), n);
    tau = Eigen::Map<const Eigen::VectorXd>(s.tau.data(), n);
    M = oracle::mass_matrix(mechanism, s.q);
  }

  void solve() {
    kinematics(w, s.q, s.u);
    forward_dynamics_driven(w, s.tau, wrenches, driven, u_dot, motion_forces);
  }
  /// What a backward stable solver of M_ff x = r leaves: 10 eps cond, ten times over.
  double after_solving() const {
    if (f.empty()) return 100 * eps;
    const Eigen::VectorXd e =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(M(f, f)), Eigen::EigenvaluesOnly).eigenvalues();
    return 100 * eps * e[e.size() - 1] / e[0];
  }
  /// The largest forces that take part.
  double force_scale() const {
    return M.norm() * Eigen::Map<const Eigen::VectorXd>(u_dot.data(), n).norm() + bias.norm() + tau.norm();
  }

  Mechanism mechanism;
  testing_support::RandomState s;
  Workspace w;
  int n;
  std::vector<double> u_dot, motion_forces;
  std::vector<Wrench<double>> wrenches;
  std::vector<char> driven;
  std::vector<int> f, p;  // speeds left to forces, and driven ones
  Eigen::VectorXd bias, tau;
  Eigen::MatrixXd M;
};

constexpr double rounding = 1e-12;  // as in dynamics_test.cpp: some hundred roundings, cancellation by ten

class MixedDynamics : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, MixedDynamics, ::testing::Range(1u, 13u));

// Simbody theory manual (8.20)-(8.22), written out with dense blocks.
TEST_P(MixedDynamics, AgreesWithThePartitionedEquations) {
  DrivenCase c(GetParam());
  c.solve();
  Eigen::VectorXd a(c.n), rho = Eigen::VectorXd::Zero(c.n);
  a(c.p) = Eigen::Map<const Eigen::VectorXd>(c.s.u_dot.data(), c.n)(c.p);
  const Eigen::VectorXd right = (c.tau - c.bias)(c.f) - c.M(c.f, c.p) * a(c.p);
  const Eigen::VectorXd free = Eigen::MatrixXd(c.M(c.f, c.f)).ldlt().solve(right);
  a(c.f) = free;
  rho(c.p) = c.M(c.p, Eigen::all) * a + (c.bias - c.tau)(c.p);
  EXPECT_TRUE(near(c.u_dot, std::vector<double>(a.begin(), a.end()), c.after_solving()));
  EXPECT_TRUE(near(c.motion_forces, std::vector<double>(rho.begin(), rho.end()), c.after_solving(), c.force_scale()));
}

TEST_P(MixedDynamics, LeavesDrivenAccelerationsAsTheyAre) {
  DrivenCase c(GetParam());
  c.solve();
  for (const int k : c.p) EXPECT_EQ(c.u_dot[std::size_t(k)], c.s.u_dot[std::size_t(k)]);
  for (const int k : c.f) EXPECT_EQ(c.motion_forces[std::size_t(k)], 0);
}

TEST_P(MixedDynamics, MotionForcesPutBackAsAppliedForcesGiveTheSameMotion) {
  DrivenCase c(GetParam());
  c.solve();
  std::vector<double> all(std::size_t(c.n)), again(std::size_t(c.n));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = c.s.tau[k] + c.motion_forces[k];
  forward_dynamics(c.w, c.s.q, c.s.u, all, c.wrenches, again);
  const Eigen::VectorXd e = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(c.M, Eigen::EigenvaluesOnly).eigenvalues();
  EXPECT_TRUE(near(again, c.u_dot, 100 * eps * e[c.n - 1] / e[0]));  // the condition of all of M now counts
}

TEST_P(MixedDynamics, IsInverseDynamicsWhenAllIsDriven) {
  DrivenCase c(GetParam(), 2.0);
  c.solve();
  std::vector<double> expected = oracle::inverse_dynamics(c.mechanism, c.s.q, c.s.u, c.s.u_dot, c.wrenches);
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] -= c.s.tau[k];
  EXPECT_TRUE(near(c.motion_forces, expected, rounding));
}

TEST_P(MixedDynamics, IsForwardDynamicsWhenNothingIsDriven) {
  DrivenCase c(GetParam(), -1.0);
  c.solve();
  std::vector<double> plain(std::size_t(c.n));
  kinematics(c.w, c.s.q, c.s.u);
  forward_dynamics_moved(c.w, c.s.tau, c.wrenches, plain);
  // The same operations in the same order; only fused multiply-adds may differ.
  EXPECT_TRUE(near(c.u_dot, plain, c.after_solving()));
}

TEST_P(MixedDynamics, EmptyWrenchesAreNone) {
  DrivenCase c(GetParam());
  std::fill(c.wrenches.begin(), c.wrenches.end(), Wrench<double>{});
  c.solve();
  const std::vector<double> with = c.u_dot;
  c.wrenches.clear();
  c.solve();
  EXPECT_EQ(c.u_dot, with);
}

// Simbody theory manual (8.40): M_ff^-1 on the free speeds, nothing on the others.
TEST_P(MixedDynamics, FactorsOfDrivenMassSolveTheFreeBlock) {
  DrivenCase c(GetParam());
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(c.n);
  const Eigen::VectorXd right = c.tau(c.f), free = Eigen::MatrixXd(c.M(c.f, c.f)).ldlt().solve(right);
  expected(c.f) = free;
  std::vector<double> a(std::size_t(c.n));
  positions(c.w, c.s.q);
  factor_mass(c.w, c.driven);
  solve_mass(c.w, c.s.tau, a);
  EXPECT_TRUE(near(a, std::vector<double>(expected.begin(), expected.end()), c.after_solving()));
  for (const int k : c.p) EXPECT_EQ(a[std::size_t(k)], 0);

  c.solve();  // leaves the same factors
  std::vector<double> again(std::size_t(c.n));
  solve_mass(c.w, c.s.tau, again);
  EXPECT_TRUE(near(again, a, c.after_solving()));
}

TEST_P(MixedDynamics, DoesNotAllocate) {
  DrivenCase c(GetParam());
  EXPECT_EQ(testing_support::allocations_in([&] {
              c.solve();
              factor_mass(c.w, c.driven);
            }),
            0);
}

TEST(MixedDynamicsSizes, NeedMarksForEverySpeed) {
  DrivenCase c(1);
  c.driven.pop_back();
  EXPECT_THROW(c.solve(), std::invalid_argument);
  EXPECT_THROW(factor_mass(c.w, c.driven), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::tree
