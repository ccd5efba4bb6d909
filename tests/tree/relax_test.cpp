#include "polhode/tree/relax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "polhode/mechanism/builder.h"
#include "tests/support/allocation_counter.h"

namespace polhode::tree {
namespace {

constexpr double g = 9.81, k = 30;  // [m/s^2], [N/m]

/// A cart on a level track; a bob hangs from it on a hinge (angle 0: straight down), and a weight from the bob on a spring
/// along the hanging rod. The hinge and the spring are fast.
MechanismBuilder hanging() {
  MechanismBuilder builder;
  builder.add_body({.name = "cart", .mass = MassProperties::particle(1)});
  builder.add_body({.name = "rod", .mass = MassProperties::rod(0.5, {0, 0, -1})});
  builder.add_body({.name = "weight", .mass = MassProperties::particle(2), .drawn_pose = {.p = {0, 0, -1}}});
  builder.add_joint({.name = "track",
                     .model = Prismatic{},
                     .child = "cart",
                     .placement = DrawnPlacement{.at = {0, 0, 0}, .axis = Vec3<double>{1, 0, 0}}});
  builder.add_joint({.name = "hinge",
                     .model = Revolute{},
                     .parent = "cart",
                     .child = "rod",
                     .placement = DrawnPlacement{.at = {0, 0, 0}, .axis = Vec3<double>{0, 1, 0}}});
  builder.add_joint({.name = "stretch",
                     .model = Prismatic{},
                     .parent = "rod",
                     .child = "weight",
                     .placement = DrawnPlacement{.at = {0, 0, -1}, .axis = Vec3<double>{0, 0, -1}}});
  builder.add_force({CoordinateSpringSpec{"stretch", k, 0.1}});
  builder.add_fast({"hinge"}).add_fast({"stretch"});
  return builder;
}

class Relaxed : public ::testing::Test {
 protected:
  RelaxationReport relax_from(const MechanismBuilder& builder, double hinge, double stretch, double t = 0) {
    const Mechanism m = builder.build();
    State state(m);
    q.assign(state.q().begin(), state.q().end());
    u.assign(q.size(), 1.0);
    q[std::size_t(m.coordinate("track"))] = 0.7;
    q[std::size_t(m.coordinate("hinge"))] = hinge, q[std::size_t(m.coordinate("stretch"))] = stretch;
    Workspace w(m);
    const RelaxationReport report = Relaxation(state).relax(w, t, q, u);
    found_hinge = q[std::size_t(m.coordinate("hinge"))], found_stretch = q[std::size_t(m.coordinate("stretch"))];
    return report;
  }
  std::vector<double> q, u;
  double found_hinge = 0, found_stretch = 0;
};

// The weight stretches its spring by m g / k past the rest length, straight down.
TEST_F(Relaxed, WeightHangsWhereForcesBalance) {
  for (const double start : {0.3, -1.2, 2.0, 3.0}) {
    SCOPED_TRACE(start);
    const RelaxationReport report = relax_from(hanging(), start, 0);
    EXPECT_TRUE(report.converged);
    EXPECT_NEAR(std::remainder(found_hinge, 2 * std::numbers::pi), 0, 1e-9);
    EXPECT_NEAR(found_stretch, 0.1 + 2 * g / k, 1e-9);
  }
}

TEST_F(Relaxed, OtherCoordinatesAndSpeedsStayAndFastSpeedsAreZero) {
  ASSERT_TRUE(relax_from(hanging(), 0.3, 0).converged);
  const Mechanism m = hanging().build();
  EXPECT_EQ(q[std::size_t(m.coordinate("track"))], 0.7);
  EXPECT_EQ(u[std::size_t(m.speed("track'"))], 1);
  EXPECT_EQ(u[std::size_t(m.speed("hinge'"))], 0);
  EXPECT_EQ(u[std::size_t(m.speed("stretch'"))], 0);
}

// A torque that turns with time: (M_rod/2 + m (1 + s)) g sin(angle) = torque, and along the rod k (s - 0.1) = m g cos(angle).
TEST_F(Relaxed, FollowsForcesOfTheTime) {
  MechanismBuilder builder = hanging();
  builder.add_force({CoordinateInputSpec{"hinge", Signal::polynomial({0, 4})}});
  for (const double t : {0.5, -1.5, 3.0}) {
    ASSERT_TRUE(relax_from(builder, 0, 0, t).converged);
    const double moment = (0.5 * 0.5 + 2 * (1 + found_stretch)) * g * std::sin(found_hinge);
    EXPECT_NEAR(std::abs(moment), std::abs(4 * t), 1e-8);
    EXPECT_NEAR(k * (found_stretch - 0.1), 2 * g * std::cos(found_hinge), 1e-8);
  }
}

TEST_F(Relaxed, IsDoneAtOnceWhereItIsAlready) {
  relax_from(hanging(), 0.3, 0);
  const double hinge = found_hinge, stretch = found_stretch;
  const RelaxationReport again = relax_from(hanging(), hinge, stretch);
  EXPECT_TRUE(again.converged);
  EXPECT_LE(again.iterations, 2);
}

TEST_F(Relaxed, CoordinateThatNoForceHoldsBackIsNamed) {
  MechanismBuilder builder = hanging();
  builder.add_force({CoordinateInputSpec{"hinge", Signal::constant(100)}});  // more than weight can balance
  const RelaxationReport report = relax_from(builder, 0, 0);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.coordinate, builder.build().coordinate("hinge"));
  EXPECT_GT(report.residual, 1);
  const std::string text = Relaxation(State(builder.build())).explain(2.5, report);
  EXPECT_NE(text.find("t = 2.5 s: no equilibrium"), std::string::npos) << text;
  EXPECT_NE(text.find("\"hinge\""), std::string::npos) << text;
}

TEST_F(Relaxed, ForceOfTheStateCounts) {
  const Mechanism m = hanging().build();
  State state(m);
  state.set_applied_force(m.speed("stretch'"), -2 * g);  // holds the weight up
  std::vector<double> at(state.q().begin(), state.q().end()), speeds(state.u().begin(), state.u().end());
  Workspace w(m);
  ASSERT_TRUE(Relaxation(state).relax(w, 0, at, speeds).converged);
  EXPECT_NEAR(at[std::size_t(m.coordinate("stretch"))], 0.1, 1e-9);
}

TEST_F(Relaxed, WithoutFastCoordinatesThereIsNothingToDo) {
  MechanismBuilder builder;
  builder.add_body({.name = "stone", .mass = MassProperties::sphere(1, 0.1)});
  const Mechanism m = builder.build();
  State state(m);
  Relaxation relaxation(state);
  EXPECT_FALSE(relaxation.any());
  std::vector<double> at(state.q().begin(), state.q().end()), speeds(6, 1.0);
  Workspace w(m);
  EXPECT_TRUE(relaxation.relax(w, 0, at, speeds).converged);
  EXPECT_EQ(speeds, std::vector<double>(6, 1.0));
}

TEST_F(Relaxed, ConstraintOnWhatIsFastIsRefusedByName) {
  MechanismBuilder builder = hanging();
  builder.add_constraint({"rope", WireSpec{ground_name, "weight", 1.2}, {}});
  try {
    const Relaxation relaxation{State(builder.build())};
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("fast coordinate \"hinge\""), std::string::npos) << error.what();
  }
}

TEST_F(Relaxed, NeverAllocates) {
  const Mechanism m = hanging().build();
  State state(m);
  std::vector<double> at(state.q().begin(), state.q().end()), speeds(state.u().begin(), state.u().end());
  at[std::size_t(m.coordinate("hinge"))] = 2;
  Workspace w(m);
  Relaxation relaxation(state);
  EXPECT_EQ(testing_support::allocations_in([&] { relaxation.relax(w, 0, at, speeds); }), 0);
}

}  // namespace
}  // namespace polhode::tree
