#include <gtest/gtest.h>

#include <cmath>

#include "polhode/mechanism/builder.h"
#include "polhode/spatial/exponential.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/chart_move.h"
#include "polhode/tree/realize.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using testing_support::Random;
using testing_support::random_mechanism;
using testing_support::random_state;

/// Links of length 1 along -z, pinned about y, the first to Ground; the end is "tip".
MechanismBuilder drawn_chain(int links) {
  MechanismBuilder builder;
  for (int i = 1; i <= links; ++i) {
    const std::string name = "link" + std::to_string(i);
    const Transform<double> drawn{Mat3<double>::identity(), {0, 0, -double(i - 1)}};
    builder.add_body({.name = name, .mass = MassProperties::rod(1, {0, 0, -1}), .drawn_pose = drawn});
    builder.add_joint({.name = "pin" + std::to_string(i),
                       .parent = i == 1 ? ground_name : "link" + std::to_string(i - 1),
                       .child = name,
                       .placement = DrawnPlacement{.at = drawn.p, .axis = Vec3<double>{0, 1, 0}}});
  }
  builder.add_frame({.name = "tip", .body = "link" + std::to_string(links), .X_BF = at(0, 0, -1)});
  return builder;
}

TEST(Goals, HaveTheDerivativesThatDifferencesShow) {
  const Mechanism m = random_mechanism(5);
  const auto s = random_state(m, 6);
  Random random(7);
  Goals goals;
  for (int frame = 1; frame < int(m.frames().size()); frame += 3) {
    goals.points.push_back({frame, random.vec3(1), 0.3 + frame, random.vec3(0.5)});
    goals.orientations.push_back({frame, random.rotation(), 0.7});
  }
  for (int q = 0; q < m.num_q(); q += 2) goals.coordinates.push_back({q, 0.1 * q, 2.0});
  const std::size_t n = std::size_t(m.num_u()), rows = std::size_t(goals.num_rows());
  std::vector<double> r(rows), values(rows * n), scratch(6 * n), ahead(rows), behind(rows), step(n), q(s.q.size());
  Workspace w(m);
  positions(w, s.q);
  goal_errors(w, goals, s.q, r, values, scratch);
  constexpr double delta = 1e-6;  // leaves about 1e-10 of rounding and 1e-12 of the third derivative
  for (std::size_t u = 0; u < n; ++u) {
    std::vector<double> slope(rows), column(rows);
    for (const double sign : {1.0, -1.0}) {
      std::fill(step.begin(), step.end(), 0.0);
      step[u] = sign * delta;
      move_on_charts(m, s.q, step, q);
      positions(w, q);
      goal_errors(w, goals, q, sign > 0 ? ahead : behind, {}, scratch);
    }
    for (std::size_t i = 0; i < rows; ++i) slope[i] = (ahead[i] - behind[i]) / (2 * delta), column[i] = values[i * n + u];
    EXPECT_TRUE(near(column, slope, 1e-7, 1)) << "speed " << u;
  }
}

// A planar arm of two unit links reaches (x, z) with the elbow angle of the law of cosines.
TEST(Assemble, ReachesAPointWithTheElbowThatTrigonometryGives) {
  const Mechanism m = drawn_chain(2).build();
  State state = initial_state(m);
  AssembleOptions o;
  o.positions.goals.points = {{m.frame("tip"), {0.9, 0, -0.8}}};
  const Assembly result = assemble(state, o);  // from the straight arm, where the elbow is singular
  EXPECT_TRUE(result.assembled);
  EXPECT_LT(result.goal_after, 1e-20);
  EXPECT_NEAR(std::cos(state.q()[1]), (0.81 + 0.64 - 2) / 2, 1e-10);
  ASSERT_EQ(result.changes.size(), 2u);
  EXPECT_EQ(result.changes[1].before, 0);
  EXPECT_EQ(result.changes[1].after, state.q()[1]);
}

// Out of reach at distance 5, the nearest tip is the straight arm's, 2 away from the pin: 3 are left.
TEST(Assemble, ComesAsNearAsItCanToAPointOutOfReach) {
  const Mechanism m = drawn_chain(2).build();
  State state = initial_state(m);
  AssembleOptions o;
  o.positions.goals.points = {{m.frame("tip"), {3, 0, -4}, 2.0}};
  const Assembly result = assemble(state, o);
  EXPECT_TRUE(result.assembled);
  EXPECT_NEAR(result.goal_after, 2 * 9, 1e-9);
  realize(state, Stage::position);
  EXPECT_TRUE(near(state.frame_pose(m.frame("tip")).p, Vec3<double>{1.2, 0, -1.6}, 1e-6));
}

// Two goals w1 (q - a)^2 + w2 (q - b)^2 on one coordinate: their weighted mean.
TEST(Assemble, WeighsGoalsAgainstEachOther) {
  const Mechanism m = drawn_chain(1).build();
  State state = initial_state(m);
  AssembleOptions o;
  o.positions.goals.coordinates = {{0, 0.2, 1}, {0, 1.0, 3}};
  assemble(state, o);
  EXPECT_NEAR(state.q()[0], 0.8, 1e-12);
}

TEST(Assemble, TurnsAFreeBodyToThePoseAskedFor) {
  MechanismBuilder builder;
  builder.add_body({.name = "ship", .mass = MassProperties::box(1, {1, 2, 3})});
  const Mechanism m = builder.build();
  State state = initial_state(m);
  Random random(11);
  const Mat3<double> R = random.rotation();
  AssembleOptions o;
  o.positions.goals.points = {{m.frame("ship"), {1, -2, 3}}};
  o.positions.goals.orientations = {{m.frame("ship"), R}};
  const Assembly result = assemble(state, o);
  realize(state, Stage::position);
  EXPECT_LT(result.goal_after, 1e-20);
  EXPECT_TRUE(near(state.pose(m.body("ship")), Transform<double>{R, {1, -2, 3}}, 1e-10));
}

// Closed chain: seven links between two pins. Whatever angles it starts from, it closes, and the end stays while a goal is met.
TEST(Assemble, ClosesALoopFromAnyStart) {
  MechanismBuilder builder = drawn_chain(7);
  builder.add_frame({.name = "wall", .body = ground_name, .X_BF = at(2, 0, 0.5)});
  builder.add_constraint({"", PointConstraintSpec{"tip", "wall", {1, 0, 0}}});
  builder.add_constraint({"", PointConstraintSpec{"tip", "wall", {0, 0, 1}}});
  const Mechanism m = builder.build();
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    State state(m);
    state.set_q(random.vector(7, i % 2 == 0 ? 3.1 : 300));
    EXPECT_TRUE(assemble(state).assembled) << i;
  }
  State straight(m);
  AssembleOptions o;
  o.positions.goals.points = {{m.frame("link4"), {-1, 0, -1.5}}};
  const Assembly result = assemble(straight, o);
  EXPECT_TRUE(result.assembled);
  EXPECT_LT(result.error_after, 1e-10);
  EXPECT_LT(result.goal_after, 1e-18);
}

// Straight down, no motion of the angles changes the distance to first order: Gauss and Newton alone stay there.
TEST(Assemble, LeavesASingularStart) {
  MechanismBuilder builder = drawn_chain(3);
  builder.add_constraint({"tie", WireSpec{"ground", "tip", 2.0}});
  State state = initial_state(builder.build());
  EXPECT_TRUE(assemble(state).assembled);
}

TEST(Assemble, KeepsLockedCoordinatesWhereTheyAre) {
  const Mechanism m = drawn_chain(3).build();
  State state = initial_state(m);
  state.set_q(1, 0.4);
  AssembleOptions o;
  o.positions.goals.points = {{m.frame("tip"), {1, 0, -1}}};
  o.positions.locked = {0, 1, 0};
  const Assembly result = assemble(state, o);
  EXPECT_EQ(state.q()[1], 0.4);
  EXPECT_LT(result.goal_after, 1e-20);
}

// The state's own lock holds too.
TEST(Assemble, KeepsJointsThatTheStateLocks) {
  const Mechanism m = drawn_chain(3).build();
  State state = initial_state(m);
  state.set_q(0, -0.3);
  state.lock(m.joint("pin1"));
  AssembleOptions o;
  o.positions.goals.points = {{m.frame("tip"), {1, 0, -1}}};
  assemble(state, o);
  EXPECT_EQ(state.q()[0], -0.3);
}

// A rope of 5 m and one of 6 m to the same point of Ground cannot both hold: half a metre is left in each, with opposite signs.
TEST(Assemble, ListsEveryConstraintThatCannotBeMetAndByHowMuch) {
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = MassProperties::particle(2, {})});
  builder.add_joint({.name = "bead", .model = Translation{}, .child = "bead"});
  builder.add_constraint({"short", WireSpec{"ground", "bead", 5}});
  builder.add_constraint({"long", WireSpec{"ground", "bead", 6}});
  builder.add_constraint({"level", CouplerSpec{{{"bead.z", 1}}, 0}});
  State state(builder.build());
  state.set_q(std::vector<double>{1, 0.2, -0.3});
  const std::vector<double> before(state.q().begin(), state.q().end());
  const Assembly result = assemble(state);
  EXPECT_FALSE(result.assembled);
  ASSERT_EQ(result.unmet.size(), 2u);
  for (const auto& row : result.unmet)
    EXPECT_NE(row.owner.find(row.error > 0 ? "short" : "long"), std::string::npos) << row.owner;
  EXPECT_GT(std::abs(result.unmet[0].error), 0.3);
  EXPECT_EQ(testing_support::numbers(state.q()), before) << "what cannot be assembled is left alone";
}

// Of two constraints that contradict each other, one that has a weight gives way to one that must hold.
TEST(Assemble, LetsAWeightedConstraintGiveWay) {
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = MassProperties::particle(2, {})});
  builder.add_joint({.name = "bead", .model = Translation{}, .child = "bead"});
  builder.add_constraint({"", CouplerSpec{{{"bead.x", 1}}, 5}});
  builder.add_constraint({"", CouplerSpec{{{"bead.x", 1}}, 6}});
  const Mechanism m = builder.build();
  for (const double weight : {0.0, 4.0}) {
    State state(m);
    AssembleOptions o;
    o.positions.constraint_weights = {INFINITY, weight};
    const Assembly result = assemble(state, o);
    EXPECT_TRUE(result.assembled);
    EXPECT_NEAR(state.q()[0], 5, 1e-12);
    EXPECT_NEAR(result.goal_after, weight * 1, 1e-9);
  }
  State between(m);
  AssembleOptions o;
  o.positions.constraint_weights = {1.0, 3.0};
  assemble(between, o);
  EXPECT_NEAR(between.q()[0], 5.75, 1e-10);  // the weighted mean
}

TEST(Assemble, GivesTheSameResultTwice) {
  MechanismBuilder builder = drawn_chain(5);
  builder.add_constraint({"tie", WireSpec{"ground", "tip", 2.0}});
  const Mechanism m = builder.build();
  State a = initial_state(m), b = initial_state(m);
  assemble(a), assemble(b);
  EXPECT_EQ(testing_support::numbers(a.q()), testing_support::numbers(b.q()));
}

TEST(Assemble, RefusesGoalsThatAreNoNumbers) {
  const Mechanism m = drawn_chain(2).build();
  State state = initial_state(m);
  AssembleOptions o;
  o.positions.goals.points = {{m.frame("tip"), {NAN, 0, 0}}};
  EXPECT_THROW(assemble(state, o), std::invalid_argument);
  o.positions.goals.points = {{m.frame("tip"), {}, -1.0}};
  EXPECT_THROW(assemble(state, o), std::invalid_argument);
  o.positions.goals.points = {{99, {}}};
  EXPECT_THROW(assemble(state, o), std::invalid_argument);
}

// Two pins of a planar arm at q = (0, pi/2): the tip's velocity is asked for, and J u = v has one solution.
TEST(VelocityAnalysis, GivesAFrameTheVelocityAskedFor) {
  const Mechanism m = drawn_chain(2).build();
  State state = initial_state(m);
  state.set_q(1, 1.2);
  VelocityGoals goals;
  goals.frames = {{m.frame("tip"), Vec3<double>{0.7, 0, -0.4}}};
  const VelocityAnalysis result = analyse_velocities(state, goals, {});
  EXPECT_TRUE(result.met);
  realize(state, Stage::velocity);
  EXPECT_TRUE(near(state.frame_velocity(m.frame("tip")).linear, Vec3<double>{0.7, 0, -0.4}, 1e-12));
  EXPECT_LT(result.goal_after, 1e-24);
}

// Constraints come first: on a circle only the velocity's part along it can be had.
TEST(VelocityAnalysis, PutsConstraintsBeforeGoals) {
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = MassProperties::particle(2, {})});
  builder.add_joint({.name = "bead", .model = Translation{}, .child = "bead"});
  builder.add_constraint({"", WireSpec{"ground", "bead", 5}});
  State state(builder.build());
  state.set_q(std::vector<double>{3, 4, 0});
  VelocityGoals goals;
  goals.frames = {{state.mechanism().frame("bead"), Vec3<double>{1, 0, 2}}};
  EXPECT_TRUE(analyse_velocities(state, goals, {}).met);
  // (1, 0, 2) less its part along (3, 4, 0) / 5.
  EXPECT_TRUE(near(state.u(), std::vector<double>{1 - 0.36, -0.48, 2}, 1e-12));
}

// A speed coupler binds speeds and leaves configurations alone.
TEST(VelocityAnalysis, MeetsNonholonomicEquations) {
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = MassProperties::particle(2, {})});
  builder.add_joint({.name = "bead", .model = Translation{}, .child = "bead"});
  builder.add_constraint({"", SpeedCouplerSpec{{{"bead.x", 1}, {"bead.y", -1}}, 0}});
  State state(builder.build());
  state.set_q(std::vector<double>{1, 5, 0});
  state.set_u(std::vector<double>{2, 4, 7});
  const Assembly result = assemble(state);
  EXPECT_TRUE(result.assembled && result.velocities.met);
  EXPECT_EQ(testing_support::numbers(state.q()), (std::vector<double>{1, 5, 0}));
  EXPECT_TRUE(near(state.u(), std::vector<double>{3, 3, 7}, 1e-12));  // the mean: equal masses
}

TEST(Assemble, LeavesOutConstraintsThatAreDisabled) {
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = MassProperties::particle(2, {})});
  builder.add_joint({.name = "bead", .model = Translation{}, .child = "bead"});
  builder.add_constraint({"five", CouplerSpec{{{"bead.x", 1}}, 5}});
  builder.add_constraint({"six", CouplerSpec{{{"bead.x", 1}}, 6}});
  State state(builder.build());
  EXPECT_FALSE(assemble(state).assembled);
  state.disable(state.mechanism().constraint_element("five"));
  EXPECT_TRUE(assemble(state).assembled);
  EXPECT_NEAR(state.q()[0], 6, 1e-12);
}

TEST(VelocityAnalysis, NamesRowsThatHeldSpeedsViolate) {
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = MassProperties::particle(2, {})});
  builder.add_joint({.name = "bead", .model = Translation{}, .child = "bead"});
  builder.add_constraint({"sum", CouplerSpec{{{"bead.x", 1}, {"bead.y", 1}}, 0}});
  State state(builder.build());
  state.set_u(std::vector<double>{1, 2, 0});
  const VelocityAnalysis result = analyse_velocities(state, {}, {1, 1, 1});
  EXPECT_FALSE(result.met);
  ASSERT_EQ(result.unmet.size(), 1u);
  EXPECT_NEAR(result.unmet[0].error, 3, 1e-12);
  EXPECT_EQ(state.u()[0], 1);
}

}  // namespace
}  // namespace polhode::tree
