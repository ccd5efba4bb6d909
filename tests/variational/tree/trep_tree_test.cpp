// The oracle of Johnson & Murphey must itself be right: its recursions against differences, its trees against the other
// oracle's.
#include "tests/oracle/trep_tree.h"

#include <Eigen/LU>

#include "polhode/mechanism/builder.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/poses.h"
#include "tests/oracle/trep_from_mechanism.h"
#include "tests/oracle/trep_lagrangian.h"
#include "tests/support/near.h"
#include "tests/support/random.h"
#include "tests/support/random_frame_tree.h"

namespace polhode::oracle::trep {
namespace {

using testing_support::FrameTreePair;
using testing_support::near;
using testing_support::Random;
using testing_support::random_frame_tree;

constexpr double step = 1e-5;
// Central differences with step h of values up to a few tens: truncation h^2 f'''/6 ~ 1e-9, rounding eps f/h ~ 1e-9.
constexpr double difference_tolerance = 1e-8;

Eigen::VectorXd random_vector(unsigned seed, int n) {
  const std::vector<double> v = Random(seed).vector(n, 1.5);
  return Eigen::Map<const Eigen::VectorXd>(v.data(), n);
}
std::vector<double> standard(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

/// A tree at a random configuration, whose values can be differentiated along any variable or rate.
struct Sample {
  explicit Sample(unsigned seed, Caching caching = Caching::on)
      : pair(random_frame_tree(seed)),
        values(pair.tree, caching),
        n(pair.tree.num_q()),
        q(random_vector(seed + 100, n)),
        v(random_vector(seed + 200, n)) {
    values.write(q, v);
  }

  template <class F>
  auto by_q(int i, F f) {
    return difference(Eigen::VectorXd::Unit(n, i), Eigen::VectorXd::Zero(n), f);
  }
  template <class F>
  auto by_v(int i, F f) {
    return difference(Eigen::VectorXd::Zero(n), Eigen::VectorXd::Unit(n, i), f);
  }
  template <class F>
  auto difference(const Eigen::VectorXd& dq, const Eigen::VectorXd& dv, F f) {
    values.write(q + step * dq, v + step * dv);
    const Eigen::MatrixXd after = f(values);
    values.write(q - step * dq, v - step * dv);
    const Eigen::MatrixXd before = f(values);
    values.write(q, v);
    return Eigen::MatrixXd((after - before) / (2 * step));
  }

  FrameTreePair pair;
  Kinematics values;
  int n;
  Eigen::VectorXd q, v;
};

class TrepTree : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, TrepTree, ::testing::Range(1u, 5u));

TEST_P(TrepTree, DerivativesOfPosesAreTheirSlopes) {
  Sample s(GetParam());
  for (int k = 0; k < int(s.pair.tree.frames.size()); ++k) {
    for (int i = 0; i < s.n; ++i) {
      const auto g = s.by_q(i, [&](Kinematics& t) { return t.g(k); });
      EXPECT_TRUE(near(Eigen::MatrixXd(s.values.g_q(k, i)), g, difference_tolerance, 1));
      for (int j = 0; j < s.n; ++j) {
        const auto g_q = s.by_q(j, [&](Kinematics& t) { return t.g_q(k, i); });
        EXPECT_TRUE(near(Eigen::MatrixXd(s.values.g_qq(k, i, j)), g_q, difference_tolerance, 1));
      }
    }
  }
}

TEST_P(TrepTree, DerivativesOfVelocitiesAreTheirSlopes) {
  Sample s(GetParam());
  for (int k = 0; k < int(s.pair.tree.frames.size()); ++k) {
    for (int i = 0; i < s.n; ++i) {
      const auto v = [&](Kinematics& t) { return t.v(k); };
      EXPECT_TRUE(near(Eigen::MatrixXd(s.values.v_q(k, i)), s.by_q(i, v), difference_tolerance, 1));
      EXPECT_TRUE(near(Eigen::MatrixXd(s.values.v_v(k, i)), s.by_v(i, v), difference_tolerance, 1));
      for (int j = 0; j < s.n; ++j) {
        const auto v_q = [&](Kinematics& t) { return t.v_q(k, i); };
        EXPECT_TRUE(near(Eigen::MatrixXd(s.values.v_qq(k, i, j)), s.by_q(j, v_q), difference_tolerance, 1));
        EXPECT_TRUE(near(Eigen::MatrixXd(s.values.v_qv(k, i, j)), s.by_v(j, v_q), difference_tolerance, 1));
      }
    }
  }
}

// g^-1 dg/dt is the body velocity by its definition.
TEST_P(TrepTree, VelocityIsTheRateOfThePose) {
  Sample s(GetParam());
  for (int k = 0; k < int(s.pair.tree.frames.size()); ++k) {
    const auto g_dot = s.difference(s.v, Eigen::VectorXd::Zero(s.n), [&](Kinematics& t) { return t.g(k); });
    const Eigen::MatrixXd expected = s.values.g(k).inverse() * g_dot;
    EXPECT_TRUE(near(Eigen::MatrixXd(s.values.v(k)), expected, difference_tolerance, 1));
  }
}

TEST_P(TrepTree, DerivativesOfTheLagrangianAreItsSlopes) {
  Sample s(GetParam());
  const auto L = [](Kinematics& t) { return Eigen::MatrixXd::Constant(1, 1, lagrangian(t)); };
  const Eigen::VectorXd q = L_q(s.values), v = L_v(s.values);
  const Eigen::MatrixXd qq = L_qq(s.values), qv = L_qv(s.values), vv = L_vv(s.values);
  for (int i = 0; i < s.n; ++i) {
    EXPECT_NEAR(q[i], s.by_q(i, L)(0, 0), difference_tolerance * 100);  // L is of order 100
    EXPECT_NEAR(v[i], s.by_v(i, L)(0, 0), difference_tolerance * 100);
    EXPECT_TRUE(near(Eigen::MatrixXd(qq.col(i)), s.by_q(i, L_q), difference_tolerance, 10));
    EXPECT_TRUE(near(Eigen::MatrixXd(qv.col(i)), s.by_v(i, L_q), difference_tolerance, 10));
    EXPECT_TRUE(near(Eigen::MatrixXd(vv.col(i)), s.by_v(i, L_v), difference_tolerance, 10));
  }
}

// The same operations in the same order, or fewer of them: not a bit may change.
TEST_P(TrepTree, CachingChangesNothing) {
  Sample with(GetParam(), Caching::on), without(GetParam(), Caching::off);
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(lagrangian(with.values), lagrangian(without.values));
    EXPECT_EQ(L_q(with.values), L_q(without.values));
    EXPECT_EQ(L_v(with.values), L_v(without.values));
    EXPECT_EQ(L_qq(with.values), L_qq(without.values));
    EXPECT_EQ(L_qv(with.values), L_qv(without.values));
    EXPECT_EQ(L_vv(with.values), L_vv(without.values));
    for (Sample* s : {&with, &without}) s->values.write(s->v, s->q);  // nothing of the first configuration may be left
  }
}

// Sums of some tens of terms: rounding of a few hundred eps.
constexpr double rounding = 1e-13;

void expect_same_mechanics(Kinematics& tree, const Mechanism& mechanism, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  tree.write(q, v);
  const Vector q_std = standard(q), v_std = standard(v);
  const auto X_WB = poses(mechanism, q_std);
  for (const polhode::Frame& frame : mechanism.frames()) {
    if (frame.name == ground_name) continue;
    const Transform<double> X_WF = X_WB[frame.body] * frame.X_BF;
    const Eigen::Matrix4d g = tree.g(tree.tree().frame(frame.name));
    for (int row = 0; row < 3; ++row) {
      EXPECT_NEAR(g(row, 3), X_WF.p[row], rounding * 10) << frame.name;
      for (int column = 0; column < 3; ++column) EXPECT_NEAR(g(row, column), X_WF.R(row, column), rounding) << frame.name;
    }
  }
  EXPECT_TRUE(near(L_vv(tree), mass_matrix(mechanism, q_std), rounding));
  const double L = kinetic_energy(mechanism, q_std, v_std) - gravity_energy(mechanism, q_std);
  EXPECT_NEAR(lagrangian(tree), L, rounding * 100);
}

TEST_P(TrepTree, ARandomFrameTreeIsTheSameMechanismToBoth) {
  const FrameTreePair pair = random_frame_tree(GetParam(), {.variables = 12});
  ASSERT_EQ(pair.tree.num_q(), pair.mechanism.num_q());
  Kinematics tree(pair.tree, Caching::on);
  expect_same_mechanics(tree, pair.mechanism, random_vector(GetParam(), 12), random_vector(GetParam() + 50, 12));
}

TEST_P(TrepTree, AMechanismIsTheSameInPrimitiveFrames) {
  Random random(GetParam());
  MechanismBuilder builder;
  const std::vector<JointModel> models{Weld{},   Revolute{}, Prismatic{},   Cylindrical{}, Universal{},
                                       Planar{}, Gimbal{},   Translation{}, Bushing{}};
  std::string parent = ground_name;
  for (std::size_t k = 0; k < 2 * models.size(); ++k) {
    const std::string name = "body" + std::to_string(k);
    const MassProperties box = MassProperties::box(random.uniform(0.5, 2), {0.3, random.uniform(0.4, 0.9), 0.5});
    builder.add_body({.name = name, .mass = transformed(random.transform(0.4), box)});
    builder.add_joint({.name = "joint" + std::to_string(k),
                       .model = models[k % models.size()],
                       .parent = parent,
                       .child = name,
                       .placement = LocalPlacement{random.transform(0.4), random.transform(0.3)},
                       .reversed = k >= models.size()});
    if (random.chance(0.6)) parent = name;
  }
  const Mechanism mechanism = builder.build();
  Kinematics tree(from_mechanism(mechanism).tree, Caching::on);
  const int n = mechanism.num_q();
  expect_same_mechanics(tree, mechanism, random_vector(GetParam(), n), random_vector(GetParam() + 50, n));
}

}  // namespace
}  // namespace polhode::oracle::trep
