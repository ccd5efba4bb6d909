#include "polhode/study/equilibrium.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "polhode/format/language/model.h"
#include "polhode/mechanism/builder.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/support/near.h"
#include "tests/support/paths.h"
#include "tests/support/random.h"

namespace polhode::study {
namespace {

constexpr double g = 9.81;

/// Rods of length `length` and mass `mass` along -z from Ground's origin, pinned about y or on balls; the end is "tip".
MechanismBuilder chain(int links, double length = 1, double mass = 1, const JointModel& joint = Revolute{}) {
  MechanismBuilder builder;
  for (int i = 1; i <= links; ++i) {
    const std::string name = "link" + std::to_string(i);
    const Transform<double> drawn = at(0, 0, -length * (i - 1));
    const bool spins = std::holds_alternative<Ball>(joint);  // which a thin rod must not
    const MassProperties matter = spins ? MassProperties::box(mass, {0.1, 0.1, length}, {0, 0, -0.5 * length})
                                        : MassProperties::rod(mass, {0, 0, -length});
    builder.add_body({.name = name, .mass = matter, .drawn_pose = drawn});
    builder.add_joint({.name = "pin" + std::to_string(i),
                       .model = joint,
                       .parent = i == 1 ? ground_name : "link" + std::to_string(i - 1),
                       .child = name,
                       .placement = DrawnPlacement{.at = drawn.p, .axis = Vec3<double>{0, 1, 0}}});
  }
  builder.add_frame({.name = "tip", .body = "link" + std::to_string(links), .X_BF = at(0, 0, -length)});
  return builder;
}

// k (z - rest) = m g. The forces left are 1e-9 of the weight at most, so the place is right to 1e-9 of the stretch.
TEST(Equilibrium, StretchesASpringByTheWeight) {
  const Mechanism m = format::load_model(testing_support::model_path("spring_mass")).mechanism;
  State state = tree::initial_state(m);
  const Equilibrium e = find_equilibrium(state);
  ASSERT_TRUE(e.found) << e.failure;
  tree::realize(state, Stage::position);
  EXPECT_TRUE(testing_support::near(state.pose(m.body("weight")).p, Vec3<double>{0, 0, -(1 + g / 29.43)}, 1e-8));
  // Sideways it is a pendulum: m g / length, less than the spring's own stiffness.
  EXPECT_EQ(e.stability, Stability::stable);
  EXPECT_NEAR(*e.lowest_stiffness, g / (1 + g / 29.43), 1e-6);
}

// A rod hangs with the stiffness m g l / 2 and swings with w^2 = (m g l / 2) / (m l^2 / 3).
TEST(Equilibrium, LeavesTheUprightPendulumForTheHangingOne) {
  State state = tree::initial_state(chain(1, 2, 3).build());
  state.set_q(0, std::numbers::pi);
  const Equilibrium e = find_equilibrium(state);
  ASSERT_TRUE(e.found) << e.failure;
  EXPECT_NEAR(std::remainder(state.q()[0], 2 * std::numbers::pi), 0, 1e-9);
  EXPECT_EQ(e.stability, Stability::stable);
  EXPECT_NEAR(*e.lowest_stiffness, 3 * g, 1e-6);
  EXPECT_NEAR(*e.lowest_frequency_squared, 3 * g / 4, 1e-6);
}

TEST(Equilibrium, StaysUprightWhereAnyWillDo) {
  State state = tree::initial_state(chain(1, 2, 3).build());
  state.set_q(0, std::numbers::pi - 0.2);
  const Equilibrium e = find_equilibrium(state, {.any = true});
  ASSERT_TRUE(e.found) << e.failure;
  EXPECT_NEAR(state.q()[0], std::numbers::pi, 1e-9);
  EXPECT_EQ(e.stability, Stability::unstable);
  EXPECT_NEAR(*e.lowest_stiffness, -3 * g, 1e-6);
}

TEST(Equilibrium, HangsChainsStraightDownFromAnywhere) {
  testing_support::Random random(1);
  for (const JointModel& joint : {JointModel(Revolute{}), JointModel(Ball{})})
    for (int i = 0; i < 5; ++i) {
      const Mechanism m = chain(6, 0.5, 2, joint).build();
      State state = tree::initial_state(m);
      std::vector<double> q = random.vector(m.num_q(), 2);
      if (m.num_q() == 24)
        for (int b = 0; b < 6; ++b) {
          const double n = std::sqrt(q[4 * b] * q[4 * b] + q[4 * b + 1] * q[4 * b + 1] + q[4 * b + 2] * q[4 * b + 2] +
                                     q[4 * b + 3] * q[4 * b + 3]);
          for (int k = 0; k < 4; ++k) q[4 * b + k] /= n;
        }
      state.set_q(q);
      const Equilibrium e = find_equilibrium(state);
      ASSERT_TRUE(e.found) << e.failure;
      tree::realize(state, Stage::position);
      // The tip is off by the square of the angles, which are right to 1e-9 of the weight over the stiffness.
      EXPECT_TRUE(testing_support::near(state.frame_pose(m.frame("tip")).p, Vec3<double>{0, 0, -3}, 1e-7));
      EXPECT_EQ(e.stability, m.num_q() == 24 ? Stability::neutral : Stability::stable);
    }
}

/// A chain of total length 3 and weight per length 2 g between two points 2 apart, level with each other.
struct Hung {
  double sag, tension;
};
Hung hang(int links) {
  const double length = 3.0 / links;
  MechanismBuilder builder = chain(links, length, 2 * length);
  builder.add_frame({.name = "wall", .body = ground_name, .X_BF = at(2, 0, 0)});
  builder.add_constraint({"across", PointConstraintSpec{"wall", "tip", {1, 0, 0}}});
  builder.add_constraint({"up", PointConstraintSpec{"wall", "tip", {0, 0, 1}}});
  const Mechanism m = builder.build();
  State state = tree::initial_state(m);
  for (int i = 0; i < links; ++i) state.set_q(i, i == 0 ? 0.5 : -2.0 / links);
  EXPECT_TRUE(tree::assemble(state).assembled);
  const Equilibrium e = find_equilibrium(state);
  EXPECT_TRUE(e.found) << e.failure;
  EXPECT_EQ(e.stability, Stability::stable);
  EXPECT_LT(e.constraint_error, 1e-10);
  tree::realize(state, Stage::position);
  return {-state.pose(m.body("link" + std::to_string(links / 2 + 1))).p.z, std::abs(e.multipliers[0])};
}

// The catenary z = a cosh(x / a): 2 a sinh(1 / a) = 3, sag a (cosh(1 / a) - 1), horizontal tension w a. A chain of rigid rods
// differs by the square of their length: from 10 to 20 links the error falls by 4, up to the next order (10 % allowed).
TEST(Equilibrium, ApproachesTheCatenaryAsLinksGetShorter) {
  double a = 0.6;
  for (int i = 0; i < 50; ++i) {
    const double f = 2 * a * std::sinh(1 / a) - 3, slope = 2 * std::sinh(1 / a) - 2 / a * std::cosh(1 / a);
    a -= f / slope;
  }
  const double sag = a * (std::cosh(1 / a) - 1), tension = 2 * g * a;
  const Hung coarse = hang(10), fine = hang(20);
  EXPECT_NEAR(fine.sag, sag, 0.01 * sag);
  EXPECT_NEAR((coarse.sag - sag) / (fine.sag - sag), 4, 0.4);
  EXPECT_NEAR((coarse.tension - tension) / (fine.tension - tension), 4, 0.4);
}

// One freedom, three redundant equations. Held a little to either side, the linkage has more energy.
TEST(Equilibrium, FindsTheLeastEnergyOfAFourBar) {
  const Mechanism m = format::load_model(testing_support::model_path("four_bar")).mechanism;
  State state = tree::initial_state(m);
  tree::assemble(state);
  const Equilibrium e = find_equilibrium(state);
  ASSERT_TRUE(e.found) << e.failure;
  EXPECT_EQ(e.freedoms, 1);
  EXPECT_EQ(e.stability, Stability::stable);
  EXPECT_LT(e.residual, 1e-7);
  for (const double to : {-0.01, 0.01}) {
    State moved = state;
    moved.set_q(0, state.q()[0] + to);
    tree::AssembleOptions o;
    o.positions.locked.assign(std::size_t(m.num_u()), 0);
    o.positions.locked[0] = 1;
    ASSERT_TRUE(tree::assemble(moved, o).assembled);
    tree::realize(moved, Stage::position);
    EXPECT_GT(moved.potential_energy(), e.potential_energy);
  }
}

// sin(angle) = torque / (m g l / 2).
TEST(Equilibrium, BalancesATorqueThatHasNoPotential) {
  MechanismBuilder builder = chain(1, 2, 3);
  builder.add_force({CoordinateForceSpec{"pin1", 10}});
  State state = tree::initial_state(builder.build());
  const Equilibrium e = find_equilibrium(state);
  ASSERT_TRUE(e.found) << e.failure;
  EXPECT_EQ(e.stability, Stability::stable);
  EXPECT_NEAR(std::sin(state.q()[0]), 10 / (3 * g), 1e-8);
}

TEST(Equilibrium, SaysWhatNothingBalancesWhereThereIsNone) {
  MechanismBuilder strong = chain(1, 2, 3);
  strong.add_force({CoordinateForceSpec{"pin1", 40}});
  State pendulum = tree::initial_state(strong.build());
  const Equilibrium turning = find_equilibrium(pendulum);
  EXPECT_FALSE(turning.found);
  EXPECT_NE(turning.failure.find("pin1"), std::string::npos) << turning.failure;

  MechanismBuilder builder;
  builder.add_body({.name = "stone", .mass = MassProperties::box(2, {1, 1, 1})});
  State stone = tree::initial_state(builder.build());
  const Equilibrium falling = find_equilibrium(stone);
  EXPECT_FALSE(falling.found);
  EXPECT_NE(falling.failure.find("without end"), std::string::npos) << falling.failure;
  EXPECT_NE(falling.failure.find("stone"), std::string::npos) << falling.failure;
  EXPECT_NEAR(falling.residual, 2 * g, 1e-9);
}

// Held at 0.5 rad, the pin carries the torque of the weight.
TEST(Equilibrium, TellsWhatItTakesToHoldACoordinate) {
  State state = tree::initial_state(chain(1, 2, 3).build());
  state.set_q(0, 0.5);
  const Equilibrium e = find_equilibrium(state, {.locked = {1}});
  ASSERT_TRUE(e.found);
  EXPECT_EQ(e.freedoms, 0);
  EXPECT_EQ(state.q()[0], 0.5);
  EXPECT_NEAR(e.holding_forces[0], 3 * g * std::sin(0.5), 1e-10);
}

}  // namespace
}  // namespace polhode::study
