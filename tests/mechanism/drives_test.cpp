#include <gtest/gtest.h>

#include <cmath>

#include "model_error_text.h"
#include "polhode/mechanism/conservation.h"
#include "polhode/state/stepper.h"

namespace polhode {
namespace {

/// A slider, a ball joint on it, and two hinges after that.
MechanismBuilder arm() {
  MechanismBuilder builder;
  for (const char* name : {"cart", "bob", "upper", "lower"}) builder.add_body(ball(name));
  builder.add_joint({.name = "track", .model = Prismatic{}, .child = "cart"});
  builder.add_joint({.name = "neck", .model = Ball{}, .parent = "cart", .child = "bob"});
  builder.add_joint(pin("shoulder", "bob", "upper")).add_joint(pin("elbow", "upper", "lower"));
  return builder;
}

TEST(Drives, EveryLevelIsInTheListOfDrivenSpeeds) {
  MechanismBuilder builder = arm();
  builder.add_motion({"track", Drive::position, Signal::polynomial({1, 2})});
  builder.add_motion({"shoulder", Drive::velocity, Signal::polynomial({3, 4})});
  builder.add_motion({"neck.wy", Drive::acceleration, Signal::constant(5)});
  builder.add_fast({"elbow"});
  const Mechanism m = builder.build();
  ASSERT_EQ(m.driven().size(), 4u);
  const auto drive_of = [&](const char* speed) { return m.drives()[std::size_t(m.speed(speed))]; };
  EXPECT_EQ(drive_of("track'"), Drive::position);
  EXPECT_EQ(drive_of("shoulder'"), Drive::velocity);
  EXPECT_EQ(drive_of("neck.wy"), Drive::acceleration);
  EXPECT_EQ(drive_of("neck.wx"), Drive::forces);
  EXPECT_EQ(drive_of("elbow'"), Drive::fast);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LT(m.driven()[i - 1].u, m.driven()[i].u);
  EXPECT_EQ(m.driven()[0].q, m.coordinate("track"));
  EXPECT_EQ(m.driven()[1].q, -1);  // no coordinate's rate
  EXPECT_EQ(m.driven()[3].q, m.coordinate("elbow"));
  EXPECT_EQ(m.kinematic().size(), 1u);  // level position is what "kinematic" means
}

TEST(Drives, StartWithWhatTheirSignalsSay) {
  MechanismBuilder builder = arm();
  builder.add_motion({"shoulder", Drive::velocity, Signal::polynomial({3, 4})});
  builder.add_motion({"elbow", Drive::acceleration, Signal::constant(5)});
  builder.set_initial({"shoulder", 0.5, std::nullopt, {}}).set_initial({"elbow", 0.25, 2.0, {}});
  const Mechanism m = builder.build();
  EXPECT_EQ(m.initial_u()[std::size_t(m.speed("shoulder'"))], 3);
  EXPECT_EQ(m.initial_q()[std::size_t(m.coordinate("shoulder"))], 0.5);
  EXPECT_EQ(m.initial_u()[std::size_t(m.speed("elbow'"))], 2);  // at level acceleration the user says where it starts
  builder.set_initial({"shoulder", std::nullopt, 1.0, {}});
  EXPECT_TRUE(reports_only(builder, "whose value at t = 0 is 3, not 1"));
}

TEST(Drives, NeedNoMassAtAnyLevel) {
  MechanismBuilder builder;
  builder.add_body({.name = "a"}).add_body({.name = "b"}).add_body({.name = "c"}).add_body(ball("other"));
  for (const auto& [joint, parent, child] : {std::tuple("ta", ground_name, "a"), {"tb", "a", "b"}, {"tc", "b", "c"}})
    builder.add_joint({.name = joint, .model = Prismatic{}, .parent = parent, .child = child});
  EXPECT_FALSE(problems_of(builder).empty());
  builder.add_motion({"ta", Drive::velocity, Signal::constant(1)}).add_motion({"tb", Drive::acceleration, Signal()});
  builder.add_fast({"tc"});
  EXPECT_TRUE(problems_of(builder).empty());
}

TEST(Drives, TwoForOneSpeedAreRefusedWithBothPlaces) {
  MechanismBuilder builder = arm();
  builder.add_kinematic({"track", Signal(), {4, 1}});
  builder.add_motion({"track'", Drive::velocity, Signal(), {5, 1}});
  ASSERT_TRUE(reports_only(builder, "motion \"track'\": speed \"track'\" is driven already, at level position"));
  EXPECT_EQ(problems_of(builder)[0].where.line, 5);
  EXPECT_EQ(problems_of(builder)[0].other.line, 4);
}

TEST(Drives, MistakesAreNamed) {
  const auto with = [](const MotionSpec& spec) { return MechanismBuilder(arm()).add_motion(spec); };
  EXPECT_TRUE(reports_only(with({"trak", Drive::velocity, Signal()}), "coordinate \"trak\" is not defined; did you mean"));
  EXPECT_TRUE(reports_only(with({"neck.qx", Drive::velocity, Signal()}), "describes an orientation"));
  EXPECT_TRUE(reports_only(with({"elbow", Drive::velocity, Signal::of([](auto t) { return 1 / t; })}), "must be finite"));
  EXPECT_TRUE(reports_only(with({"elbow", Drive::fast, Signal()}), "a motion cannot be at level fast"));
}

TEST(Drives, WhatHangsOnAFastJointMustBeFast) {
  MechanismBuilder builder = arm();
  builder.add_fast({"shoulder", {7, 1}});
  ASSERT_TRUE(reports_only(builder, "joint \"elbow\" moves with fast coordinate \"shoulder\", but its speed \"elbow'\""));
  EXPECT_EQ(problems_of(builder)[0].other.line, 7);
  builder.add_motion({"elbow", Drive::velocity, Signal()});  // driven is not fast either
  EXPECT_TRUE(reports_only(builder, "joint \"elbow\" moves with fast coordinate"));
  MechanismBuilder all = arm();
  all.add_fast({"shoulder"}).add_fast({"elbow"});
  EXPECT_TRUE(problems_of(all).empty());
}

TEST(Drives, JointIsFastInAllItsCoordinatesOrNone) {
  MechanismBuilder builder;
  builder.add_body(ball("puck"));
  builder.add_joint({.name = "table", .model = Planar{}, .child = "puck"});
  builder.add_fast({"table.x"});
  EXPECT_TRUE(reports_only(builder, "must be fast in all its coordinates"));
  builder.add_fast({"table.y"}).add_fast({"table.angle"});
  EXPECT_TRUE(problems_of(builder).empty());
}

TEST(Locks, AreOnInANewStateAndCanBeTakenOff) {
  MechanismBuilder builder = arm();
  builder.lock({"neck"}).lock({"elbow", Drive::velocity});
  builder.set_initial({"elbow", 0.1, 2.0, {}});
  const Mechanism m = builder.build();
  State state(m);
  EXPECT_TRUE(state.is_locked(m.joint("neck")));
  EXPECT_TRUE(state.is_locked(m.joint("elbow")));
  EXPECT_FALSE(state.is_locked(m.joint("track")));
  EXPECT_EQ(state.drives()[std::size_t(m.speed("neck.wz"))], Drive::position);
  EXPECT_EQ(state.drives()[std::size_t(m.speed("elbow'"))], Drive::velocity);
  EXPECT_EQ(state.u()[std::size_t(m.speed("elbow'"))], 2);
  state.unlock(m.joint("neck"));
  EXPECT_EQ(state.drives()[std::size_t(m.speed("neck.wz"))], Drive::forces);
}

TEST(Locks, MistakesAreNamed) {
  const auto with = [](const LockSpec& spec) { return MechanismBuilder(arm()).lock(spec); };
  EXPECT_TRUE(reports_only(with({"elbo"}), "lock: joint \"elbo\" is not defined; did you mean \"elbow\"?"));
  EXPECT_TRUE(reports_only(with({"elbow", Drive::forces}), "a lock cannot be at level forces"));
  EXPECT_TRUE(reports_only(with({"elbow"}).lock({"elbow", Drive::velocity}), "the joint is locked already"));
  EXPECT_TRUE(
      reports_only(with({"elbow"}).set_initial({"elbow", 1.0, 2.0, {}}), "it is held at rest, so its speed is 0, not 2"));
  MechanismBuilder welded = arm();
  welded.add_body(ball("hand")).add_joint({.name = "glue", .model = Weld{}, .parent = "lower", .child = "hand"});
  EXPECT_TRUE(reports_only(welded.lock({"glue"}), "is a weld"));
  MechanismBuilder loop = arm();
  loop.add_joint(pin("closing", ground_name, "lower"));
  const std::string closing = loop.build().loop_joints().at(0).name;  // the spanning tree chooses
  const Mechanism locked = loop.lock({closing}).build();              // another joint closes the loop then
  EXPECT_EQ(locked.initial_locks().at(0).joint, locked.joint(closing));
}

TEST(DiscreteVariables, AreNamedOnceAndStartFinite) {
  MechanismBuilder builder = arm();
  builder.add_discrete({"gear", 2}).add_discrete({"clutch", -1.5});
  const Mechanism m = builder.build();
  EXPECT_EQ(State(m).discrete()[std::size_t(m.discrete_variable("clutch"))], -1.5);
  EXPECT_EQ(m.discrete_variable("gear"), 0);
  EXPECT_THROW(m.discrete_variable("gears"), ModelError);
  EXPECT_TRUE(
      reports_only(MechanismBuilder(builder).add_discrete({"gear", 3}), "discrete variable \"gear\" is already defined"));
  EXPECT_TRUE(reports_only(MechanismBuilder(builder).add_discrete({"x", NAN}), "must start as a finite number"));
  EXPECT_TRUE(reports_only(MechanismBuilder(builder).add_discrete({"", 1}), "has no name"));
}

TEST(Drives, FeedEnergyUnlessTheyHoldStill) {
  EXPECT_TRUE(keeps_energy(arm().build()));
  EXPECT_TRUE(keeps_energy(arm().add_kinematic({"track", Signal::constant(1)}).build()));
  EXPECT_TRUE(keeps_energy(arm().lock({"track"}).build()));
  EXPECT_FALSE(keeps_energy(arm().lock({"track", Drive::velocity}).build()));
  EXPECT_FALSE(keeps_energy(arm().add_motion({"track", Drive::velocity, Signal::constant(1)}).build()));
  EXPECT_FALSE(keeps_energy(arm().add_fast({"elbow"}).build()));
}

template <class Asked>
std::string refusal_of(const Asked& asked, const MethodFeatures& features) {
  try {
    require_supported(asked, features, "some-method");
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Drives, MethodsThatCannotFollowRefuseByName) {
  const Mechanism moved = arm().add_motion({"neck.wx", Drive::velocity, Signal()}).build();
  EXPECT_TRUE(has(refusal_of(moved, {}), "speed \"neck.wx\" follows a signal at level velocity, which method some-method"));
  EXPECT_EQ(refusal_of(moved, {.motions = true}), "");
  const Mechanism fast = arm().add_fast({"elbow"}).build();
  EXPECT_TRUE(has(refusal_of(fast, {.motions = true}), "coordinate \"elbow\" is fast"));
  EXPECT_EQ(refusal_of(fast, {.fast = true}), "");
  const Mechanism locked = arm().lock({"elbow"}).build();
  EXPECT_TRUE(has(refusal_of(locked, {}), "joint \"elbow\" is locked"));
  EXPECT_EQ(refusal_of(locked, {.locks = true}), "");
}

TEST(Locks, OfEventsAreRefusedByNameToo) {
  const Mechanism m =
      arm().add_event({.name = "hold", .when = AtSpec{{1.0}}, .actions = {{LockAction{"elbow", true}, {}}}}).build();
  EXPECT_TRUE(has(refusal_of(m, {}), "event \"hold\" locks joint \"elbow\", which method some-method cannot do during a run"));
  EXPECT_EQ(refusal_of(m, {.locks = true}), "");
}

TEST(Locks, OfAStateAreRefusedByNameToo) {
  const Mechanism m = arm().add_kinematic({"track", Signal()}).build();
  State state(m);
  EXPECT_EQ(refusal_of(state, {}), "");
  state.lock(m.joint("elbow"));
  EXPECT_TRUE(has(refusal_of(state, {}), "joint \"elbow\" is locked in this state"));
  EXPECT_EQ(refusal_of(state, {.locks = true}), "");
  state.unlock(m.joint("elbow"));
  EXPECT_EQ(refusal_of(state, {}), "");
  state.set_motion_followed(m.joint("track"), false);
  EXPECT_TRUE(has(refusal_of(state, {}), "joint \"track\" does not follow its signal"));
}

TEST(DisabledConstraints, OfAStateAreRefusedByName) {
  MechanismBuilder builder = arm();
  builder.add_constraint({"rope", WireSpec{"ground", "lower", 1.0}, {}});
  builder.add_joint(pin("closing", ground_name, "upper"));
  State state(builder.build());
  state.disable(state.mechanism().constraint_element("rope"));
  const std::string closing = state.mechanism().loop_joints().at(0).name;
  state.disable(state.mechanism().constraint_element(closing));
  EXPECT_TRUE(has(refusal_of(state, {}), "is disabled in this state"));
  EXPECT_TRUE(has(refusal_of(state, {}), ("joint \"" + closing + "\" is disabled").c_str()));
  EXPECT_EQ(refusal_of(state, {.switching = true}), "");
}

}  // namespace
}  // namespace polhode
