#include "polhode/tree/derivatives.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <set>

#include "polhode/tree/applied_forces.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"
#include "tests/tree/pose_numbers.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using List = std::vector<double>;

/// Products of some ten matrices of order one, and sums of some tens of them.
constexpr double rounding = 1e-12;

/// Values at q (+) theta and u, by the O(n) algorithms of the room: poses and velocities of some frames, and L.
class Values {
 public:
  Values(const Mechanism& mechanism, const List& q, const List& u, std::vector<int> frames)
      : mechanism_(mechanism), w_(mechanism), q_(q), u_(u), frames_(std::move(frames)) {}

  /// Per frame 12 numbers of the pose and 6 of the body velocity, then L.
  Eigen::VectorXd at(const List& theta, const List& du) {
    List q(q_.size()), u = u_;
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += du[k];
    for (const Joint& joint : mechanism_.joints())
      std::visit(
          [&](const auto& model) {
            model.retract(q_.data() + joint.first_q, theta.data() + joint.first_chart, q.data() + joint.first_q);
          },
          joint.model);
    kinematics(w_, q, u);
    read_bodies(w_);
    List all;
    for (const int frame : frames_) {
      const Frame& f = mechanism_.frames()[frame];
      const Transform<double> X_WF = w_.X_WB[f.body] * f.X_BF;
      const Motion<double> V = transpose(X_WF.R) * shifted(w_.V_WB[f.body], w_.X_WB[f.body].R * f.X_BF.p);
      for (const double x : pose_numbers(X_WF.R, X_WF.p)) all.push_back(x);
      for (const double x : testing_support::numbers(V)) all.push_back(x);
    }
    all.push_back(kinetic_energy(w_) - potential_energy(w_, 0, q));
    return Eigen::Map<const Eigen::VectorXd>(all.data(), Eigen::Index(all.size()));
  }

 private:
  const Mechanism& mechanism_;
  Workspace w_;
  List q_, u_;
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
  Measured(const Mechanism& mechanism, const List& q, const List& u, const std::vector<int>& frames)
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
    List theta(n_, 0.0), du(m_, 0.0);
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
    EXPECT_TRUE(near(pose_numbers(f.X_q[a]), pose_part(slope), tolerance, scale));
    EXPECT_TRUE(near(f.V_q[a], velocity_part(slope), tolerance, scale));
    for (std::size_t b = 0; b <= a; ++b) {
      const Eigen::VectorXd second = measured.by(f.chart[a], f.chart[b]);
      for (const std::size_t at : {a * n + b, b * n + a}) {
        EXPECT_TRUE(near(pose_numbers(f.X_qq[at]), pose_part(second), tolerance, scale));
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

/// Checks everything on one mechanism, on every frame.
void expect_all_derivatives(const Mechanism& mechanism, unsigned seed, double tolerance) {
  const auto s = testing_support::random_state(mechanism, seed);
  std::vector<int> frames(mechanism.frames().size());
  std::iota(frames.begin(), frames.end(), 0);
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

// Second differences with h = 0.004 lose eps/h^2 ~ 1e-11 of values of order 10; h^6 times high derivatives may be as much.
TEST(Derivatives, AreTheLimitsOfDifferencesForEveryJointType) {
  std::set<std::string_view> types;
  for (unsigned seed = 1; seed <= 14; ++seed) {
    const Mechanism mechanism = testing_support::random_mechanism(seed, {.bodies = 7, .forces = true, .conservative = true});
    if (has_users_joint(mechanism)) continue;
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    for (const Joint& joint : mechanism.joints()) types.insert(type_name(joint.model));
    expect_all_derivatives(mechanism, seed, 1e-9);
  }
  EXPECT_EQ(types.size(), std::variant_size_v<JointModel> - 1);  // all but users' own
}

TEST(Derivatives, OfUsersJointsAreRightToWhatDifferencesGive) {
  int found = 0;
  for (unsigned seed = 1; seed <= 12 && found < 2; ++seed) {
    const Mechanism mechanism = testing_support::random_mechanism(seed, {.bodies = 7});
    if (!has_users_joint(mechanism)) continue;
    ++found;
    expect_all_derivatives(mechanism, seed, 1e-7);  // as derivatives.h promises
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

/// Four bodies in a row on joints of four kinds.
MechanismBuilder row_of_bodies() {
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
  return builder;
}

TEST(Derivatives, CountUsersPotentials) {
  MechanismBuilder builder = row_of_bodies();
  builder.add_potential([](const Mechanism& m) {
    return std::make_shared<Attraction>(m.body("body3"), m.coordinate("joint1"), m.speed("joint1'"));
  });
  expect_all_derivatives(builder.build(), 4, 1e-8);
}

TEST(Derivatives, CountNonlinearSpringsAttractionAndBodiesThatGravityLeavesOut) {
  MechanismBuilder builder = row_of_bodies();
  builder.add_force({NonlinearSpringSpec{"body0", "body3", 0.7, ForceLaw::polynomial({3, -2, 1.5})}});
  builder.add_force({NonlinearCoordinateSpringSpec{"joint1", 0.3, ForceLaw::polynomial({1, 0, 4})}});
  builder.add_force({AttractionSpec{2.5, {"body0", "body2", "body3"}}});
  builder.gravity_scope = {{"body1", "body3"}, true, {}};
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
  List M(std::size_t(n) * n), p(n);
  mass_matrix(w, s.q, M);
  multiply_mass(w, s.u, p);
  EXPECT_TRUE(near(L.L_uu, M, rounding));
  EXPECT_TRUE(near(L.L_u, p, rounding));
}

// d/dt L_u = L_q + u x L_u in the speeds of a ball (Euler and Poincare), d/dt L_u = L_q in all others: Johnson & Murphey (28),
// on groups.
TEST(Derivatives, OfTheLagrangianGiveTheEquationsOfMotion) {
  testing_support::Random random(8);
  MechanismBuilder builder;
  std::string parent = ground_name;
  const std::vector<JointModel> models{Free{}, Revolute{}, Ball{}, Gimbal{}, Ball{}, Prismatic{}};
  for (std::size_t k = 0; k < models.size(); ++k) {
    const std::string name = "body" + std::to_string(k);
    const MassProperties mass = transformed(random.transform(0.3), MassProperties::box(1, {0.3, 0.5, 0.7}));
    builder.add_body({.name = name, .mass = mass});
    builder.add_joint({.name = "joint" + std::to_string(k),
                       .model = models[k],
                       .parent = parent,
                       .child = name,
                       .placement = LocalPlacement{random.transform(0.5), random.transform(0.4)},
                       .reversed = k % 3 == 1});
    if (k != 2) parent = name;
  }
  const Mechanism mechanism = builder.build();
  const auto s = testing_support::random_state(mechanism, 8);
  const int n = mechanism.num_u();
  Workspace w(mechanism);
  List u_dot(n);
  forward_dynamics(w, s.q, s.u, s.tau, u_dot);

  Derivatives derivatives(mechanism);
  LagrangianDerivatives L(mechanism);
  derivatives.set(s.q, s.u);
  derivatives.lagrangian(0, L);
  List expected(n), rate(n, 0.0);
  for (int k = 0; k < n; ++k) expected[k] = L.L_q[k] + s.tau[k];
  for (const Joint& joint : mechanism.joints()) {
    if (joint.nq == joint.nu) continue;
    const auto at = [&](const List& v) { return Vec3<double>{v[joint.first_u], v[joint.first_u + 1], v[joint.first_u + 2]}; };
    const Vec3<double> turning = cross(at(s.u), at(L.L_u));
    for (int k = 0; k < 3; ++k) expected[joint.first_u + k] += turning[k];
  }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) rate[k] += L.L_qu[std::size_t(i) * n + k] * s.u[i] + L.L_uu[std::size_t(i) * n + k] * u_dot[i];
  EXPECT_TRUE(near(rate, expected, 1e-11));  // u_dot comes from solving with a mass matrix of condition up to 1e3
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
  EXPECT_THROW(derivatives.set(List(3), List(mechanism.num_u())), std::invalid_argument);
  EXPECT_THROW(FrameDerivatives(mechanism, 1000), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::tree
