// The derivatives against the recursions of Johnson & Murphey, on trees of its own kind.
#include <gtest/gtest.h>

#include "polhode/tree/derivatives.h"
#include "tests/oracle/trep_lagrangian.h"
#include "tests/support/near.h"
#include "tests/support/random_frame_tree.h"
#include "tests/support/random_mechanism.h"
#include "tests/tree/pose_numbers.h"

namespace polhode::tree {
namespace {

using testing_support::near;

/// Products of some ten matrices of order one, and sums of some tens of them.
constexpr double rounding = 1e-12;

std::vector<double> seed_numbers(const Eigen::Matrix4d& g) {
  std::vector<double> all;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) all.push_back(g(row, column));
  return all;
}
/// The oracle's velocities are linear over angular.
Motion<double> motion(const Eigen::Matrix4d& hat) {
  const auto x = oracle::trep::unhat(hat);
  return {{x[3], x[4], x[5]}, {x[0], x[1], x[2]}};
}

class DerivativesOfFrameTrees : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, DerivativesOfFrameTrees, ::testing::Range(1u, 7u));

TEST_P(DerivativesOfFrameTrees, AreThoseOfTheSeed) {
  const auto pair = testing_support::random_frame_tree(GetParam(), {.variables = 9});
  const auto s = testing_support::random_state(pair.mechanism, GetParam());
  oracle::trep::Kinematics seed(pair.tree, oracle::trep::Caching::on);
  seed.write(Eigen::Map<const Eigen::VectorXd>(s.q.data(), 9), Eigen::Map<const Eigen::VectorXd>(s.u.data(), 9));
  Derivatives derivatives(pair.mechanism);
  derivatives.set(s.q, s.u);

  for (int k = 0; k < int(pair.tree.frames.size()); ++k) {
    FrameDerivatives f(pair.mechanism, pair.frame_of[k]);
    derivatives.frame(f);
    const std::size_t n = f.chart.size();
    EXPECT_TRUE(near(pose_numbers(f.X_WF.R, f.X_WF.p), seed_numbers(seed.g(k)), rounding));
    EXPECT_TRUE(near(f.V, motion(seed.v(k)), rounding, 1));
    EXPECT_EQ(f.chart, f.speeds);
    for (std::size_t a = 0; a < n; ++a) {
      const int i = f.chart[a];
      EXPECT_TRUE(near(pose_numbers(f.X_q[a]), seed_numbers(seed.g_q(k, i)), rounding, 1));
      EXPECT_TRUE(near(f.V_q[a], motion(seed.v_q(k, i)), rounding, 1));
      EXPECT_TRUE(near(f.V_u[a], motion(seed.v_v(k, i)), rounding, 1));
      for (std::size_t b = 0; b < n; ++b) {
        const int j = f.chart[b];
        EXPECT_TRUE(near(pose_numbers(f.X_qq[a * n + b]), seed_numbers(seed.g_qq(k, i, j)), rounding, 1));
        EXPECT_TRUE(near(f.V_qq[a * n + b], motion(seed.v_qq(k, i, j)), rounding, 1));
        EXPECT_TRUE(near(f.V_qu[a * n + b], motion(seed.v_qv(k, i, j)), rounding, 1));
      }
    }
    // What the lists leave out does not move the frame.
    int moving = 0;
    for (int i = 0; i < 9; ++i) moving += seed.moves(i, k);
    EXPECT_EQ(moving, int(n));
  }
}

TEST_P(DerivativesOfFrameTrees, OfTheLagrangianAreThoseOfTheSeed) {
  const auto pair = testing_support::random_frame_tree(GetParam(), {.variables = 12});
  const auto s = testing_support::random_state(pair.mechanism, GetParam());
  oracle::trep::Kinematics seed(pair.tree, oracle::trep::Caching::on);
  seed.write(Eigen::Map<const Eigen::VectorXd>(s.q.data(), 12), Eigen::Map<const Eigen::VectorXd>(s.u.data(), 12));
  Derivatives derivatives(pair.mechanism);
  LagrangianDerivatives L(pair.mechanism);
  derivatives.set(s.q, s.u);
  derivatives.lagrangian(0, L);
  EXPECT_NEAR(L.L, oracle::trep::lagrangian(seed), rounding * 100);
  EXPECT_TRUE(near(L.L_q, Eigen::MatrixXd(oracle::trep::L_q(seed)), rounding));
  EXPECT_TRUE(near(L.L_u, Eigen::MatrixXd(oracle::trep::L_v(seed)), rounding));
  EXPECT_TRUE(near(L.L_qq, oracle::trep::L_qq(seed), rounding));
  EXPECT_TRUE(near(L.L_qu, oracle::trep::L_qv(seed), rounding));
  EXPECT_TRUE(near(L.L_uu, oracle::trep::L_vv(seed), rounding));
}

}  // namespace
}  // namespace polhode::tree
