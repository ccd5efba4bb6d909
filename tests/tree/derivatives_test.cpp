#include "polhode/tree/derivatives.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "polhode/tree/applied_forces.h"
#include "tests/oracle/trep_lagrangian.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/support/random_frame_tree.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using Numbers1 = std::vector<double>;

/// Six digits per matrix product of order one, some tens of them on the way.
constexpr double rounding = 1e-12;

std::vector<double> flat(const Eigen::Matrix4d& g) {
  std::vector<double> all;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) all.push_back(g(row, column));
  return all;
}
std::vector<double> flat(const Mat3<double>& R, const Vec3<double>& p) {
  std::vector<double> all;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) all.push_back(R(row, column));
    all.push_back(p[row]);
  }
  return all;
}
std::vector<double> flat(const PoseDerivative& X) { return flat(X.R, X.p); }
/// The oracle's velocities are linear over angular.
Motion<double> motion(const Eigen::Matrix4d& hat) {
  const auto x = oracle::trep::unhat(hat);
  return {{x[3], x[4], x[5]}, {x[0], x[1], x[2]}};
}

// ---- Against the recursions of seed 000, on trees of its own kind.

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
    EXPECT_TRUE(near(flat(f.X_WF.R, f.X_WF.p), flat(seed.g(k)), rounding));
    EXPECT_TRUE(near(f.V, motion(seed.v(k)), rounding, 1));
    EXPECT_EQ(f.chart, f.speeds);
    for (std::size_t a = 0; a < n; ++a) {
      const int i = f.chart[a];
      EXPECT_TRUE(near(flat(f.X_q[a]), flat(seed.g_q(k, i)), rounding, 1));
      EXPECT_TRUE(near(f.V_q[a], motion(seed.v_q(k, i)), rounding, 1));
      EXPECT_TRUE(near(f.V_u[a], motion(seed.v_v(k, i)), rounding, 1));
      for (std::size_t b = 0; b < n; ++b) {
        const int j = f.chart[b];
        EXPECT_TRUE(near(flat(f.X_qq[a * n + b]), flat(seed.g_qq(k, i, j)), rounding, 1));
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

// ---- Against differences, with joints of every type.

/// Values at q (+) theta and u, by the O(n) algorithms of the room: poses and velocities of some frames, and L.
class Values {
 public:
  Values(const Mechanism& mechanism, const Numbers1& q, const Numbers1& u, std::vector<int> frames)
      : mechanism_(mechanism), w_(mechanism), q_(q), u_(u), frames_(std::move(frames)) {}

  /// Per frame 12 numbers of the pose and 6 of the body velocity, then L.
  Eigen::VectorXd at(const Numbers1& theta, const Numbers1& du) {
    Numbers1 q(q_.size()), u = u_;
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += du[k];
    for (const Joint& joint : mechanism_.joints())
      std::visit(
          [&](const auto& model) {
            model.retract(q_.data() + joint.first_q, theta.data() + joint.first_chart, q.data() + joint.first_q);
          },
          joint.model);
    kinematics(w_, q, u);
    read_bodies(w_);
    Numbers1 all;
    for (const int frame : frames_) {
      const Frame& f = mechanism_.frames()[frame];
      const Transform<double> X_WF = w_.X_WB[f.body] * f.X_BF;
      const Motion<double> V = transpose(X_WF.R) * shifted(w_.V_WB[f.body], w_.X_WB[f.body].R * f.X_BF.p);
      for (const double x : flat(X_WF.R, X_WF.p)) all.push_back(x);
      for (const double x : testing_support::numbers(V)) all.push_back(x);
    }
    all.push_back(kinetic_energy(w_) - potential_energy(w_, 0, q));
    return Eigen::Map<const Eigen::VectorXd>(all.data(), Eigen::Index(all.size()));
  }

 private:
  const Mechanism& mechanism_;
  Workspace w_;
  Numbers1 q_, u_;
  std::vector<int> frames_;
};

/// Richardson's limit of a formula whose error is even in h: what is left is h^6, some 1e-13, and the rounding.
Eigen::VectorXd limit(const std::function<Eigen::VectorXd(double h)>& formula) {
  const double h = 0.016;
  const Eigen::VectorXd a = formula(h), b = formula(h / 2), c = formula(h / 4);
  const Eigen::VectorXd ab = (4 * b - a) / 3, bc = (4 * c - b) / 3;
  return (16 * bc - ab) / 15;
}

/// Derivatives of Values by variables numbered chart first, speeds after.
class Measured {
 public:
  Measured(const Mechanism& mechanism, const Numbers1& q, const Numbers1& u, const std::vector<int>& frames)
      : values_(mechanism, q, u, frames), n_(mechanism.num_chart()), m_(mechanism.num_u()) {}

  Eigen::VectorXd by(int i) {
    return limit([&](double h) { return Eigen::VectorXd((shifted_by(i, h) - shifted_by(i, -h)) / (2 * h)); });
  }
  Eigen::VectorXd by(int i, int j) {
    return limit([&](double h) {
      const auto at = [&](double by_i, double by_j) { return shifted_by(i, by_i, j, by_j); };
      return Eigen::VectorXd((at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4 * h * h));
    });
  }
  int speed(int k) const { return n_ + k; }

 private:
  Eigen::VectorXd shifted_by(int i, double by_i, int j = 0, double by_j = 0) {
    Numbers1 theta(n_, 0.0), du(m_, 0.0);
    (i < n_ ? theta[i] : du[i - n_]) += by_i;
    (j < n_ ? theta[j] : du[j - n_]) += by_j;
    return values_.at(theta, du);
  }
  Values values_;
  int n_, m_;
};

void expect_frame_derivatives(const FrameDerivatives& f, int place, Measured& measured, double tolerance) {
  const auto pose_part = [&](const Eigen::VectorXd& v) { return Eigen::MatrixXd(v.segment(18 * place, 12)); };
  const auto velocity_part = [&](const Eigen::VectorXd& v) { return Eigen::MatrixXd(v.segment(18 * place + 12, 6)); };
  const std::size_t n = f.chart.size(), m = f.speeds.size();
  const double scale = 5;  // velocities and their derivatives are some units in trees of this size
  for (std::size_t a = 0; a < n; ++a) {
    const Eigen::VectorXd slope = measured.by(f.chart[a]);
    EXPECT_TRUE(near(flat(f.X_q[a]), pose_part(slope), tolerance, scale));
    EXPECT_TRUE(near(f.V_q[a], velocity_part(slope), tolerance, scale));
    for (std::size_t b = 0; b <= a; ++b) {
      const Eigen::VectorXd second = measured.by(f.chart[a], f.chart[b]);
      for (const std::size_t at : {a * n + b, b * n + a}) {
        EXPECT_TRUE(near(flat(f.X_qq[at]), pose_part(second), tolerance, scale));
        EXPECT_TRUE(near(f.V_qq[at], velocity_part(second), tolerance, scale));
      }
    }
    for (std::size_t k = 0; k < m; ++k)
      EXPECT_TRUE(
          near(f.V_qu[a * m + k], velocity_part(measured.by(f.chart[a], measured.speed(f.speeds[k]))), tolerance, scale));
  }
  for (std::size_t k = 0; k < m; ++k)
    EXPECT_TRUE(near(f.V_u[k], velocity_part(measured.by(measured.speed(f.speeds[k]))), tolerance, scale));
}

void expect_lagrangian_derivatives(const LagrangianDerivatives& L, const Mechanism& mechanism, Measured& measured,
                                   double tolerance) {
  const int n = mechanism.num_chart(), m = mechanism.num_u();
  const auto last = [](const Eigen::VectorXd& v) { return v[v.size() - 1]; };
  const double scale = std::max(testing_support::largest(L.L_qq), testing_support::largest(L.L_uu));
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(L.L_q[i], last(measured.by(i)), tolerance * scale);
    for (int j = 0; j <= i; ++j) {
      const double second = last(measured.by(i, j));
      EXPECT_NEAR(L.L_qq[std::size_t(i) * n + j], second, tolerance * scale) << i << " " << j;
      EXPECT_NEAR(L.L_qq[std::size_t(j) * n + i], second, tolerance * scale) << i << " " << j;
    }
    for (int k = 0; k < m; ++k)
      EXPECT_NEAR(L.L_qu[std::size_t(i) * m + k], last(measured.by(i, measured.speed(k))), tolerance * scale) << i << " " << k;
  }
  for (int k = 0; k < m; ++k) {
    EXPECT_NEAR(L.L_u[k], last(measured.by(measured.speed(k))), tolerance * scale);
    for (int l = 0; l < m; ++l)
      EXPECT_NEAR(L.L_uu[std::size_t(k) * m + l], last(measured.by(measured.speed(k), measured.speed(l))), tolerance * scale);
  }
}

/// Checks everything on one mechanism: the frames of the last bodies, which are the deepest, and those that springs hold.
void expect_all_derivatives(const Mechanism& mechanism, unsigned seed, double tolerance) {
  const auto s = testing_support::random_state(mechanism, seed);
  std::vector<int> frames{mechanism.num_bodies() - 1, mechanism.num_bodies() - 2};
  if (int(mechanism.frames().size()) > mechanism.num_bodies()) frames.push_back(mechanism.num_bodies() + 1);
  Measured measured(mechanism, s.q, s.u, frames);
  Derivatives derivatives(mechanism);
  derivatives.set(s.q, s.u);
  for (int place = 0; place < int(frames.size()); ++place) {
    SCOPED_TRACE("frame " + mechanism.frames()[frames[place]].name);
    FrameDerivatives f(mechanism, frames[place]);
    derivatives.frame(f);
    expect_frame_derivatives(f, place, measured, tolerance);
  }
  LagrangianDerivatives L(mechanism);
  derivatives.lagrangian(0, L);
  expect_lagrangian_derivatives(L, mechanism, measured, tolerance);
}

bool has_users_joint(const Mechanism& mechanism) {
  for (const Joint& joint : mechanism.joints())
    if (std::holds_alternative<Custom>(joint.model)) return true;
  return false;
}

// Second differences with h = 0.004 lose eps/h^2 ~ 1e-11 of values of order 10; the joints' nonlinearity takes the rest.
TEST(Derivatives, AreTheLimitsOfDifferencesForEveryJointType) {
  std::set<std::string_view> types;
  for (unsigned seed = 1; seed <= 14; ++seed) {
    const Mechanism mechanism = testing_support::random_mechanism(seed, {.bodies = 7, .forces = true, .conservative = true});
    if (has_users_joint(mechanism)) continue;
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    for (const Joint& joint : mechanism.joints()) types.insert(type_name(joint.model));
    expect_all_derivatives(mechanism, seed, 2e-8);
  }
  EXPECT_EQ(types.size(), std::variant_size_v<JointModel> - 1);  // all but users' own
}

TEST(Derivatives, OfUsersJointsAreRightToWhatDifferencesGive) {
  int found = 0;
  for (unsigned seed = 1; seed <= 12 && found < 2; ++seed) {
    const Mechanism mechanism = testing_support::random_mechanism(seed, {.bodies = 7});
    if (!has_users_joint(mechanism)) continue;
    ++found;
    expect_all_derivatives(mechanism, seed, 1e-6);  // ten times the 1e-7 that is promised
  }
  EXPECT_EQ(found, 2);
}

/// -k/r between a body and Ground's origin, and a torque's potential on the first speed's coordinate.
class Attraction : public Potential {
 public:
  Attraction(int body, int q, int u) : body_(body), q_(q), u_(u) {}
  double energy(const Configuration& c) const override { return -3 / norm(c.X_WB[body_].p) + std::cos(c.q[q_]); }
  void add_forces(const Configuration& c, AppliedForces& forces) const override {
    const Vec3<double> p = c.X_WB[body_].p;
    const double r = norm(p);
    forces.add_force_at(body_, p, (-3 / (r * r * r)) * p);
    forces.generalized[u_] += std::sin(c.q[q_]);
  }

 private:
  int body_, q_, u_;
};

TEST(Derivatives, CountUsersPotentials) {
  testing_support::Random random(5);
  MechanismBuilder builder;
  std::string parent = ground_name;
  const std::vector<JointModel> models{Ball{}, Revolute{}, LineOrientation{}, Free{}};
  for (std::size_t k = 0; k < models.size(); ++k) {
    const std::string name = "body" + std::to_string(k);
    const MassProperties mass = transformed(random.transform(0.3), MassProperties::box(1, {0.3, 0.5, 0.7}));
    builder.add_body({.name = name, .mass = mass});
    builder.add_joint({.name = "joint" + std::to_string(k),
                       .model = models[k],
                       .parent = parent,
                       .child = name,
                       .placement = LocalPlacement{{random.rotation(), {0.9, 0.4, 0.3}}, random.transform(0.4)}});
    parent = name;
  }
  builder.add_potential([](const Mechanism& m) {
    return std::make_shared<Attraction>(m.body("body3"), m.coordinate("joint1"), m.speed("joint1'"));
  });
  expect_all_derivatives(builder.build(), 4, 1e-8);
}

TEST(Derivatives, DoNotAllocateOnceTheirMemoryIsSized) {
  const Mechanism mechanism = testing_support::random_mechanism(2, {.forces = true, .conservative = true});
  const auto s = testing_support::random_state(mechanism, 2);
  Derivatives derivatives(mechanism);
  FrameDerivatives f(mechanism, mechanism.num_bodies() - 1);
  LagrangianDerivatives L(mechanism);
  EXPECT_EQ(testing_support::allocations_in([&] {
              derivatives.set(s.q, s.u);
              derivatives.frame(f);
              derivatives.lagrangian(0, L);
            }),
            0);
}

// The mass matrix and the momenta M u, by the room's own algorithms, on a tree with every type of joint.
TEST(Derivatives, OfTheKineticEnergyAreTheMassMatrixAndItsProduct) {
  const Mechanism mechanism = testing_support::random_mechanism(3);
  const auto s = testing_support::random_state(mechanism, 3);
  const int n = mechanism.num_u();
  Derivatives derivatives(mechanism);
  LagrangianDerivatives L(mechanism);
  derivatives.set(s.q, s.u);
  derivatives.lagrangian(0, L);
  Workspace w(mechanism);
  Numbers1 M(std::size_t(n) * n), p(n);
  mass_matrix(w, s.q, M);
  multiply_mass(w, s.u, p);
  EXPECT_TRUE(near(L.L_uu, M, rounding));
  EXPECT_TRUE(near(L.L_u, p, rounding));
}

TEST(Derivatives, OfAFrameOnGroundAreNone) {
  const Mechanism mechanism = testing_support::random_mechanism(3);
  const auto s = testing_support::random_state(mechanism, 3);
  Derivatives derivatives(mechanism);
  FrameDerivatives ground(mechanism, 0);
  derivatives.set(s.q, s.u);
  derivatives.frame(ground);
  EXPECT_TRUE(ground.chart.empty() && ground.V_qq.empty());
  EXPECT_EQ(ground.X_WF, Transform<double>{});
}

TEST(Derivatives, RefuseWrongSizesAndFrames) {
  const Mechanism mechanism = testing_support::random_mechanism(3);
  Derivatives derivatives(mechanism);
  EXPECT_THROW(derivatives.set(Numbers1(3), Numbers1(mechanism.num_u())), std::invalid_argument);
  EXPECT_THROW(FrameDerivatives(mechanism, 1000), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::tree
