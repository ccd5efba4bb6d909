#include "polhode/tree/assemble.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "polhode/mechanism/builder.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/realize.h"
#include "tests/support/near.h"
#include "tests/support/random.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using testing_support::numbers;

/// A particle on three sliders, and what binds it.
MechanismBuilder particle() {
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = MassProperties::particle(2, {})});
  builder.add_joint({.name = "bead", .model = Translation{}, .child = "bead"});
  return builder;
}
State at_point(const Mechanism& mechanism, const std::vector<double>& q) {
  State state(mechanism);
  state.set_q(q);
  return state;
}

TEST(Assemble, GoesToTheNearestPointOfAPlane) {
  MechanismBuilder builder = particle();
  builder.add_constraint({"", CouplerSpec{{{"bead.x", 1}, {"bead.y", 2}, {"bead.z", -2}}, 6}});
  State state = at_point(builder.build(), {1, -1, 0.5});
  const Assembly result = assemble(state);
  // x + 2 y - 2 z is -2, whatever the sign of the constant: 8 or 4 short; along (1, 2, -2)/9 per unit.
  const double reached = state.q()[0] + 2 * state.q()[1] - 2 * state.q()[2];
  EXPECT_TRUE(result.assembled);
  EXPECT_NEAR(std::abs(reached), 6, 1e-12);
  const double step = (reached + 2) / 9;
  EXPECT_TRUE(near(state.q(), std::vector<double>{1 + step, -1 + 2 * step, 0.5 - 2 * step}, 1e-12));
  EXPECT_NEAR(result.moved, std::abs(2 * step), 1e-12);
}

// Gauss and Newton on a sphere: radial steps, so the nearest point exactly.
TEST(Assemble, GoesStraightToASphere) {
  MechanismBuilder builder = particle();
  builder.add_constraint({"", WireSpec{"ground", "bead", 2}});
  State state = at_point(builder.build(), {0.3, -0.4, 1.2});
  const Assembly result = assemble(state);
  EXPECT_TRUE(result.assembled);
  EXPECT_LT(result.error_after, 1e-12);
  const double scale = 2 / 1.3;
  EXPECT_TRUE(near(state.q(), std::vector<double>{0.3 * scale, -0.4 * scale, 1.2 * scale}, 1e-11));
}

TEST(Assemble, LeavesKinematicCoordinatesWithTheirSignals) {
  MechanismBuilder builder = particle();
  builder.add_constraint({"", WireSpec{"ground", "bead", 2}});
  builder.add_kinematic({.coordinate = "bead.x", .signal = Signal::sine(1, 3, 0.5)});
  State state = initial_state(builder.build());
  state.set_q(1, 0.6), state.set_q(2, 0.8);
  const double x = state.q()[0], rate = state.u()[0];
  EXPECT_TRUE(assemble(state).assembled);
  EXPECT_EQ(state.q()[0], x);
  EXPECT_EQ(state.u()[0], rate);
  EXPECT_NEAR(x * x + state.q()[1] * state.q()[1] + state.q()[2] * state.q()[2], 4, 1e-11);
  EXPECT_NEAR(state.q()[1] / state.q()[2], 0.75, 1e-11);
  // The other speeds make room for it.
  EXPECT_NEAR(x * rate + state.q()[1] * state.u()[1] + state.q()[2] * state.u()[2], 0, 1e-11);
}

TEST(Assemble, NamesTheConstraintThatItCannotMeet) {
  MechanismBuilder builder;
  builder.add_body({.name = "rod", .mass = MassProperties::rod(1, {0, 0, -1})});
  builder.add_joint({.name = "pin", .child = "rod", .placement = DrawnPlacement{.at = {}, .axis = Vec3<double>{0, 1, 0}}});
  builder.add_frame({.name = "tip", .body = "rod", .X_BF = at(0, 0, -1)});
  builder.add_constraint({"rope", WireSpec{"ground", "tip", 1.5}});
  State state = initial_state(builder.build());
  const Assembly result = assemble(state);
  EXPECT_FALSE(result.assembled);
  EXPECT_GT(result.error_after, 0.1);
  EXPECT_NE(result.worst.find("rope"), std::string::npos) << result.worst;
}

/// An arm of a metre that turns about y, and a wire of 0.3 m from its tip to a nail.
MechanismBuilder arm_and_nail() {
  MechanismBuilder builder;
  builder.add_body({.name = "arm", .mass = MassProperties::rod(1, {0, 0, -1})});
  builder.add_joint({.name = "pin", .child = "arm", .placement = DrawnPlacement{.at = {}, .axis = Vec3<double>{0, 1, 0}}});
  builder.add_frame({.name = "tip", .body = "arm", .X_BF = at(0, 0, -1)});
  builder.add_frame({.name = "nail", .body = ground_name, .X_BF = at(0.5, 0, -1)});
  builder.add_constraint({"wire", WireSpec{"nail", "tip", 0.3}});
  return builder;
}

TEST(Assemble, MovesWhatIsGivenWhereNothingElseIsFree) {
  State state = at_point(arm_and_nail().build(), {0.1});
  const Assembly result = assemble(state, Given{{1}, {0}});
  EXPECT_TRUE(result.assembled);
  EXPECT_FALSE(result.given_kept);
  // The tip is at (-sin q, 0, -cos q).
  EXPECT_NEAR(std::hypot(0.5 + std::sin(state.q()[0]), 1 - std::cos(state.q()[0])), 0.3, 1e-9);
}

TEST(Assemble, SaysThatItCannotWhereNothingIsFree) {
  const auto expect_not_met = [](State state, const AssembleOptions& options) {
    const Assembly result = assemble(state, options);
    EXPECT_FALSE(result.assembled);
    ASSERT_EQ(result.unmet.size(), 1u);
    EXPECT_NEAR(result.unmet[0].error, std::hypot(0.5 + std::sin(0.1), 1 - std::cos(0.1)) - 0.3, 1e-12);
  };
  AssembleOptions locked;
  locked.positions.locked = {1};
  expect_not_met(at_point(arm_and_nail().build(), {0.1}), locked);
  AssembleOptions with_goal = locked;
  with_goal.positions.goals.coordinates.push_back({0, 0.7});
  expect_not_met(at_point(arm_and_nail().build(), {0.1}), with_goal);
  MechanismBuilder driven = arm_and_nail();
  driven.add_kinematic({.coordinate = "pin", .signal = Signal::constant(0.1)});
  expect_not_met(initial_state(driven.build()), {});
}

// A weld has no coordinates at all: 0.5 m are asked to be 0.3 m.
TEST(Assemble, SaysThatItCannotWhereThereAreNoCoordinates) {
  MechanismBuilder builder;
  builder.add_body({.name = "post", .mass = MassProperties::rod(1, {0, 0, -1})});
  builder.add_joint({.name = "weld", .model = Weld{}, .child = "post"});
  builder.add_frame({.name = "nail", .body = ground_name, .X_BF = at(0.5, 0, 0)});
  builder.add_constraint({"wire", WireSpec{"nail", "post", 0.3}});
  State state = initial_state(builder.build());
  const Assembly result = assemble(state);
  EXPECT_FALSE(result.assembled);
  EXPECT_NEAR(result.error_after, 0.2, 1e-12);
}

TEST(Assemble, LeavesStatesWithoutConstraintsAlone) {
  State state = at_point(particle().build(), {0.1, 0.2, 0.3});
  state.set_u(std::vector<double>{3, 2, 1});
  const Assembly result = assemble(state);
  EXPECT_TRUE(result.assembled);
  EXPECT_EQ(result.moved, 0);
  EXPECT_EQ(numbers(state.q()), (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(numbers(state.u()), (std::vector<double>{3, 2, 1}));
}

// M (u' - u) = G^T nu and G u' = 0: of all speeds that the constraints allow, the nearest in kinetic energy.
TEST(Assemble, GivesTheNearestSpeedsThatTheConstraintsAllow) {
  MechanismBuilder builder;
  for (int i = 1; i <= 4; ++i) {
    const std::string name = "link" + std::to_string(i);
    builder.add_body({.name = name, .mass = MassProperties::box(1 + 0.3 * i, {0.2, 0.3, 1})});
    builder.add_joint({.name = "joint" + std::to_string(i),
                       .model = i == 3 ? JointModel(Ball{}) : JointModel(Revolute{}),
                       .parent = i == 1 ? ground_name : "link" + std::to_string(i - 1),
                       .child = name,
                       .placement = LocalPlacement{at(0.1 * i, 0.1, -0.5), at(0, 0, 0.5)}});
  }
  builder.add_frame({.name = "tip", .body = "link4", .X_BF = at(0, 0.1, -0.5)});
  builder.add_frame({.name = "wall", .body = ground_name, .X_BF = at(1, 0.5, -1)});
  builder.add_constraint({"", WireSpec{"wall", "tip", 1.4}});
  builder.add_constraint({"", PointInPlaneSpec{"link1", "tip", {1, 2, 0.3}}});
  const Mechanism mechanism = builder.build();
  State state = initial_state(mechanism);
  const std::vector<double> wanted = testing_support::Random(3).vector(mechanism.num_u(), 1);
  state.set_u(wanted);
  ASSERT_TRUE(assemble(state).assembled);

  const Constraints constraints(mechanism);
  Workspace w(mechanism);
  positions(w, state.q());
  const std::size_t n = std::size_t(mechanism.num_u()), m = std::size_t(constraints.num_rows());
  std::vector<double> values(std::size_t(constraints.num_entries())), rate(m), change(n), impulse(n);
  constraints.jacobian(w, 0, state.q(), values);
  constraints.multiply(values, state.u(), rate);
  EXPECT_LT(testing_support::largest(rate), 1e-12);
  for (std::size_t u = 0; u < n; ++u) change[u] = state.u()[u] - wanted[u];
  multiply_mass(w, change, impulse);
  Eigen::MatrixXd GT = Eigen::MatrixXd::Zero(Eigen::Index(n), Eigen::Index(m));
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t k = 0; k < constraints.columns(int(row)).size(); ++k)
      GT(constraints.columns(int(row))[k], Eigen::Index(row)) = values[std::size_t(constraints.row_starts()[row]) + k];
  const Eigen::Map<const Eigen::VectorXd> f(impulse.data(), Eigen::Index(n));
  const Eigen::VectorXd nu = GT.completeOrthogonalDecomposition().solve(f);
  EXPECT_LT((GT * nu - f).norm(), 1e-12 * (1 + f.norm()));
}

}  // namespace
}  // namespace polhode::tree
