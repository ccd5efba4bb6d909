// Accelerations, multipliers and forces of motion against the dense equations put up from definitions, on random mechanisms
// with every kind of joint in the tree and every kind of constraint.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "polhode/tree/realize.h"
#include "tests/oracle/constrained.h"
#include "tests/support/near.h"
#include "tests/support/random_constraints.h"

namespace polhode::tree {
namespace {

using testing_support::Random;
using testing_support::random_constrained;

struct Case {
  State state;
  oracle::Vector tau;
  oracle::Prescribed prescribed{};
};

Eigen::Index rank_of(const Eigen::MatrixXd& G) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(G.transpose());
  qr.setThreshold(1e-4);                        // well away from dependent, so that rounding stays small
  return qr.maxPivot() < 1e-4 ? 0 : qr.rank();  // of entries that are rounding only, nothing counts
}
/// The oracle takes what it can differentiate.
bool has_exact_rows(const Mechanism& m, int element) {
  const int loops = int(m.loop_joints().size());
  if (element >= loops)
    return !std::holds_alternative<std::shared_ptr<const CustomConstraint>>(
        m.constraints()[std::size_t(element - loops)].model);
  const JointModel& model = m.loop_joints()[std::size_t(element)].model;
  return !std::holds_alternative<FunctionBased>(model) && !std::holds_alternative<Custom>(model);
}

/// Some elements in random order, as long as their rows are independent on the speeds that are free: then they contradict
/// nothing, wherever the state is. Of elements that say the same as one that is there, a few are taken as well.
void enable_some(Case& c, Random& random, bool with_twins) {
  const Mechanism& m = c.state.mechanism();
  const oracle::Vector q(c.state.q().begin(), c.state.q().end()), u(c.state.u().begin(), c.state.u().end());
  std::vector<int> free;
  for (int i = 0; i < m.num_u(); ++i)
    if (c.prescribed.driven.empty() || !c.prescribed.driven[std::size_t(i)]) free.push_back(i);
  const int elements = m.num_constraint_elements();
  std::vector<int> order;
  for (int i = 0; i < elements; ++i) order.insert(order.begin() + random.index(i + 1), i);

  std::vector<char> enabled(std::size_t(elements), 0);
  Eigen::MatrixXd G(0, m.num_u());
  Eigen::VectorXd b(0);
  for (const int e : order) {
    if (!has_exact_rows(m, e)) continue;
    std::vector<char> alone(std::size_t(elements), 0);
    alone[std::size_t(e)] = 1;
    const auto rows = oracle::constraint_equations(m, c.state.time(), q, u, alone);
    if (rows.b.size() == 0) continue;
    Eigen::MatrixXd both(G.rows() + rows.G.rows(), m.num_u());
    both.topRows(G.rows()) = G, both.bottomRows(rows.G.rows()) = rows.G;
    const bool independent = both.rows() + 4 <= Eigen::Index(free.size()) && rank_of(both(Eigen::all, free)) == both.rows();
    bool twin = false;  // all of its rows are rows that are there
    if (with_twins && !independent) {
      Eigen::Index same = 0;
      for (Eigen::Index i = 0; i < rows.G.rows(); ++i)
        for (Eigen::Index k = 0; k < G.rows(); ++k)
          if ((G.row(k) - rows.G.row(i)).norm() < 1e-12 && std::abs(b[k] - rows.b[i]) < 1e-12) {
            ++same;
            break;
          }
      twin = same == rows.G.rows();
    }
    if (!independent && !twin) continue;
    enabled[std::size_t(e)] = 1;
    Eigen::VectorXd b_both(b.size() + rows.b.size());
    b_both.head(b.size()) = b, b_both.tail(rows.b.size()) = rows.b;
    G = both, b = b_both;
  }
  for (int e = 0; e < elements; ++e) c.state.enable(e, enabled[std::size_t(e)] != 0);
}

Case random_case(unsigned seed, bool with_twins, bool with_locks) {
  const auto [mechanism, s] = random_constrained(seed, {.forces = true});
  Case c{State(mechanism), {}};
  c.state.set_time(0.3);
  c.state.set_q(s.q), c.state.set_u(s.u), c.state.set_applied_forces(s.tau);
  Random random(seed + 300);
  if (with_locks) {
    c.prescribed.driven.assign(std::size_t(mechanism.num_u()), 0);
    c.prescribed.u_dot.assign(std::size_t(mechanism.num_u()), 0.0);
    for (int body = 1; body < mechanism.num_bodies(); ++body) {
      const Joint& joint = mechanism.joints()[std::size_t(body)];
      if (joint.nu == 0 || !random.chance(0.25)) continue;
      c.state.lock(body, Drive::acceleration);
      for (int i = 0; i < joint.nu; ++i) c.prescribed.driven[std::size_t(joint.first_u + i)] = 1;
    }
  }
  enable_some(c, random, with_twins);
  c.tau = oracle::element_forces(mechanism, s.q, s.u);
  for (std::size_t i = 0; i < c.tau.size(); ++i) c.tau[i] += s.tau[i];
  return c;
}

/// Rows apart by 1e-4 at least, masses and lengths of order one: eight digits of sixteen may be lost in squares.
constexpr double tolerance = 1e-7;

void expect_as_from_definitions(const Case& c) {
  State state = c.state;
  realize(state, Stage::acceleration);
  const oracle::Vector q(state.q().begin(), state.q().end()), u(state.u().begin(), state.u().end());
  const auto exact =
      oracle::constrained_accelerations(state.mechanism(), state.time(), q, u, c.tau, c.prescribed, state.enabled());
  EXPECT_GT(exact.lambda.size(), 4u);
  EXPECT_TRUE(testing_support::near(state.u_dot(), exact.u_dot, tolerance));
  EXPECT_TRUE(testing_support::near(state.multipliers(), exact.lambda, tolerance));
  EXPECT_TRUE(testing_support::near(state.motion_forces(), exact.motion_forces, tolerance));
}

TEST(ConstrainedDynamics, AgreesWithTheDenseEquationsFromDefinitions) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    expect_as_from_definitions(random_case(seed, false, false));
  }
}

TEST(ConstrainedDynamics, GivesTheLeastMultipliersWhereRowsAreRepeated) {
  int with_twins = 0;  // not every draw has some
  for (unsigned seed = 20; seed < 40 && with_twins < 4; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = random_case(seed, true, false);
    const oracle::Vector q(c.state.q().begin(), c.state.q().end()), u(c.state.u().begin(), c.state.u().end());
    const auto G = oracle::constraint_equations(c.state.mechanism(), c.state.time(), q, u, c.state.enabled()).G;
    if (rank_of(G) == G.rows()) continue;
    ++with_twins;
    expect_as_from_definitions(c);
  }
  EXPECT_EQ(with_twins, 4);
}

TEST(ConstrainedDynamics, LeavesLockedSpeedsAloneAndTellsWhatThatTakes) {
  for (unsigned seed = 40; seed < 46; ++seed) {
    SCOPED_TRACE(seed);
    expect_as_from_definitions(random_case(seed, false, true));
  }
}

}  // namespace
}  // namespace polhode::tree
