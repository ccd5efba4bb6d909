#include <gtest/gtest.h>

#include "model_error_text.h"
#include "polhode/state/stepper.h"

namespace polhode {
namespace {

JointSpec slider(const std::string& name, const std::string& parent, const std::string& child) {
  return {.name = name, .model = Prismatic{}, .parent = parent, .child = child};
}

/// A massless carriage that a signal moves, and a ball that hangs on it.
MechanismBuilder carriage(Signal signal) {
  MechanismBuilder builder;
  builder.add_body({.name = "carriage"}).add_body(ball("bob"));
  builder.add_joint(slider("track", ground_name, "carriage")).add_joint(pin("hinge", "carriage", "bob"));
  builder.add_kinematic({"track", std::move(signal), {3, 1}});
  return builder;
}

TEST(Kinematic, StartsWhereItsSignalStarts) {
  const Mechanism m = carriage(Signal::sine(0.5, 4, 0.3, 2)).build();
  ASSERT_EQ(m.kinematic().size(), 1u);
  const KinematicCoordinate& k = m.kinematic()[0];
  EXPECT_EQ(k.q, m.coordinate("track"));
  EXPECT_EQ(k.u, m.speed("track'"));
  EXPECT_NEAR(m.initial_q()[k.q], 2 + 0.5 * std::sin(0.3), 1e-15);
  EXPECT_NEAR(m.initial_u()[k.u], 2 * std::cos(0.3), 1e-15);
  EXPECT_TRUE(m.is_kinematic(k.u));
  EXPECT_FALSE(m.is_kinematic(m.speed("hinge'")));
}

// No law of motion is needed for what a signal moves, so it needs no mass, even at the end of a branch.
TEST(Kinematic, NeedsNoMass) {
  MechanismBuilder builder;
  builder.add_body({.name = "x"}).add_body({.name = "hook"}).add_body(ball("other"));
  builder.add_joint(slider("tx", ground_name, "x")).add_joint(slider("ty", "x", "hook"));
  EXPECT_FALSE(problems_of(builder).empty());
  builder.add_kinematic({"tx", Signal::sine(1, 1)}).add_kinematic({"ty", Signal::constant(1)});
  EXPECT_TRUE(problems_of(builder).empty());
}

TEST(Kinematic, AgreesWithAnInitialValueOrRefusesIt) {
  MechanismBuilder builder = carriage(Signal::polynomial({1, 2}));
  builder.set_initial({"track", 1, 2.0, {5, 1}});
  EXPECT_TRUE(problems_of(builder).empty());
  builder.set_initial({"track", 1.5, std::nullopt, {6, 1}});
  ASSERT_TRUE(reports_only(builder, "whose value at t = 0 is 1, not 1.5"));
  EXPECT_EQ(problems_of(builder)[0].where.line, 6);
  EXPECT_EQ(problems_of(builder)[0].other.line, 3);
  MechanismBuilder speed = carriage(Signal::polynomial({1, 2}));
  speed.set_initial({"track'", std::nullopt, 3.0, {}});
  EXPECT_TRUE(reports_only(speed, "whose rate at t = 0 is 2, not 3"));
}

TEST(Kinematic, IsDeclaredOnce) {
  MechanismBuilder builder = carriage(Signal::constant(1));
  builder.add_kinematic({"track", Signal::constant(1), {9, 1}});
  ASSERT_TRUE(reports_only(builder, "kinematic \"track\": the coordinate already follows a signal"));
  EXPECT_EQ(problems_of(builder)[0].other.line, 3);
}

TEST(Kinematic, IsNoPartOfAQuaternion) {
  MechanismBuilder builder;
  builder.add_body(ball("a"));
  builder.add_kinematic({"a.qx", Signal::constant(0)});
  EXPECT_TRUE(reports_only(builder, "kinematic: coordinate \"a.qx\" of the free joint \"a\" describes an orientation"));
}

TEST(Kinematic, UnknownCoordinateIsNamed) {
  MechanismBuilder builder = carriage(Signal());
  builder.add_kinematic({"trak", Signal()});
  EXPECT_TRUE(reports_only(builder, "coordinate \"trak\" is not defined; did you mean \"track\"?"));
}

TEST(Kinematic, SignalMustHaveAStart) {
  MechanismBuilder builder = carriage(Signal::of([](auto t) { return 1 / t; }));
  EXPECT_TRUE(reports_only(builder, "both must be finite"));
}

TEST(Kinematic, IsRefusedByNameWhereAMethodCannotFollowIt) {
  const Mechanism m = carriage(Signal::constant(1)).build();
  EXPECT_NO_THROW(require_supported(m, {.kinematic = true}, "any"));
  try {
    require_supported(m, {}, "some-method");
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("coordinate \"track\" follows a signal"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("some-method"), std::string::npos);
  }
}

}  // namespace
}  // namespace polhode
