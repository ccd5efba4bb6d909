// Models that need another spanning tree than the plain one: they name coordinates of joints that would close a loop, or have
// bodies in a loop without mass.
#include "model_error_text.h"

namespace polhode {
namespace {

const char* const joints_of_the_loop[] = {"1", "2", "3", "4"};

/// Four pins in a square; the plain tree leaves "3" over.
MechanismBuilder four_bar() {
  MechanismBuilder builder;
  const Vec3<double> corner[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
  const char* const bodies[] = {"ground", "a", "b", "c", "ground"};
  for (int i = 1; i <= 3; ++i) {
    const Vec3<double> middle = 0.5 * (corner[i - 1] + corner[i]);
    builder.add_body(ball(bodies[i], at(middle.x, middle.y, middle.z)));
  }
  for (int i = 0; i < 4; ++i)
    builder.add_joint({.name = joints_of_the_loop[i],
                       .parent = bodies[i],
                       .child = bodies[i + 1],
                       .placement = DrawnPlacement{.at = corner[i], .axis = Vec3<double>{0, 1, 0}}});
  return builder;
}

double total_mass(const Mechanism& m) {
  double mass = 0;
  for (const Body& body : m.bodies()) mass += body.mass.mass;
  return mass;
}

TEST(LoopCoordinates, TheTreeIsThePlainOneUntilAJointThatItLeavesOverIsNamed) {
  EXPECT_EQ(four_bar().build().loop_joints().at(0).name, "3");
  MechanismBuilder builder = four_bar();
  for (const char* joint : {"1", "2", "4"}) builder.add_force({CoordinateDampingSpec{joint, 1}});
  EXPECT_EQ(builder.build().loop_joints().at(0).name, "3");
}

TEST(LoopCoordinates, ANamedJointIsInTheTreeAndOneThatIsNotClosesTheLoop) {
  const auto left_over = [](const MechanismBuilder& builder) {
    const Mechanism m = builder.build();
    EXPECT_EQ(m.num_q(), 3);
    EXPECT_EQ(m.num_bodies(), 4);
    EXPECT_GE(m.coordinate("3"), 0);
    return m.loop_joints().at(0).name;
  };
  // Whatever the model wants of the coordinate or speed.
  MechanismBuilder damped = four_bar();
  damped.add_force({CoordinateDampingSpec{"3", 1}}).add_force({CoordinateForceSpec{"1", 1}});
  EXPECT_TRUE(left_over(damped) == "2" || left_over(damped) == "4");
  EXPECT_NE(left_over(four_bar().set_initial({"3", 0.1, {}, {}})), "3");
  EXPECT_NE(left_over(four_bar().set_initial({"3'", {}, 0.1, {}})), "3");
  EXPECT_NE(left_over(four_bar().lock({"3"})), "3");
  EXPECT_NE(left_over(four_bar().add_kinematic({"3", Signal::constant(0), {}})), "3");
  EXPECT_NE(left_over(four_bar().add_constraint({"", GearSpec{"3", "1", -1}})), "3");
  EXPECT_NE(left_over(four_bar().add_event({"e", WhenSpec{CoordinateWitness{"3"}}, {}, {}})), "3");
  EXPECT_NE(left_over(four_bar().add_event({"e", WhenSpec{SpeedWitness{"3'"}}, {}, {}})), "3");
}

TEST(LoopCoordinates, ALoopOfWhichEveryJointIsNamedIsCutThroughABody) {
  MechanismBuilder builder = four_bar();
  for (const char* joint : joints_of_the_loop) builder.add_force({CoordinateSpringSpec{joint, 2, 0}});
  // A parallelogram: b keeps its direction, a and c turn alike.
  builder.set_initial({"1", 0.3, {}, {}}).set_initial({"2", -0.3, {}, {}}).set_initial({"3", 0.3, {}, {}});
  const Mechanism m = builder.build();
  EXPECT_EQ(m.num_q(), 4);
  EXPECT_EQ(m.forces().of<CoordinateSpring>().size(), 4u);
  ASSERT_EQ(m.loop_joints().size(), 1u);
  const LoopJoint& weld = m.loop_joints()[0];
  EXPECT_TRUE(std::holds_alternative<Weld>(weld.model));
  EXPECT_EQ(m.bodies()[weld.child].part_of, weld.parent);
  EXPECT_DOUBLE_EQ(total_mass(m), 3);
  EXPECT_EQ(m.whole_mass(weld.parent), 1);
  EXPECT_EQ(m.whole_mass(weld.child), 1);
  EXPECT_EQ(m.whole_mass(0), 0);
  EXPECT_DOUBLE_EQ(m.bodies()[weld.child].mass.inertia.xx, m.bodies()[weld.parent].mass.inertia.xx);
  // The two parts start in one place, where the body is.
  const auto X_WB = body_poses(m, m.initial_q());
  EXPECT_LT(distance(X_WB[weld.child], X_WB[weld.parent]), 1e-14);  // rounding, of coordinates of size one
}

TEST(LoopCoordinates, WhatEventsOpenClosesTheLoop) {
  const auto opening = [](const std::string& joint) {
    return four_bar().add_event({"open", AtSpec{{1}}, {{EnableAction{joint, false}}}, {}});
  };
  for (const char* joint : joints_of_the_loop) {
    EXPECT_EQ(opening(joint).build().loop_joints().at(0).name, joint);
    const auto damped = opening(joint).add_force({CoordinateDampingSpec{"3", 1}});
    if (joint != std::string("3")) {
      EXPECT_EQ(MechanismBuilder(damped).build().loop_joints().at(0).name, joint);
    }
  }
  EXPECT_TRUE(
      reports_only(opening("3").add_force({CoordinateDampingSpec{"3", 1}}), "there is no constraint or loop joint \"3\""));
  MechanismBuilder open = four_bar();
  open.add_body(ball("d")).add_joint(pin("5", "c", "d"));
  EXPECT_TRUE(reports_only(open.add_event({"open", AtSpec{{1}}, {{EnableAction{"5", false}}}, {}}), "loop joint \"5\""));
}

// Bodies without mass.

MechanismBuilder four_bar_without(const std::vector<std::string>& massless) {
  MechanismBuilder drawn = four_bar(), builder;
  for (BodySpec body : drawn.bodies()) {
    if (std::find(massless.begin(), massless.end(), body.name) != massless.end()) body.mass = {};
    builder.add_body(body);
  }
  for (const JointSpec& joint : drawn.joints()) builder.add_joint(joint);
  return builder;
}

TEST(MasslessBodies, OfALoopAreCarriedByTheBodiesBesideThem) {
  for (const std::vector<std::string>& massless :
       std::vector<std::vector<std::string>>{{"a"}, {"b"}, {"c"}, {"a", "b"}, {"b", "c"}}) {
    SCOPED_TRACE(massless[0]);
    const Mechanism m = four_bar_without(massless).build();
    EXPECT_DOUBLE_EQ(total_mass(m), double(3 - massless.size()));
  }
}

TEST(MasslessBodies, ThatNoLoopHoldsAreRefused) {
  MechanismBuilder open = four_bar();
  open.add_body({.name = "tail"}).add_joint(pin("wag", "c", "tail"));
  EXPECT_TRUE(reports_only(open, "joint \"wag\" moves body \"tail\", which has no mass"));
  MechanismBuilder loop = four_bar_without({"b"});
  loop.add_body({.name = "tail"}).add_joint(pin("wag", "b", "tail"));
  EXPECT_TRUE(reports_only(loop, "joint \"wag\" moves body \"tail\", which has no mass"));
  EXPECT_FALSE(problems_of(four_bar_without({"a", "b", "c"})).empty());
  open.add_constraint({"", CoincidentPointsSpec{"tail", "a"}});
  EXPECT_TRUE(reports_only(open, "close the loop with a joint in its place"));
}

// Masses at the pins and rods without mass between them: part of a particle is reckoned to the rod.
TEST(MasslessBodies, ShareTheParticleAtTheirEnd) {
  MechanismBuilder drawn = four_bar(), builder;
  const Vec3<double> end[] = {{0, 0, 0.5}, {}, {0, 0, 0.5}};  // a's end is the pin "2", c's the pin "3"
  for (int i = 0; i < 3; ++i) {
    BodySpec body = drawn.bodies()[i];
    body.mass = i == 1 ? MassProperties{} : MassProperties::particle(2, end[i]);
    builder.add_body(body);
  }
  for (const JointSpec& joint : drawn.joints()) builder.add_joint(joint);
  const Mechanism m = builder.build();
  EXPECT_EQ(m.num_bodies(), 4);
  EXPECT_DOUBLE_EQ(total_mass(m), 4);
  EXPECT_DOUBLE_EQ(m.bodies()[m.body("b")].mass.mass, 1);
}

}  // namespace
}  // namespace polhode
