// What joints and constraints carry: by statics, by the power of what moves, and by action and reaction.
#include "polhode/tree/reactions.h"

#include <gtest/gtest.h>

#include "polhode/tree/realize.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using testing_support::random_state;
using testing_support::RandomState;

/// A random tree with forces, and three free bodies that a rod, pins and a plane hold.
Mechanism constrained(unsigned seed) {
  MechanismBuilder builder = testing_support::random_description(seed, {.forces = true, .lines_are_lines = true});
  for (const char* name : {"a", "b", "c"}) {
    builder.add_body({.name = name, .mass = MassProperties::box(1, {0.3, 0.5, 0.2}, {0.1, 0.2, 0})});
    builder.add_joint({.name = name, .model = Free{}, .parent = builder.bodies()[4].name, .child = name});
  }
  builder.add_constraint({"rod", WireSpec{"a", "b", 0.7}});
  builder.add_constraint({"pins", CoincidentPointsSpec{"ground", "c"}});
  builder.add_constraint({"plane", PointInPlaneSpec{"a", "c", {1, 2, 3}}});
  return builder.build();
}
State accelerating(const Mechanism& mechanism, unsigned seed, Workspace& w) {
  const RandomState s = random_state(mechanism, seed);
  State state(mechanism);
  state.set_q(s.q);
  state.set_u(s.u);
  state.set_applied_forces(s.tau);
  realize(state, w, Stage::acceleration);
  return state;
}

TEST(Reactions, AtRestAJointCarriesTheWeightBelowIt) {
  MechanismBuilder builder;
  for (const char* name : {"upper", "lower"}) {
    builder.add_body({.name = name, .mass = MassProperties::box(2, {0.1, 0.1, 1}, {0, 0, -0.5})});
    builder.add_joint({.name = name,
                       .model = Revolute{},
                       .parent = builder.bodies().size() == 1 ? "ground" : "upper",
                       .child = name,
                       .placement = DrawnPlacement{.at = {}, .axis = Vec3<double>{0, 1, 0}}});
  }
  const Mechanism mechanism = builder.build();
  Workspace w(mechanism);
  State state(mechanism);
  realize(state, w, Stage::acceleration);
  const auto F = joint_reactions(state, w);
  EXPECT_TRUE(near(F[1], Wrench<double>{{}, {0, 0, 4 * 9.81}}, 1e-14));
  EXPECT_TRUE(near(F[2], Wrench<double>{{}, {0, 0, 2 * 9.81}}, 1e-14));
  EXPECT_TRUE(near(F[0].force, Vec3<double>{0, 0, 4 * 9.81}, 1e-14));
}

// Along its free directions a joint carries what acts on its speeds, and nothing else (Simbody theory manual 12.5: H^T F =
// tau).
TEST(Reactions, DoTheWorkOfTheGeneralizedForcesAlongFreeDirections) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Mechanism m = constrained(seed);
    Workspace w(m);
    const State state = accelerating(m, seed, w);
    const auto F = joint_reactions(state, w);
    double scale = 1;
    for (const auto& f : F) scale = std::max({scale, norm(f.force), norm(f.moment)});
    positions(w, state.q());
    std::vector<Motion<double>> V(std::size_t(m.num_bodies()));
    for (int b = 1; b < m.num_bodies(); ++b) {
      const Joint& joint = m.joints()[std::size_t(b)];
      for (int k = joint.first_u; k < joint.first_u + joint.nu; ++k) {
        std::vector<double> unit(std::size_t(m.num_u()));
        unit[std::size_t(k)] = 1;
        multiply_jacobian(w, unit, V);
        const Motion<double> hinge = shifted(V[std::size_t(b)], state.pose(b).R * joint.X_BM.p);
        EXPECT_NEAR(dot(F[std::size_t(b)], hinge), state.generalized_forces()[std::size_t(k)], 1e-9 * scale)
            << seed << ' ' << m.speed_names()[std::size_t(k)];
      }
    }
  }
}

TEST(Reactions, OfConstraintsActOnBothSidesAlike) {
  const Mechanism m = constrained(5);
  Workspace w(m);
  const State state = accelerating(m, 5, w);
  const auto all = constraint_reactions(state, w);
  ASSERT_EQ(all.size(), 3u);
  for (const ConstraintReaction& reaction : all) {
    Wrench<double> sum{};
    double size = 0;
    for (const auto& [body, F] : reaction.on_bodies) {
      sum += shifted_back(F, state.pose(body).p);  // about Ground's origin
      size += norm(F.force) + norm(F.moment);
    }
    EXPECT_EQ(reaction.on_bodies.size(), 2u);
    EXPECT_GT(size, 1e-3);
    EXPECT_LT(norm(sum.force) + norm(sum.moment), 1e-12 * size) << reaction.element;
  }
}

TEST(Reactions, OfAStringThatHoldsAWeightIsItsWeight) {
  MechanismBuilder builder;
  builder.add_body({.name = "weight", .mass = MassProperties::sphere(3, 0.1)});
  builder.add_joint({.name = "weight", .model = Free{}, .child = "weight"});
  builder.add_constraint({"string", WireSpec{"ground", "weight", 2}});
  builder.set_initial({.coordinate = "weight.z", .value = -2});
  const Mechanism m = builder.build();
  Workspace w(m);
  State state(m);
  realize(state, w, Stage::acceleration);
  const auto all = constraint_reactions(state, w);
  ASSERT_EQ(all.size(), 1u);
  for (const auto& [body, F] : all[0].on_bodies)
    EXPECT_TRUE(near(F.force, Vec3<double>{0, 0, body == 0 ? -3 * 9.81 : 3 * 9.81}, 1e-13)) << body;
}

}  // namespace
}  // namespace polhode::tree
