#include "polhode/tree/batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using testing_support::random_state;
using testing_support::RandomState;

// One algorithm in two orders of summation: some hundred roundings.
constexpr double rounding = 1e-12;
// Accelerations solve with M, whose condition in these trees is 1e4 to 1e6: 1e-16 times that, and a digit in hand.
constexpr double after_solving = 1e-9;

/// A mechanism with as many states as a pack has lanes, side by side.
struct Pack {
  explicit Pack(unsigned seed)
      : mechanism(testing_support::random_mechanism(seed)), batch(mechanism), one(mechanism), width(batch.width()) {
    for (int lane = 0; lane < width; ++lane) states.push_back(random_state(mechanism, 100 * seed + unsigned(lane)));
    q = gathered(&RandomState::q), u = gathered(&RandomState::u), u_dot = gathered(&RandomState::u_dot),
    tau = gathered(&RandomState::tau);
    out.resize(u.size());
  }
  std::vector<double> gathered(std::vector<double> RandomState::*what) const {
    std::vector<double> all((states[0].*what).size() * width);
    for (int lane = 0; lane < width; ++lane)
      for (std::size_t i = 0; i < (states[lane].*what).size(); ++i) all[i * width + lane] = (states[lane].*what)[i];
    return all;
  }
  std::vector<double> of_lane(const std::vector<double>& all, int lane) const {
    std::vector<double> one_lane(all.size() / width);
    for (std::size_t i = 0; i < one_lane.size(); ++i) one_lane[i] = all[i * width + lane];
    return one_lane;
  }

  Mechanism mechanism;
  BatchWorkspace batch;
  Workspace one;
  int width;
  std::vector<RandomState> states;
  std::vector<double> q, u, u_dot, tau, out;
};

class Batch : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, Batch, ::testing::Range(1u, 7u));

TEST_P(Batch, MovesEveryCopyAsIfAlone) {
  Pack p(GetParam());
  kinematics(p.batch, p.q, p.u);
  for (int lane = 0; lane < p.width; ++lane) {
    kinematics(p.one, p.states[lane].q, p.states[lane].u);
    for (int b = 0; b < p.mechanism.num_bodies(); ++b) {
      EXPECT_TRUE(near(pose(p.batch, b, lane), pose(p.one, b), rounding));
      EXPECT_TRUE(near(velocity(p.batch, b, lane), velocity(p.one, b), rounding, 1));
    }
    EXPECT_TRUE(near(kinetic_energy(p.batch, lane), kinetic_energy(p.one), rounding));
  }
}

TEST_P(Batch, SolvesEveryCopyAsIfAlone) {
  Pack p(GetParam());
  std::vector<double> expected(p.mechanism.num_u()), inverse(p.u.size());
  forward_dynamics(p.batch, p.q, p.u, p.tau, p.out);
  inverse_dynamics(p.batch, p.q, p.u, p.u_dot, inverse);
  for (int lane = 0; lane < p.width; ++lane) {
    const RandomState& s = p.states[lane];
    forward_dynamics(p.one, s.q, s.u, s.tau, expected);
    EXPECT_TRUE(near(p.of_lane(p.out, lane), expected, after_solving)) << "lane " << lane;
    inverse_dynamics(p.one, s.q, s.u, s.u_dot, expected);
    EXPECT_TRUE(near(p.of_lane(inverse, lane), expected, rounding)) << "lane " << lane;
  }
}

TEST_P(Batch, HasTheMassMatricesAndOperatorsOfEveryCopy) {
  Pack p(GetParam());
  const int n = p.mechanism.num_u();
  std::vector<double> M(std::size_t(n) * n * p.width), M_one(std::size_t(n) * n), product(p.u.size()), expected(n);
  mass_matrix(p.batch, p.q, M);
  kinematics(p.batch, p.q, p.u);
  multiply_mass(p.batch, p.u_dot, product);
  factor_mass(p.batch);
  solve_mass(p.batch, p.tau, p.out);
  for (int lane = 0; lane < p.width; ++lane) {
    const RandomState& s = p.states[lane];
    mass_matrix(p.one, s.q, M_one, Triangle::lower);
    std::vector<double> lower, lower_one;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        lower.push_back(M[(std::size_t(i) * n + j) * p.width + lane]), lower_one.push_back(M_one[std::size_t(i) * n + j]);
    EXPECT_TRUE(near(lower, lower_one, rounding)) << "lane " << lane;
    kinematics(p.one, s.q, s.u);
    multiply_mass(p.one, s.u_dot, expected);
    EXPECT_TRUE(near(p.of_lane(product, lane), expected, rounding)) << "lane " << lane;
    factor_mass(p.one);
    solve_mass(p.one, s.tau, expected);
    EXPECT_TRUE(near(p.of_lane(p.out, lane), expected, after_solving)) << "lane " << lane;
  }
}

TEST_P(Batch, KeepsTheCopiesApart) {
  // What one copy does must not change a bit of another, were it not a number or far beyond the range of fast sines.
  Pack p(GetParam());
  std::vector<double> clean(p.u.size()), clean_inverse(p.u.size()), inverse(p.u.size());
  forward_dynamics(p.batch, p.q, p.u, p.tau, clean);
  inverse_dynamics(p.batch, p.q, p.u, p.u_dot, clean_inverse);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 1e9}) {
    for (int lane = 0; lane < p.width; ++lane) {
      auto q = p.q, u = p.u;
      for (std::size_t i = lane; i < q.size(); i += p.width) q[i] = bad;
      for (std::size_t i = lane; i < u.size(); i += p.width) u[i] = bad;
      forward_dynamics(p.batch, q, u, p.tau, p.out);
      inverse_dynamics(p.batch, q, u, p.u_dot, inverse);
      for (int other = 0; other < p.width; ++other) {
        if (other == lane) continue;
        EXPECT_EQ(p.of_lane(p.out, other), p.of_lane(clean, other));
        EXPECT_EQ(p.of_lane(inverse, other), p.of_lane(clean_inverse, other));
      }
      for (const double x : p.of_lane(p.out, lane)) EXPECT_TRUE(!std::isnan(bad) || std::isnan(x));
    }
  }
}

}  // namespace
}  // namespace polhode::tree
