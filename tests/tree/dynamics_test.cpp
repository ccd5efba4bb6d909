#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "polhode/tree/dynamics.h"
#include "tests/oracle/oracle.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::eps;
using testing_support::near;
using testing_support::Random;
using testing_support::random_mechanism;
using testing_support::random_state;
using testing_support::RandomState;
using testing_support::TreeOptions;

// Sums over some twenty bodies of products of some ten rounded factors: errors of a few hundred units of 1e-16 relative to
// the largest term, and terms may be ten times larger than their sum.
constexpr double rounding = 1e-12;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
Eigen::Map<const Eigen::VectorXd> eigen(const std::vector<double>& v) { return {v.data(), Eigen::Index(v.size())}; }

/// One random tree in a random state, with the oracle's mass matrix.
struct Case {
  explicit Case(unsigned seed, const TreeOptions& options = {})
      : mechanism(random_mechanism(seed, options)),
        s(random_state(mechanism, seed)),
        w(mechanism),
        n(mechanism.num_u()),
        out(n) {
    Random random(seed + 1000);
    for (int b = 0; b < mechanism.num_bodies(); ++b) wrenches.push_back(b == 0 ? Wrench<double>{} : random.wrench(3));
  }
  Eigen::MatrixXd mass() {
    RowMajor M(n, n);
    mass_matrix(w, s.q, {M.data(), std::size_t(M.size())});
    return M;
  }
  /// Errors of M^-1 f grow with the condition of M; 10 eps cond is what a backward stable solver leaves, times 10 in hand.
  double after_solving() {
    const Eigen::VectorXd eigenvalues =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(mass(), Eigen::EigenvaluesOnly).eigenvalues();
    return 100 * eps * eigenvalues[n - 1] / eigenvalues[0];
  }

  Mechanism mechanism;
  RandomState s;
  Workspace w;
  int n;
  std::vector<double> out;
  std::vector<Wrench<double>> wrenches;
};

class Dynamics : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, Dynamics, ::testing::Range(1u, 13u));

TEST_P(Dynamics, InverseAgreesWithNewtonAndEulerProjectedOnPartialVelocities) {
  Case c(GetParam());
  inverse_dynamics(c.w, c.s.q, c.s.u, c.s.u_dot, c.out);
  EXPECT_TRUE(near(c.out, oracle::inverse_dynamics(c.mechanism, c.s.q, c.s.u, c.s.u_dot), rounding));
}

TEST_P(Dynamics, InverseAgreesWithEulerAndLagrange) {
  Case c(GetParam(), {.bodies = 14, .only_rates_as_speeds = true});
  inverse_dynamics(c.w, c.s.q, c.s.u, c.s.u_dot, c.out);
  EXPECT_TRUE(near(c.out, oracle::euler_lagrange(c.mechanism, c.s.q, c.s.u, c.s.u_dot), rounding));
}

TEST_P(Dynamics, InverseSubtractsWhatWrenchesDo) {
  Case c(GetParam());
  inverse_dynamics(c.w, c.s.q, c.s.u, c.s.u_dot, c.wrenches, c.out);
  EXPECT_TRUE(near(c.out, oracle::inverse_dynamics(c.mechanism, c.s.q, c.s.u, c.s.u_dot, c.wrenches), rounding));
}

TEST_P(Dynamics, BiasIsInverseDynamicsWithoutAcceleration) {
  Case c(GetParam());
  bias_forces(c.w, c.s.q, c.s.u, c.out);
  EXPECT_TRUE(near(c.out, oracle::inverse_dynamics(c.mechanism, c.s.q, c.s.u, std::vector<double>(c.n, 0.0)), rounding));
}

TEST_P(Dynamics, ForwardUndoesInverse) {
  Case c(GetParam());
  std::vector<double> tau(c.n);
  inverse_dynamics(c.w, c.s.q, c.s.u, c.s.u_dot, tau);
  forward_dynamics(c.w, c.s.q, c.s.u, tau, c.out);
  EXPECT_TRUE(near(c.out, c.s.u_dot, c.after_solving()));

  inverse_dynamics(c.w, c.s.q, c.s.u, c.s.u_dot, c.wrenches, tau);
  forward_dynamics(c.w, c.s.q, c.s.u, tau, c.wrenches, c.out);
  EXPECT_TRUE(near(c.out, c.s.u_dot, c.after_solving()));
}

TEST_P(Dynamics, InverseUndoesForward) {
  Case c(GetParam());
  std::vector<double> u_dot(c.n), bias(c.n);
  forward_dynamics(c.w, c.s.q, c.s.u, c.s.tau, u_dot);
  inverse_dynamics(c.w, c.s.q, c.s.u, u_dot, c.out);
  bias_forces(c.w, c.s.q, c.s.u, bias);
  // The residual of a backward stable solver is relative to the largest force that takes part: M du/dt, not tau.
  const double scale = c.mass().norm() * eigen(u_dot).norm() + testing_support::largest(bias);
  EXPECT_TRUE(near(c.out, c.s.tau, rounding, scale));
}

TEST_P(Dynamics, ForwardAgreesWithSolvingTheOraclesEquations) {
  Case c(GetParam());
  forward_dynamics(c.w, c.s.q, c.s.u, c.s.tau, c.out);
  const std::vector<double> zero(c.n, 0.0), bias = oracle::inverse_dynamics(c.mechanism, c.s.q, c.s.u, zero);
  const Eigen::VectorXd expected = oracle::mass_matrix(c.mechanism, c.s.q).ldlt().solve(eigen(c.s.tau) - eigen(bias));
  EXPECT_TRUE(near(c.out, std::vector<double>(expected.begin(), expected.end()), c.after_solving()));
}

TEST_P(Dynamics, MassMatrixIsTheHessianOfKineticEnergy) {
  Case c(GetParam());
  const Eigen::MatrixXd M = c.mass();
  EXPECT_TRUE(near(M, oracle::mass_matrix(c.mechanism, c.s.q), rounding));
  EXPECT_EQ(M, M.transpose());
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues()[0], 0);
}

TEST_P(Dynamics, LowerTriangleLeavesTheUpperAlone) {
  Case c(GetParam());
  const Eigen::MatrixXd both = c.mass();
  RowMajor lower = RowMajor::Constant(c.n, c.n, -77);
  mass_matrix(c.w, c.s.q, {lower.data(), std::size_t(lower.size())}, Triangle::lower);
  for (int i = 0; i < c.n; ++i)
    for (int j = 0; j < c.n; ++j) EXPECT_EQ(lower(i, j), j <= i ? both(i, j) : -77);
}

TEST_P(Dynamics, MassOperatorsAgreeWithTheMatrix) {
  Case c(GetParam());
  const Eigen::MatrixXd M = oracle::mass_matrix(c.mechanism, c.s.q);
  positions(c.w, c.s.q);
  multiply_mass(c.w, c.s.u_dot, c.out);
  const Eigen::VectorXd product = M * eigen(c.s.u_dot);
  EXPECT_TRUE(near(c.out, std::vector<double>(product.begin(), product.end()), rounding, M.norm()));

  factor_mass(c.w);
  for (int repeat = 0; repeat < 2; ++repeat) {  // factors survive a solution
    solve_mass(c.w, c.s.tau, c.out);
    const Eigen::VectorXd solution = M.ldlt().solve(eigen(c.s.tau));
    EXPECT_TRUE(near(c.out, std::vector<double>(solution.begin(), solution.end()), c.after_solving()));
    positions(c.w, c.s.q);
  }
  std::vector<double> in_place = c.s.tau;
  solve_mass(c.w, in_place, in_place);
  EXPECT_EQ(in_place, c.out);

  RowMajor inverse(c.n, c.n);
  inverse_mass_matrix(c.w, {inverse.data(), std::size_t(inverse.size())});
  const Eigen::MatrixXd identity = M * inverse;
  EXPECT_TRUE(near(identity, Eigen::MatrixXd(Eigen::MatrixXd::Identity(c.n, c.n)), c.after_solving()));
}

TEST_P(Dynamics, JacobianGivesTheVelocitiesOfTheBodies) {
  Case c(GetParam());
  std::vector<Motion<double>> V(c.mechanism.num_bodies());
  positions(c.w, c.s.q);
  multiply_jacobian(c.w, c.s.u, V);
  const auto expected = oracle::motions(c.mechanism, c.s.q, c.s.u, c.s.u_dot);
  for (int b = 0; b < c.mechanism.num_bodies(); ++b) EXPECT_TRUE(near(V[b], expected[b].V_WB, rounding, 1));
}

TEST_P(Dynamics, JacobianTransposeKeepsPower) {
  Case c(GetParam());
  std::vector<Motion<double>> V(c.mechanism.num_bodies());
  kinematics(c.w, c.s.q, c.s.u);
  multiply_jacobian(c.w, c.s.u, V);
  multiply_jacobian_transpose(c.w, c.wrenches, c.out);
  double on_bodies = 0, terms = 0;
  for (int b = 1; b < c.mechanism.num_bodies(); ++b)
    on_bodies += dot(c.wrenches[b], V[b]), terms += std::abs(dot(c.wrenches[b], V[b]));
  EXPECT_TRUE(near(eigen(c.out).dot(eigen(c.s.u)), on_bodies, rounding, terms));

  for (int i = 0; i < c.n; ++i) {
    const auto partial = oracle::partial_velocities(c.mechanism, c.s.q, i);
    double expected = 0;
    for (int b = 1; b < c.mechanism.num_bodies(); ++b) expected += dot(c.wrenches[b], partial[b]);
    EXPECT_TRUE(near(c.out[i], expected, rounding, 10)) << "speed " << i;
  }
}

TEST_P(Dynamics, FrameJacobianHasThePartialVelocitiesOfTheFrameAsColumns) {
  Case c(GetParam(), {.forces = true});  // force elements bring frames of their own
  RowMajor J(6, c.n);
  kinematics(c.w, c.s.q, c.s.u);
  for (int frame = 0; frame < int(c.mechanism.frames().size()); ++frame) {
    const Frame& f = c.mechanism.frames()[frame];
    frame_jacobian(c.w, frame, {J.data(), std::size_t(J.size())});
    for (int i = 0; i < c.n; ++i) {
      const Motion<double> of_body = oracle::partial_velocities(c.mechanism, c.s.q, i)[f.body];
      const Motion<double> expected = shifted(of_body, pose(c.w, f.body).R * f.X_BF.p);
      EXPECT_TRUE(near(Eigen::MatrixXd(J.col(i)), expected, rounding, 1)) << f.name << ", speed " << i;
    }
  }
}

TEST_P(Dynamics, EnergyMomentumAndCentreOfMassAreSumsOverBodies) {
  Case c(GetParam());
  kinematics(c.w, c.s.q, c.s.u);
  EXPECT_TRUE(near(kinetic_energy(c.w), oracle::kinetic_energy(c.mechanism, c.s.q, c.s.u), rounding));
  EXPECT_TRUE(near(momentum(c.w), oracle::momentum(c.mechanism, c.s.q, c.s.u), rounding));
  EXPECT_TRUE(near(center_of_mass(c.w), oracle::center_of_mass(c.mechanism, c.s.q), rounding, 1));
}

TEST(DynamicsOfLongRuns, KeepTheirDigits) {
  // Run lengths that are and are not multiples of the width that the scalar mass matrix works in.
  for (const int links : {1, 2, 3, 4, 5, 8, 13}) {
    const Mechanism mechanism = testing_support::random_chain(unsigned(links), links);
    const auto s = random_state(mechanism, 5);
    Workspace w(mechanism);
    RowMajor M(links, links);
    mass_matrix(w, s.q, {M.data(), std::size_t(M.size())});
    EXPECT_TRUE(near(Eigen::MatrixXd(M), oracle::mass_matrix(mechanism, s.q), rounding)) << links << " links";
  }
}

TEST(DynamicsOfMasslessBodies, GoThroughThemToWhatTheyCarry) {
  // A cross of two massless hinges and a rigid body is a universal joint: the same equations must come out.
  const MassProperties mass = MassProperties::box(1.3, {0.2, 0.5, 0.9}, {0.1, 0.2, -0.4});
  const Mat3<double> z_along_x = rotation_y(pi / 2), z_along_y = rotation_x(-pi / 2);
  MechanismBuilder cross, direct;
  cross.add_body({.name = "cross"}).add_body({.name = "rod", .mass = mass});
  cross.add_joint(
      {.name = "x", .model = Revolute{}, .child = "cross", .placement = LocalPlacement{{z_along_x, {}}, {z_along_x, {}}}});
  cross.add_joint({.name = "y",
                   .model = Revolute{},
                   .parent = "cross",
                   .child = "rod",
                   .placement = LocalPlacement{{z_along_y, {}}, {z_along_y, {}}}});
  direct.add_body({.name = "rod", .mass = mass});
  direct.add_joint({.name = "joint", .model = Universal{}, .child = "rod"});
  const Mechanism a = cross.build(), b = direct.build();
  Workspace w_a(a), w_b(b);
  const std::vector<double> q{0.4, -0.7}, u{1.2, 0.8}, tau{0.3, -0.2};
  std::vector<double> u_dot_a(2), u_dot_b(2);
  forward_dynamics(w_a, q, u, tau, u_dot_a);
  forward_dynamics(w_b, q, u, tau, u_dot_b);
  EXPECT_TRUE(near(u_dot_a, u_dot_b, rounding));
}

TEST(RandomTrees, ContainWhatTheTestsAreMeantToCover) {
  std::vector<bool> type(std::variant_size_v<JointModel>), type_reversed(type.size());
  bool massless_inside = false, particle = false, line = false, branches = false;
  for (unsigned seed = 1; seed < 13; ++seed) {
    const Mechanism m = random_mechanism(seed);
    std::vector<int> children(m.num_bodies());
    for (int b = 1; b < m.num_bodies(); ++b) {
      (m.joints()[b].reversed ? type_reversed : type)[m.joints()[b].model.index()] = true;
      const MassStructure matter = structure(m.bodies()[b].mass);
      massless_inside |= matter == MassStructure::massless && m.joints()[b].nu > 0;
      particle |= matter == MassStructure::particle;
      line |= matter == MassStructure::line;
      branches |= ++children[m.bodies()[b].parent] > 1 && m.bodies()[b].parent > 0;
    }
  }
  EXPECT_EQ(std::count(type.begin(), type.end(), true), std::ptrdiff_t(type.size()));
  EXPECT_EQ(std::count(type_reversed.begin(), type_reversed.end(), true), std::ptrdiff_t(type.size()));
  EXPECT_TRUE(massless_inside);
  EXPECT_TRUE(particle);
  EXPECT_TRUE(line);
  EXPECT_TRUE(branches);
}

}  // namespace
}  // namespace polhode::tree
