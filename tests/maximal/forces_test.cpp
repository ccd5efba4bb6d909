// Forces as loads on bodies do the same work as generalized forces do in tree coordinates.
#include "polhode/maximal/forces.h"

#include <gtest/gtest.h>

#include "polhode/tree/applied_forces.h"
#include "tests/maximal/displaced.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::maximal {
namespace {

using testing_support::near;
using testing_support::near_numbers;
using testing_support::random_description;
using testing_support::random_mechanism;
using testing_support::random_state;

constexpr double rounding = 1e-11;  // arms of ten metres through 22 bodies

double power(const std::vector<double>& loads, const Bodies& bodies) {
  double sum = 0;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const double* load = loads.data() + b * row_width;
    for (int i = 0; i < 3; ++i) sum += load[i] * bodies[b].w[i] + load[3 + i] * bodies[b].v[i];
  }
  return sum;
}

/// A user's element that reads coordinates and speeds and loads both coordinates and bodies.
class Servo final : public ForceElement {
 public:
  Servo(int q, int u) : q_(q), u_(u) {}
  void add_forces(const Configuration& at, AppliedForces& out) const override {
    out.generalized[u_] += 3 * at.q[q_] - 2 * at.u[u_];
    out.add_force_at(2, at.X_WB[1].p, at.V_WB[2].linear);
  }

 private:
  int q_, u_;
};

/// A user's potential of a coordinate that is not the first.
class Well final : public Potential {
 public:
  Well(int q, int u) : q_(q), u_(u) {}
  double energy(const Configuration& at) const override { return std::cos(at.q[q_]); }
  void add_forces(const Configuration& at, AppliedForces& out) const override { out.generalized[u_] += std::sin(at.q[q_]); }

 private:
  int q_, u_;
};

MechanismBuilder with_users_elements(unsigned seed) {
  MechanismBuilder builder = random_description(seed, {.forces = true});
  const auto first_hinge = [](const Mechanism& m) {
    for (const Joint& joint : m.joints())
      if (std::holds_alternative<Universal>(joint.model)) return std::pair(joint.first_q + 1, joint.first_u + 1);
    return std::pair(0, 0);
  };
  builder.add_force_element([=](const Mechanism& m) {
    const auto [q, u] = first_hinge(m);
    return std::make_shared<Servo>(q, u);
  });
  builder.add_potential([=](const Mechanism& m) {
    const auto [q, u] = first_hinge(m);
    return std::make_shared<Well>(q, u);
  });
  return builder;
}

// For every speed, tau = the power of all loads while that speed alone is one.
TEST(MaximalForces, AreTheGeneralizedForcesOfTheTree) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const Mechanism m = with_users_elements(seed).build();
    const auto s = random_state(m, seed);
    tree::Workspace w(m);
    std::vector<double> expected(m.num_u()), from_loads(m.num_u()), holds_gravity(m.num_u());
    tree::add_all_forces(w, {0.2}, s.q, s.u, expected);
    const std::vector<double> at_rest(m.num_u());
    tree::bias_forces(w, s.q, at_rest, holds_gravity);
    for (int k = 0; k < m.num_u(); ++k) expected[k] -= holds_gravity[k];

    Forces forces(m);
    Bodies bodies, moving;
    to_bodies(m, s.q, s.u, bodies);
    std::vector<double> loads(m.num_bodies() * row_width, 99);
    forces.evaluate(0.2, bodies, s.q, loads);
    for (int k = 0; k < m.num_u(); ++k) {
      std::vector<double> u(m.num_u());
      u[k] = 1;
      to_bodies(m, s.q, u, moving);
      from_loads[k] = power(loads, moving);
    }
    EXPECT_TRUE(near(from_loads, expected, 1e-9));  // a searched coordinate is right to 1e-9
  }
}

TEST(MaximalForces, HaveTheEnergiesOfTheTree) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    for (const bool with_forces : {true, false}) {
      const Mechanism m = with_forces ? with_users_elements(seed).build() : random_mechanism(seed);
      const auto s = random_state(m, seed);
      tree::Workspace w(m);
      tree::kinematics(w, s.q, s.u);
      tree::read_bodies(w);
      Forces forces(m);
      Bodies bodies;
      to_bodies(m, s.q, s.u, bodies);
      EXPECT_TRUE(near(forces.potential_energy(0.2, bodies, s.q), tree::potential_energy(w, 0.2, s.q), rounding));
      EXPECT_TRUE(near(forces.kinetic_energy(bodies), tree::kinetic_energy(w), rounding));
    }
  }
}

/// Two boxes on a universal joint in space, with a spring between them and one on each coordinate.
MechanismBuilder two_boxes() {
  testing_support::Random random(3);
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "a", .mass = MassProperties::box(1, {1, 1, 2}, {0.1, 0.2, 0.3})});
  builder.add_body({.name = "b", .mass = MassProperties::box(2, {1, 2, 1}, {0.3, 0.2, 0.1})});
  builder.add_joint({.name = "free", .model = Free{}, .child = "a"});
  builder.add_joint({.name = "cross",
                     .model = Universal{},
                     .parent = "a",
                     .child = "b",
                     .placement = LocalPlacement{random.transform(1), random.transform(1)}});
  return builder;
}

// What acts between bodies has no resultant, moments about the origin included.
TEST(MaximalForces, InsideAMechanismBalance) {
  MechanismBuilder builder = two_boxes();
  builder.add_frame({.name = "tip", .body = "b", .X_BF = at(1, 2, 3)});
  builder.add_force({PointSpringSpec{"a", "tip", 7, 0.4, 0.6}});
  builder.add_force({CoordinateSpringSpec{"cross.x", 3, 0.2}});
  builder.add_force({CoordinateDampingSpec{"cross.y", 0.7}});
  const Mechanism m = builder.build();
  const auto s = random_state(m, 4);
  Forces forces(m);
  Bodies bodies;
  to_bodies(m, s.q, s.u, bodies);
  std::vector<double> loads(m.num_bodies() * row_width);
  forces.evaluate(0, bodies, s.q, loads);
  Wrench<double> sum{};
  for (int b = 1; b < m.num_bodies(); ++b) {
    const double* f = &loads[b * row_width];
    const Vec3<double> force{f[3], f[4], f[5]};
    sum += Wrench<double>{rotation(bodies[b].r) * Vec3<double>{f[0], f[1], f[2]} + cross(bodies[b].x, force), force};
  }
  EXPECT_TRUE(near(sum, Wrench<double>{}, 1e-14, 10));
  EXPECT_TRUE(near_numbers({loads.begin(), loads.begin() + row_width}, std::vector<double>(row_width), 1e-15, 1));
}

TEST(MaximalForces, KnowWhetherVelocitiesMatter) {
  EXPECT_FALSE(Forces(two_boxes().build()).depend_on_velocity());
  MechanismBuilder spring = two_boxes();
  spring.add_force({PointSpringSpec{"a", "b", 7, 0.4, 0}});
  spring.add_force({CoordinateSpringSpec{"cross.x", 3, 0.2}});
  EXPECT_FALSE(Forces(spring.build()).depend_on_velocity());
  MechanismBuilder damper = two_boxes();
  damper.add_force({PointSpringSpec{"a", "b", 7, 0.4, 0.1}});
  EXPECT_TRUE(Forces(damper.build()).depend_on_velocity());
  MechanismBuilder friction = two_boxes();
  friction.add_force({CoordinateDampingSpec{"cross.y", 0.7}});
  EXPECT_TRUE(Forces(friction.build()).depend_on_velocity());
}

TEST(MaximalForces, CountASpringsTurns) {
  MechanismBuilder builder = two_boxes();
  builder.add_force({CoordinateSpringSpec{"cross.x", 3, 0}});
  const Mechanism m = builder.build();
  std::vector<double> q = random_state(m, 1).q;
  const std::vector<double> u(m.num_u());
  q[m.coordinate("cross.x")] = 20;
  Bodies bodies;
  to_bodies(m, q, u, bodies);
  EXPECT_NEAR(Forces(m).potential_energy(0, bodies, q), 0.5 * 3 * 20 * 20, 1e-11);
}

TEST(MaximalForces, DoNotAllocateWhenEvaluated) {
  const Mechanism m = with_users_elements(2).build();
  const auto s = random_state(m, 2);
  Forces forces(m);
  Bodies bodies;
  to_bodies(m, s.q, s.u, bodies);
  std::vector<double> loads(m.num_bodies() * row_width);
  EXPECT_EQ(testing_support::allocations_in([&] {
              forces.evaluate(0, bodies, s.q, loads);
              forces.potential_energy(0, bodies, s.q);
            }),
            0);
}

// Applied forces come on top of the mechanism's own: their loads do the work tau . u on motions that joints allow, and nothing
// is left of them when they are taken back.
TEST(MaximalForces, AppliedForcesDoTheWorkOfGeneralizedOnesAndAreReplacedNotAdded) {
  for (int seed = 0; seed < 20; ++seed) {
    const Mechanism m = random_mechanism(seed);
    const auto s = random_state(m, seed);
    const TreeMap map(m);
    Bodies bodies(std::size_t(m.num_bodies()));
    map.to_bodies(s.q, s.u, bodies);
    Forces forces(m);
    std::vector<double> without(bodies.size() * row_width), with(without), again(without);
    forces.evaluate(0, bodies, s.q, without);
    Outside outside{State(m)};
    outside.set_applied_forces(m, s.tau);
    forces.set(outside);
    forces.set(outside);  // the same again, not twice as much
    forces.evaluate(0, bodies, s.q, with);
    double expected = 0;
    for (int u = 0; u < m.num_u(); ++u) expected += s.tau[std::size_t(u)] * s.u[std::size_t(u)];
    EXPECT_NEAR(power(with, bodies) - power(without, bodies), expected, 1e-9) << "seed " << seed;
    forces.set(Outside(State(m)));
    forces.evaluate(0, bodies, s.q, again);
    EXPECT_EQ(again, without) << "seed " << seed;
  }
  const Mechanism m = random_mechanism(0);
  EXPECT_THROW(Outside(State(m)).set_applied_forces(m, std::vector<double>(1000)), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::maximal
