#include "polhode/tree/applied_forces.h"

#include <gtest/gtest.h>

#include "tests/oracle/oracle.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using testing_support::random_mechanism;
using testing_support::random_state;

constexpr double rounding = 1e-12;  // as in dynamics_test: a few hundred units in the last place

/// The mechanism's force elements as generalized forces alone.
std::vector<double> element_forces(Workspace& w, double t, const std::vector<double>& q, const std::vector<double>& u) {
  std::vector<double> tau(u.size()), from_bodies(u.size());
  std::vector<Wrench<double>> wrenches(w.mechanism().num_bodies());
  kinematics(w, q, u);
  read_bodies(w);
  add_applied_forces(w, {t}, q, u, tau, wrenches);
  multiply_jacobian_transpose(w, wrenches, from_bodies);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += from_bodies[i];
  return tau;
}

double energy_at(Workspace& w, const std::vector<double>& q) {
  const std::vector<double> zero(w.mechanism().num_u(), 0.0);
  kinematics(w, q, zero);
  read_bodies(w);
  return potential_energy(w, 0, q);
}

class AppliedForcesOnTrees : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, AppliedForcesOnTrees, ::testing::Range(1u, 9u));

TEST_P(AppliedForcesOnTrees, AgreeWithVirtualWork) {
  const Mechanism mechanism = random_mechanism(GetParam(), {.forces = true});
  const auto s = random_state(mechanism, GetParam());
  Workspace w(mechanism);
  EXPECT_TRUE(near(element_forces(w, 0, s.q, s.u), oracle::element_forces(mechanism, s.q, s.u), rounding));
}

TEST_P(AppliedForcesOnTrees, AccelerateTogetherWithGravityAndWhatTheUserAdds) {
  const Mechanism mechanism = random_mechanism(GetParam(), {.forces = true});
  const auto s = random_state(mechanism, GetParam());
  Workspace w(mechanism);
  std::vector<double> u_dot(s.u.size()), needed(s.u.size()), expected = oracle::element_forces(mechanism, s.q, s.u);
  accelerations_under_all_forces(w, {0}, s.q, s.u, s.tau, u_dot);
  inverse_dynamics(w, s.q, s.u, u_dot, needed);
  for (std::size_t i = 0; i < needed.size(); ++i) expected[i] += s.tau[i];
  // M du/dt is some 100 times tau in these trees, and its rounding with it.
  EXPECT_TRUE(near(needed, expected, 1e-10));
}

TEST_P(AppliedForcesOnTrees, AreMinusTheSlopeOfThePotentialEnergy) {
  const Mechanism mechanism = random_mechanism(GetParam(), {.forces = true, .conservative = true});
  const auto s = random_state(mechanism, GetParam());
  const std::vector<double> at_rest(s.u.size(), 0.0);
  Workspace w(mechanism);
  EXPECT_TRUE(near(energy_at(w, s.q), oracle::potential_energy(mechanism, s.q), rounding));

  std::vector<double> force = element_forces(w, 0, s.q, at_rest), holds_gravity(s.u.size());
  bias_forces(w, s.q, at_rest, holds_gravity);
  constexpr double h = 1e-5;  // truncation h^2 = 1e-10, rounding of an energy of some 100 J: 1e-14/1e-5 = 1e-9
  for (int i = 0; i < mechanism.num_u(); ++i) {
    std::vector<double> e(s.u.size(), 0.0), q_dot(s.q.size()), before(s.q), after(s.q);
    e[i] = 1;
    coordinate_rates(mechanism, s.q, e, q_dot);
    for (std::size_t k = 0; k < q_dot.size(); ++k) before[k] -= h * q_dot[k], after[k] += h * q_dot[k];
    const double slope = (energy_at(w, after) - energy_at(w, before)) / (2 * h);
    EXPECT_NEAR(force[i] - holds_gravity[i], -slope, 2e-8 * (1 + std::abs(slope))) << mechanism.speed_names()[i];
  }
}

/// A block of 2 kg that slides along x through Ground's origin, without gravity; frame "hook" at its origin.
MechanismBuilder slider() {
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "block", .mass = MassProperties::sphere(2, 0.1)});
  builder.add_joint(
      {.name = "x", .model = Prismatic{}, .child = "block", .placement = DrawnPlacement{.axis = Vec3<double>{1, 0, 0}}});
  builder.add_frame({.name = "wall", .body = "ground", .X_BF = at(-1, 0, 0)});
  return builder;
}
double force_on_slider(const MechanismBuilder& builder, double x, double v, double t = 0) {
  Workspace w(builder.build());
  return element_forces(w, t, {x}, {v})[0];
}

TEST(PointSpring, PullsWithStiffnessTimesStretchAndDampsItsRate) {
  auto builder = slider();
  builder.add_force({PointSpringSpec{"wall", "block", 30, 0.4, 5}});
  EXPECT_NEAR(force_on_slider(builder, 0, 0), -30 * 0.6, 1e-12);
  EXPECT_NEAR(force_on_slider(builder, -0.9, 0), 30 * 0.3, 1e-12);
  EXPECT_NEAR(force_on_slider(builder, 0, 2), -30 * 0.6 - 5 * 2, 1e-12);
}

TEST(PointSpring, HasNoForceWhereItHasNoDirection) {
  auto builder = slider();
  builder.add_force({PointSpringSpec{"wall", "block", 30, 0.4, 5}});
  EXPECT_EQ(force_on_slider(builder, -1, 2), 0);
}

TEST(PointSpring, BetweenTwoFramesOfOneBodyDoesNothing) {
  auto builder = slider();
  builder.add_frame({.name = "handle", .body = "block", .X_BF = at(0, 0.3, 0.1)});
  builder.add_force({PointSpringSpec{"handle", "block", 30, 0.1, 5}});
  EXPECT_NEAR(force_on_slider(builder, 0.3, 2), 0, 1e-14);
}

TEST(BodyForce, InBodyAxesTurnsWithTheBodyAndInGroundAxesDoesNot) {
  // A lever of one metre turned by 90 degrees about z: a force along its own y pushes along Ground's -x.
  for (const bool in_ground : {false, true}) {
    MechanismBuilder builder;
    builder.add_body({.name = "lever", .mass = MassProperties::particle(1, {1, 0, 0})});
    builder.add_joint({.name = "pin", .model = Revolute{}, .child = "lever"});
    builder.add_force({BodyForceSpec{"lever", {0, 3, 0}, {0, 0, 0.5}, in_ground}});
    Workspace w(builder.build());
    // In body axes the arm of 1 m is at right angles to the force; in Ground axes the force passes through the pin.
    EXPECT_NEAR(element_forces(w, 0, {pi / 2}, {0})[0], in_ground ? 0.5 : 3.5, 1e-14);
  }
}

/// E = k |p|^2 / 2 of one frame, growing with time.
class Well final : public Potential {
 public:
  Well(int frame, double stiffness) : frame_(frame), stiffness_(stiffness) {}
  double energy(const Configuration& c) const override { return 0.5 * strength(c.t) * dot(point(c), point(c)); }
  void add_forces(const Configuration& c, AppliedForces& out) const override {
    out.add_force_at(c.mechanism.frames()[frame_].body, point(c), -strength(c.t) * point(c));
  }

 private:
  double strength(double t) const { return stiffness_ * (1 + t); }
  Vec3<double> point(const Configuration& c) const {
    const Frame& f = c.mechanism.frames()[frame_];
    return c.X_WB[f.body] * f.X_BF.p;
  }
  int frame_;
  double stiffness_;
};

/// Drag on a body's origin and spin, and a motor on a speed.
class Drag final : public ForceElement {
 public:
  Drag(int body, int motor) : body_(body), motor_(motor) {}
  void add_forces(const Configuration& c, AppliedForces& out) const override {
    out.add_force_at(body_, c.X_WB[body_].p, -2.0 * c.V_WB[body_].linear);
    out.add_torque(body_, -3.0 * c.V_WB[body_].angular);
    out.generalized[motor_] += 7 * c.t;
  }

 private:
  int body_, motor_;
};

TEST(UsersPotential, GivesEnergyAndForceAtItsTime) {
  auto builder = slider();
  builder.add_frame({.name = "handle", .body = "block", .X_BF = at(0.2, 0.1, 0)});
  builder.add_potential([](const Mechanism& m) { return std::make_shared<Well>(m.frame("handle"), 10.0); });
  EXPECT_NEAR(force_on_slider(builder, 0.5, 0), -10 * 0.7, 1e-13);
  EXPECT_NEAR(force_on_slider(builder, 0.5, 0, 2), -30 * 0.7, 1e-13);

  Workspace w(builder.build());
  const std::vector<double> q{0.5}, u{0};
  kinematics(w, q, u);
  read_bodies(w);
  EXPECT_NEAR(potential_energy(w, 2, q), 15 * (0.7 * 0.7 + 0.1 * 0.1), 1e-13);
}

TEST(UsersForceElement, ActsOnBodiesAndSpeeds) {
  auto builder = slider();
  builder.add_force_element([](const Mechanism& m) { return std::make_shared<Drag>(m.body("block"), m.speed("x'")); });
  EXPECT_NEAR(force_on_slider(builder, 0.5, 4), -8, 1e-13);
  EXPECT_NEAR(force_on_slider(builder, 0.5, 4, 2), -8 + 14, 1e-13);
}

TEST(UsersForceElement, SeesTheVelocitiesOfATurningBody) {
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "wheel", .mass = MassProperties::sphere(1, 0.5)});
  builder.add_joint({.name = "pin", .model = Revolute{}, .child = "wheel", .placement = LocalPlacement{{}, at(0, -2, 0)}});
  builder.add_force_element([](const Mechanism& m) { return std::make_shared<Drag>(m.body("wheel"), 0); });
  Workspace w(builder.build());
  // The origin circles the pin at 2 m: drag 2 * (2 u) at an arm of 2, and 3 u of torque.
  EXPECT_NEAR(element_forces(w, 0, {0.8}, {1.5})[0], -(8 + 3) * 1.5, 1e-13);
}

}  // namespace
}  // namespace polhode::tree
