#include "polhode/mechanism/builder.h"

#include <ctime>
#include <limits>
#include <random>

#include "model_error_text.h"

namespace polhode {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

MechanismBuilder pendulum() {
  MechanismBuilder builder;
  builder.add_body(ball("bob", at(0, 0, -1)));
  builder.add_joint(
      {.name = "hinge", .child = "bob", .placement = DrawnPlacement{.at = {0, 0, 0}, .axis = Vec3<double>{0, 1, 0}}});
  return builder;
}

// Names.

TEST(Builder, NamesBothJointsThatShareAName) {
  MechanismBuilder builder;
  builder.add_body(ball("a")).add_body(ball("b"));
  builder.add_joint(pin("hinge", "ground", "a", {4, 1})).add_joint(pin("hinge", "a", "b", {7, 3}));
  ASSERT_TRUE(reports_only(builder, "joint \"hinge\" is already defined"));
  EXPECT_EQ(problems_of(builder)[0].where.line, 7);
  EXPECT_EQ(problems_of(builder)[0].other.line, 4);
}

TEST(Builder, NamesBothBodiesThatShareAName) {
  MechanismBuilder builder;
  builder.add_body(ball("a", {}, {1, 1})).add_body(ball("a", {}, {2, 1}));
  const auto found = problems_of(builder);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].message.substr(0, 27), "body \"a\" is already defined");
  EXPECT_EQ(found[0].where.line, 2);
  EXPECT_EQ(found[0].other.line, 1);
}

TEST(Builder, FramesAndBodiesShareOneNamespace) {
  MechanismBuilder builder = pendulum();
  builder.add_frame({"bob", "bob", {}, {5, 1}});
  EXPECT_TRUE(reports_only(builder, "frame \"bob\" has the name of a body"));
}

TEST(Builder, ACoordinateMayBearTheNameOfAFrame) {
  MechanismBuilder builder = pendulum();
  builder.add_frame({"hinge", "bob", {}, {}});
  EXPECT_EQ(builder.build().coordinate("hinge"), 0);
}

TEST(Builder, KeepsTheNameGroundForTheWorld) {
  MechanismBuilder builder = pendulum();
  builder.add_body(ball("ground"));
  EXPECT_TRUE(reports_only(builder, "\"ground\" is the name of the fixed world"));
}

TEST(Builder, RefusesTwoCoordinatesOrTwoConstraintsOfOneName) {
  MechanismBuilder builder = pendulum();
  builder.add_body(ball("tail"));
  JointSpec second = pin("elbow", "bob", "tail");
  second.coordinate_names = {"hinge"};
  builder.add_joint(second);
  builder.add_constraint({"loop", WireSpec{"bob", "tail", 1}}).add_constraint({"loop", WireSpec{"tail", "bob", 2}});
  const auto found = problems_of(builder);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].message.substr(0, 18), "coordinate \"hinge\"");
  EXPECT_EQ(found[1].message.substr(0, 17), "constraint \"loop\"");
}

TEST(Builder, SuggestsTheNearestNameWhateverItsCase) {
  MechanismBuilder builder;
  for (const char* name : {"base", "upper", "forearm", "hand"}) builder.add_body(ball(name));
  builder.add_joint(pin("elbow", "upper", "Forarm"));
  EXPECT_TRUE(
      reports_only(builder, "body \"Forarm\" is not defined; did you mean \"forearm\"? (bodies: base, upper, forearm, hand"));
}

TEST(Builder, ShortensLongListsOfNames) {
  MechanismBuilder builder;
  for (int i = 0; i < 100; ++i) builder.add_body(ball("link" + std::to_string(i)));
  builder.add_frame({"tip", "nothing like it", {}, {}});
  EXPECT_TRUE(reports_only(builder, "and 88 more"));
}

TEST(Mechanism, LooksNamesUpAndListsTheValidOnesWhenOneIsWrong) {
  const Mechanism mechanism = pendulum().build();
  EXPECT_EQ(mechanism.body("bob"), 1);
  EXPECT_EQ(mechanism.joint("hinge"), 1);
  EXPECT_EQ(mechanism.frame("ground"), 0);
  EXPECT_EQ(mechanism.speed("hinge'"), 0);
  try {
    mechanism.body("bop");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "body \"bop\" is not defined; did you mean \"bob\"? (bodies: ground, bob)");
  }
}

// Problems.

TEST(Builder, TellsAllProblemsAtOnce) {
  MechanismBuilder builder;
  builder.gravity.z = not_a_number;
  builder.add_body({.name = "hand", .mass = {1, {}, {1, 1, 5}}});
  builder.add_joint({.name = "elbow", .child = "hand", .placement = DrawnPlacement{.axis = Vec3<double>{}}});
  builder.add_force({CoordinateDampingSpec{"elbow", -1}});
  builder.report({"found by the parser", {1, 1}, {}, {}});
  const auto found = problems_of(builder);
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0].message, "found by the parser");
  EXPECT_EQ(found[2].message.substr(0, 12), "body \"hand\":");
  EXPECT_EQ(found[3].message, "joint \"elbow\": axis (0, 0, 0) has no direction; give a nonzero vector, e.g. (axis 0 1 0)");
  EXPECT_EQ(found[4].message, "damping on \"elbow\": coefficient -1 must not be negative");
}

TEST(Builder, RefusesAnEmptyModel) { EXPECT_TRUE(reports_only(MechanismBuilder{}, "nothing to simulate")); }

TEST(Builder, RefusesAJointFromABodyToItself) {
  MechanismBuilder builder = pendulum();
  builder.add_joint(pin("odd", "bob", "bob"));
  EXPECT_TRUE(reports_only(builder, "connects body \"bob\" to itself"));
}

TEST(Builder, RefusesPosesThatAreNone) {
  Transform<double> mirrored, sheared;
  mirrored.R.col[0] = {-1, 0, 0};
  sheared.R.col[0] = {1, 0.1, 0};
  for (const auto& [pose, text] :
       {std::pair{mirrored, "mirrors"}, {sheared, "perpendicular"}, {at(not_a_number, 0, 0), "finite"}}) {
    MechanismBuilder builder;
    builder.add_body(ball("a", pose));
    EXPECT_TRUE(reports_only(builder, text));
  }
}

TEST(Builder, AJointThatIsWrongDoesNotMakeItsCoordinatesUnknown) {
  MechanismBuilder builder = pendulum();
  builder.add_joint(pin("elbow", "bob", "nobody"));
  builder.add_force({CoordinateDampingSpec{"elbow", 1}});
  EXPECT_TRUE(reports_only(builder, "body \"nobody\" is not defined"));
}

// Motions that no mass resists.

TEST(Builder, RefusesAMovingJointThatCarriesNoMass) {
  MechanismBuilder builder;
  builder.add_body(ball("base")).add_body({.name = "shell"}).add_body({.name = "tip"});
  builder.add_joint(pin("a", "ground", "base")).add_joint(pin("b", "base", "shell")).add_joint(pin("c", "shell", "tip"));
  EXPECT_TRUE(reports_only(builder, "joint \"b\" moves body \"shell\", which has no mass"));
}

TEST(Builder, AllowsMasslessBodiesThatCarryMass) {
  MechanismBuilder builder;
  builder.add_body({.name = "cross"}).add_body(ball("tip"));
  builder.add_joint(pin("a", "ground", "cross")).add_joint(pin("b", "cross", "tip"));
  EXPECT_EQ(builder.build().num_u(), 2);
}

TEST(Builder, RefusesAParticleOnTheAxisButNotBesideIt) {
  for (const bool beside : {false, true}) {
    MechanismBuilder builder;
    builder.add_body({.name = "bob", .mass = MassProperties::particle(1, {beside ? 0.1 : 0.0, 0, 2})});
    builder.add_joint(pin("hinge", "ground", "bob"));
    EXPECT_TRUE(beside ? testing::AssertionResult(problems_of(builder).empty())
                       : reports_only(builder, "body \"bob\" is a particle"));
  }
}

// However it lies, a particle has no inertia about the line from the joint's centre to it; nor has a rod about itself.
TEST(Builder, RefusesABallJointThatSpinsMatterWithoutInertia) {
  for (const auto& mass :
       {MassProperties::particle(1), MassProperties::particle(2, {1, 2, 3}), MassProperties::rod(1, {3, -1, 2})}) {
    MechanismBuilder builder;
    builder.add_body({.name = "bob", .mass = mass});
    builder.add_joint({.name = "socket", .model = Ball{}, .child = "bob"});
    EXPECT_TRUE(reports_only(builder, "joint \"socket\" leaves a motion undetermined"));
  }
}

TEST(Builder, AllowsABallJointOnARodHeldBesideItsLine) {
  MechanismBuilder builder;
  builder.add_body({.name = "rod", .mass = MassProperties::rod(1, {0, 0, 1})});
  builder.add_joint({.name = "socket", .model = Ball{}, .child = "rod", .placement = LocalPlacement{{}, at(0.1, 0, 0)}});
  EXPECT_TRUE(problems_of(builder).empty());
}

// Bodies that no joint holds.

TEST(Builder, AFreeBodyMovesInTheWaysItsMatterResists) {
  const Transform<double> pose{rotation_from_angles("xyz", {0.3, -0.8, 1.9}), {1, 2, 3}};
  MechanismBuilder builder;
  builder.add_body({.name = "particle", .mass = MassProperties::particle(1), .drawn_pose = pose});
  builder.add_body({.name = "rod", .mass = MassProperties::rod(1, {1, 2, -1}), .drawn_pose = pose});
  builder.add_body({.name = "brick", .mass = MassProperties::box(1, {1, 2, 3}), .drawn_pose = pose});
  const Mechanism mechanism = builder.build();
  EXPECT_EQ(mechanism.joints()[1].nu, 3);
  EXPECT_EQ(mechanism.joints()[2].nu, 5);
  EXPECT_EQ(mechanism.joints()[3].nu, 6);
  // It starts where it was drawn: a few products of rotations, each right to rounding.
  const auto X_WB = body_poses(mechanism, mechanism.initial_q());
  for (int b = 1; b <= 3; ++b) EXPECT_LT(distance(X_WB[b], pose), 2e-15 * 10) << mechanism.bodies()[b].name;
  EXPECT_EQ(mechanism.initial_q()[mechanism.coordinate("particle.x")], 1);
}

TEST(Builder, AFreeRodsJointSpinsItAboutItsOwnLine) {
  MechanismBuilder builder;
  MassProperties rod = MassProperties::rod(1, {1, 2, -1});
  rod.com += Vec3<double>{0.5, 0, 0};  // the line misses the body's origin
  builder.add_body({.name = "rod", .mass = rod});
  const Mechanism mechanism = builder.build();
  const FlatBody& flat = mechanism.flat()[1];  // in M
  EXPECT_NEAR(flat.first_moment[0], 0, 1e-15);
  EXPECT_NEAR(flat.first_moment[1], 0, 1e-15);
  EXPECT_NEAR(flat.inertia_about_origin[2], 0, 1e-15);
}

TEST(Builder, AParticleWithABodyOnItStillTurns) {
  MechanismBuilder builder;
  builder.add_body({.name = "bob", .mass = MassProperties::particle(1, {0.2, 0, 0})}).add_body(ball("link"));
  builder.add_joint(pin("hinge", "bob", "link"));
  const Mechanism mechanism = builder.build();
  EXPECT_EQ(mechanism.num_u(), 7);
  EXPECT_EQ(mechanism.bodies()[1].name, "link");  // the body that can resist every motion is the one that is free
}

// Inertias.

/// 0.1 + 0.2 < 0.3001: broken in the last digit, as published numbers may be.
BodySpec rounded_plate(const std::string& name) {
  return {.name = name, .mass = {1, {}, SymMat3<double>::diagonal({0.1, 0.2, 0.3001})}};
}

TEST(Builder, TakesAnInertiaAsGivenWithAWarning) {
  MechanismBuilder builder;
  builder.add_body(rounded_plate("plate"));
  EXPECT_TRUE(reports_only(builder, "Ixx + Iyy = 0.3 < Izz = 0.3001 kg m^2 breaks the triangle inequality"));
  EXPECT_TRUE(reports_only(builder, "(as-given)"));

  MechanismBuilder insisting;
  BodySpec plate = rounded_plate("plate");
  plate.as_given = true;
  const Mechanism mechanism = insisting.add_body(plate).build();
  EXPECT_EQ(mechanism.bodies()[1].mass.inertia.zz, 0.3001);
  ASSERT_EQ(mechanism.warnings().size(), 1u);
  EXPECT_NE(mechanism.warnings()[0].message.find("body \"plate\": Ixx + Iyy = 0.3 < Izz"), std::string::npos);
  EXPECT_TRUE(pendulum().build().warnings().empty());

  plate.mass.inertia.zz = -1;  // with a negative moment nothing can be computed
  EXPECT_TRUE(reports_only(MechanismBuilder().add_body(plate), "Izz = -1 kg m^2 is negative"));
}

TEST(Builder, JudgesTheInertiaOfBodiesThatAreWeldedTogetherAsAWhole) {
  MechanismBuilder builder;
  builder.add_body(rounded_plate("plate")).add_body(ball("hub")).add_body(ball("far"));
  builder.add_joint({.name = "turns", .model = Revolute{}, .parent = "plate", .child = "far"});
  EXPECT_TRUE(reports_only(builder, "body \"plate\": Ixx + Iyy"));  // a pin does not make one body of two
  builder.add_joint({.name = "glue", .model = Weld{}, .parent = "hub", .child = "plate"});
  EXPECT_TRUE(builder.build().warnings().empty());
  // 0.1 + 0.2 + 2 * 0.1 against 0.7, and the same with nothing to make up for it.
  MechanismBuilder worse;
  worse.add_body({.name = "plate", .mass = {1, {}, SymMat3<double>::diagonal({0.1, 0.2, 0.7})}}).add_body(ball("hub"));
  worse.add_joint({.name = "glue", .model = Weld{}, .parent = "hub", .child = "plate"});
  EXPECT_TRUE(reports_only(worse, "body \"plate\" and the bodies welded to it (2 in all): Ixx + Iyy = 0.5 < Izz = 0.8"));
}

// Labels.

TEST(Builder, TellsEqualConstraintsApart) {
  MechanismBuilder builder = pendulum();
  builder.add_frame({"hook", "ground", at(0, 0, 1), {}});
  const auto add = [&](const char* kind, const ConstraintSpec& spec) {
    ConstraintSpec with_kind = spec;
    with_kind.kind = kind;
    builder.add_constraint(with_kind);
  };
  add("rod", {"", WireSpec{"bob", "hook", 2}, {3, 5}});
  add("rod", {"", WireSpec{"bob", "hook", 2}, {4, 5}});
  add("", {"", WireSpec{"bob", "hook", 2}, {}});
  add("", {"", WireSpec{"bob", "hook", 2}, {}});
  add("ball", {"", CoincidentPointsSpec{"bob", "hook"}, {}});
  add("rod", {"strut", WireSpec{"bob", "hook", 2}, {}});
  std::vector<std::string> labels;
  const Mechanism mechanism = builder.build();
  for (const Constraint& constraint : mechanism.constraints()) labels.push_back(constraint.description);
  EXPECT_EQ(labels,
            (std::vector<std::string>{"rod \"bob\" \"hook\" (at 3:5)", "rod \"bob\" \"hook\" (at 4:5)",
                                      "wire \"bob\" \"hook\" (no. 1 of these)", "wire \"bob\" \"hook\" (no. 2 of these)",
                                      "ball \"bob\" \"hook\"", "rod \"strut\""}));
}

// The tree.

TEST(Builder, MakesALoopJointOfTheJointThatIsLeftOver) {
  MechanismBuilder builder;
  for (const char* name : {"a", "b", "c"}) builder.add_body(ball(name));
  builder.add_joint(pin("1", "ground", "a"))
      .add_joint(pin("2", "a", "b"))
      .add_joint(pin("3", "b", "c"))
      .add_joint(pin("4", "c", "ground"));
  const Mechanism mechanism = builder.build();
  ASSERT_EQ(mechanism.loop_joints().size(), 1u);
  EXPECT_EQ(mechanism.loop_joints()[0].name, "3");
  EXPECT_TRUE(mechanism.joints()[mechanism.body("c")].swapped);
  EXPECT_EQ(mechanism.num_q(), 3);
}

TEST(Builder, TwoJointsBetweenTheSameBodiesMakeALoop) {
  MechanismBuilder builder = pendulum();
  builder.add_joint(pin("again", "ground", "bob"));
  EXPECT_EQ(builder.build().loop_joints().size(), 1u);
}

/// Every joint of the chain ground - a - b drawn at random places, each declared from either end. F and M stay where they are.
MechanismBuilder two_body_chain(bool flip_first, bool flip_second, const JointModel& model, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto pose = [&] {
    return Transform<double>{rotation_from_angles("xyz", {number(random), number(random), number(random)}),
                             {number(random), number(random), number(random)}};
  };
  MechanismBuilder builder;
  builder.add_body(ball("a")).add_body(ball("b"));
  const auto add = [&](const char* name, const char* inner, const char* outer, bool flip) {
    const Transform<double> X_inner = pose(), X_outer = pose();
    JointSpec spec{
        .name = name, .model = model, .parent = inner, .child = outer, .placement = LocalPlacement{X_inner, X_outer}};
    if (flip) {
      spec.parent = outer, spec.child = inner;
      spec.placement = LocalPlacement{X_outer, X_inner};
      spec.reversed = true;  // F stays on the inner body
    }
    builder.add_joint(spec);
  };
  add("first", "ground", "a", flip_first);
  add("second", "a", "b", flip_second);
  return builder;
}

// Which end is declared as the parent is a matter of words: the same coordinates give the same poses.
// Ten products of transforms within 5 m: 10 * 5 * 2.2e-16 * 10 = 1e-13.
TEST(Builder, DeclaringAJointFromItsOtherEndChangesNoPose) {
  const std::vector<double> q{0.7, -0.4, 0.3, 0.5, 0.1, 0.9, -0.2, 0.6, 0.8, -0.7, 0.4, 0.2, -0.5, 0.3};
  for (const std::string_view type : joint_type_names()) {
    const JointModel model = *joint_from_type_name(type);
    for (unsigned seed = 0; seed < 20; ++seed) {
      const auto expected = body_poses(two_body_chain(false, false, model, seed).build(), q);
      for (const int flips : {1, 2, 3}) {
        const auto found = body_poses(two_body_chain(flips & 1, flips & 2, model, seed).build(), q);
        for (int b = 1; b <= 2; ++b) EXPECT_LT(distance(found[b], expected[b]), 1e-13) << type_name(model) << " " << seed;
      }
    }
  }
}

// A joint declared from the outer body to the inner one, F on the outer: the outer one moves by the inverse of X_FM.
TEST(Builder, ASwappedJointKeepsTheMeaningOfItsCoordinates) {
  MechanismBuilder builder;
  builder.add_body(ball("slider"));
  builder.add_joint({.name = "x", .model = Prismatic{}, .parent = "slider", .child = "ground"});
  const Mechanism mechanism = builder.build();
  EXPECT_EQ(body_poses(mechanism, {2.0})[1].p, (Vec3<double>{0, 0, -2}));  // ground is 2 m above the slider
  EXPECT_EQ(mechanism.flat()[1].kind, FlatBody::Kind::general);
}

// The flat records carry the same tree: walking them gives M's pose, X_WB X_BM.
// A ball joint's coordinates are a quaternion: what damps or drives it acts on its speeds.
TEST(Builder, ForcesMayActOnASpeedByItsName) {
  MechanismBuilder builder;
  builder.add_body(ball("a"));
  builder.add_joint({.name = "ball", .model = Ball{}, .child = "a"});
  builder.add_force({CoordinateDampingSpec{"ball.wy", 0.5}}).add_force({CoordinateForceSpec{"ball.wz", 2}});
  builder.add_force({CoordinateInputSpec{"ball.wx", Signal::sine(1, 1)}});
  const Mechanism mechanism = builder.build();
  EXPECT_EQ(mechanism.forces().of<CoordinateDamping>().at(0).coordinate.u, mechanism.speed("ball.wy"));
  EXPECT_EQ(mechanism.forces().of<CoordinateForce>().at(0).coordinate.u, mechanism.speed("ball.wz"));
  EXPECT_EQ(mechanism.forces().of<CoordinateInput>().at(0).coordinate.u, mechanism.speed("ball.wx"));
  builder.add_force({CoordinateDampingSpec{"ball.qx", 0.5}});
  EXPECT_TRUE(reports_only(builder, "coordinate \"ball.qx\" of the spherical joint \"ball\" describes an orientation"));
}

TEST(Builder, FlatRecordsDescribeTheSameKinematics) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Mechanism mechanism = two_body_chain(false, false, Revolute{}, seed).build();
    const std::vector<double> q{0.7, -0.4};
    const auto X_WB = body_poses(mechanism, q);
    std::vector<Transform<double>> X_WM(3);
    for (int b = 1; b < 3; ++b) {
      const FlatBody& flat = mechanism.flat()[b];
      Transform<double> X_PF;
      for (int i = 0; i < 9; ++i) X_PF.R.col[i / 3][i % 3] = flat.R_PF[i];
      X_PF.p = {flat.p_PF[0], flat.p_PF[1], flat.p_PF[2]};
      X_WM[b] = X_WM[flat.parent] * X_PF * Transform<double>{rotation_z(q[b - 1]), {}};
      EXPECT_LT(distance(X_WM[b], X_WB[b] * mechanism.joints()[b].X_BM), 1e-13);
    }
  }
}

// Placement.

TEST(Builder, ADrawnJointLeavesItsBodiesWhereTheyAreDrawn) {
  const Transform<double> X_WA{rotation_from_angles("zx", {0.4, 1.1}), {1, 0, 2}},
      X_WB{rotation_from_angles("y", {-0.7}), {3, 1, 0}};
  // An ellipsoid joint has M off F at zero coordinates, so that mixing the two up shows.
  for (const auto& [type, reversed] : {std::pair{"ball", false}, {"ball", true}, {"ellipsoid", false}, {"ellipsoid", true}}) {
    MechanismBuilder builder;
    builder.add_body(ball("a", X_WA)).add_body(ball("b", X_WB));
    builder.add_joint({.name = "1", .child = "a", .placement = DrawnPlacement{.at = {1, 0, 0}, .axis = Vec3<double>{1, 1, 0}}});
    builder.add_joint({.name = "2",
                       .model = *joint_from_type_name(type),
                       .parent = "b",
                       .child = "a",
                       .placement = DrawnPlacement{.at = {2, 0, 1}},
                       .reversed = reversed});
    const Mechanism mechanism = builder.build();
    const auto X_W = body_poses(mechanism, mechanism.initial_q());
    EXPECT_LT(distance(X_W[mechanism.body("a")], X_WA), 1e-14);
    EXPECT_LT(distance(X_W[mechanism.body("b")], X_WB), 1e-14);
    // Turning the hinge leaves the points on its axis alone.
    auto q = mechanism.initial_q();
    q[mechanism.coordinate("1")] = 1.2;
    const Vec3<double> on_axis{4, 3, 0};
    EXPECT_LT(norm(body_poses(mechanism, q)[mechanism.body("a")] * (inverse(X_WA) * on_axis) - on_axis), 1e-14 * 10);
  }
}

TEST(Builder, AsksForTheAxisThatAHingeNeeds) {
  MechanismBuilder builder;
  builder.add_body(ball("a"));
  builder.add_joint({.name = "hinge", .child = "a", .placement = DrawnPlacement{}});
  EXPECT_TRUE(reports_only(builder, "joint \"hinge\": a revolute joint needs an axis"));
}

TEST(Builder, AUniversalJointNeedsTwoPerpendicularAxes) {
  const auto with = [](std::optional<Vec3<double>> axis2) {
    MechanismBuilder builder;
    builder.add_body(ball("a"));
    builder.add_joint({.name = "cross",
                       .model = *joint_from_type_name("universal"),
                       .child = "a",
                       .placement = DrawnPlacement{.axis = Vec3<double>{1, 0, 0}, .axis2 = axis2}});
    return builder;
  };
  EXPECT_TRUE(reports_only(with(std::nullopt), "needs a second axis"));
  EXPECT_TRUE(reports_only(with(Vec3<double>{1, 1, 0}), "an angle of 45 degrees"));
  EXPECT_TRUE(problems_of(with(Vec3<double>{0, 1, 1})).empty());
}

// Constraints and forces.

TEST(Builder, ResolvesForcesToTheNumbersOfTheirCoordinatesAndFrames) {
  MechanismBuilder builder = pendulum();
  builder.add_frame({"tip", "bob", at(0, 0, -1), {}});
  builder.add_force({CoordinateSpringSpec{"hinge", 3, 0.1}}).add_force({PointSpringSpec{"tip", "ground", 5, 1, 0}});
  builder.add_constraint({"", WireSpec{"ground", "tip", 2}});
  const Mechanism mechanism = builder.build();
  EXPECT_EQ(mechanism.forces().of<CoordinateSpring>().at(0).coordinate.u, 0);
  EXPECT_EQ(mechanism.forces().of<PointSpring>().at(0).frame_a.frame, 2);
  EXPECT_EQ(std::get<Wire>(mechanism.constraints().at(0).model).frame_b, 2);
}

TEST(Builder, RefusesForcesOnQuaternionComponentsButNotOnPositions) {
  MechanismBuilder builder;
  builder.add_body(ball("a"));
  builder.add_force({CoordinateSpringSpec{"a.z", 1, 0}});
  EXPECT_EQ(builder.build().forces().of<CoordinateSpring>().at(0).coordinate.u, 5);
  builder.add_force({CoordinateForceSpec{"a.qx", 1}});
  EXPECT_TRUE(reports_only(builder, "coordinate \"a.qx\" of the free joint \"a\" describes an orientation"));
}

TEST(Builder, RefusesForceNumbersThatCannotBe) {
  const auto with = [](ForceSpec force) {
    MechanismBuilder builder = pendulum();
    builder.add_force(std::move(force));
    return builder;
  };
  EXPECT_TRUE(reports_only(with({CoordinateForceSpec{"hinge", not_a_number}}), "must be a finite number"));
  EXPECT_TRUE(reports_only(with({PointSpringSpec{"bob", "ground", -1, 0, 0}}), "stiffness -1 must not be negative"));
  EXPECT_TRUE(reports_only(with({BodyForceSpec{"ground", {1, 0, 0}}}), "the ground cannot be moved"));
  MechanismBuilder wire = pendulum(), point = pendulum();
  wire.add_constraint({"w", WireSpec{"bob", "ground", 0}});
  point.add_constraint({"p", PointConstraintSpec{"bob", "ground", {}}});
  EXPECT_TRUE(reports_only(wire, "wire \"w\": length 0 m must be a positive number"));
  EXPECT_TRUE(reports_only(point, "point-constraint \"p\": direction (0, 0, 0) has no direction"));
}

TEST(Builder, ChecksTheNumbersOfEveryConstraint) {
  const auto with = [](ConstraintSpec spec) {
    MechanismBuilder builder = pendulum();
    builder.add_frame({"tip", "bob", at(0, 0, -1), {}});
    spec.name = "c";
    builder.add_constraint(std::move(spec));
    return builder;
  };
  const double infinite = std::numeric_limits<double>::infinity();
  const Vec3<double> none{}, x{1, 0, 0}, y{0, 1, 0};
  EXPECT_TRUE(reports_only(with({"", PointOnLineSpec{"bob", "ground", none}}), "point-on-line \"c\": direction (0, 0, 0)"));
  EXPECT_TRUE(reports_only(with({"", ConstantAngleSpec{"bob", "ground", none, y, 1}}), "first direction (0, 0, 0)"));
  EXPECT_TRUE(reports_only(with({"", ConstantAngleSpec{"bob", "ground", x, {0, infinite, 0}, 1}}), "second direction (0, inf"));
  EXPECT_TRUE(reports_only(with({"", ConstantAngleSpec{"bob", "ground", x, y, 0}}), "angle 0 rad must lie between"));
  EXPECT_TRUE(reports_only(with({"", ConstantAngleSpec{"bob", "ground", x, y, pi}}), "use constant-orientation"));
  EXPECT_TRUE(reports_only(with({"", ConstantAngleSpec{"bob", "ground", x, y, not_a_number}}), "angle nan rad"));
  EXPECT_TRUE(reports_only(with({"", NoSlipSpec{"bob", "bob", "ground", none}}), "no-slip \"c\": direction"));
  EXPECT_TRUE(reports_only(with({"", NoSlipSpec{"ground", "bob", "tip", x}}), "are on one body"));
  EXPECT_TRUE(reports_only(with({"", NoSlipSpec{"gear box", "bob", "ground", x}}), "frame \"gear box\" is not defined"));
  EXPECT_TRUE(reports_only(with({"", RollingDiskSpec{"bob", "ground", 0}}), "radius 0 m must be a positive number"));
  EXPECT_TRUE(reports_only(with({"", RollingBallSpec{"bob", "ground", -infinite}}), "radius -inf m must be a positive number"));
  EXPECT_TRUE(reports_only(with({"", RollingBallSpec{"bob", "bob", 1}}), "name two different frames"));
  EXPECT_TRUE(reports_only(with({"", CoincidentFramesSpec{"bob", "bob"}}), "weld \"c\": both ends are at frame"));
  EXPECT_TRUE(reports_only(with({"", ConstantOrientationSpec{"bob", "bib"}}), "frame \"bib\" is not defined"));
  EXPECT_TRUE(reports_only(with({"", SpeedCouplerSpec{{}, 0}}), "there is nothing to couple; name speeds"));
  EXPECT_TRUE(reports_only(with({"", SpeedCouplerSpec{{{"hinge", 1}, {"hinge'", 1}}, 0}}), "\"hinge'\" is named twice"));
  EXPECT_TRUE(reports_only(with({"", ConstantCoordinateSpec{"hinge", not_a_number}}), "value must be a finite number"));
  EXPECT_TRUE(reports_only(with({"", ConstantCoordinateSpec{"hinge'", 1}}), "coordinate \"hinge'\" is not defined"));
  EXPECT_TRUE(reports_only(with({"", ConstantSpeedSpec{"hinge", infinite}}), "speed must be a finite number"));
  EXPECT_TRUE(reports_only(with({"", ConstantAccelerationSpec{"hing", 1}}), "coordinate \"hing\" is not defined"));
  const Signal broken = Signal::function([](double) { return Signal::Sample{0, not_a_number, 0}; });
  EXPECT_TRUE(reports_only(with({"", MotionConstraintSpec{"hinge", broken}}), "its rate nan"));
}

// A ball joint's speeds are no rates of coordinates and go by their own names.
TEST(Builder, HoldsSpeedsByTheirOwnNames) {
  MechanismBuilder builder;
  builder.add_body({.name = "ball", .mass = MassProperties::sphere(1, 1)});
  builder.add_joint({.name = "hip", .model = Ball{}, .child = "ball"});
  builder.add_constraint({"", ConstantSpeedSpec{"hip.wy", 2}})
      .add_constraint({"off", ConstantSpeedSpec{"hip.wx", 0}, {}, true});
  const Mechanism mechanism = builder.build();
  EXPECT_EQ(std::get<ConstantSpeed>(mechanism.constraints()[0].model).speed.u, mechanism.speed("hip.wy"));
  EXPECT_EQ(mechanism.initially_enabled(), (std::vector<char>{1, 0}));
}

TEST(Builder, TurnsAUsersFailingFactoryIntoAProblem) {
  MechanismBuilder builder = pendulum();
  builder.add_potential([](const Mechanism& m) -> std::shared_ptr<const Potential> {
    m.frame("tipp");
    return nullptr;
  });
  EXPECT_TRUE(reports_only(builder, "frame \"tipp\" is not defined"));
}

/// A user's constraint that says whatever a test wants it to say.
class SomeConstraint final : public CustomConstraint {
 public:
  SomeConstraint(int rows, std::vector<int> bodies, std::vector<int> speeds)
      : rows_(rows), bodies_(std::move(bodies)), speeds_(std::move(speeds)) {}
  int num_rows() const override { return rows_; }
  std::vector<int> bodies() const override { return bodies_; }
  std::vector<int> speeds() const override { return speeds_; }
  void errors(const ConstraintConfiguration&, std::span<double>) const override {}
  void gradient(const ConstraintConfiguration&, int, ConstraintGradient&) const override {}

 private:
  int rows_;
  std::vector<int> bodies_, speeds_;
};

TEST(Builder, MakesUsersConstraintsInTheirPlaceAmongTheOthers) {
  MechanismBuilder builder = pendulum();
  builder.add_constraint({"", WireSpec{"bob", "ground", 1}});
  builder.add_constraint({"cam", [](const Mechanism& m) {
                            return std::make_shared<SomeConstraint>(2, std::vector{m.body("bob")},
                                                                    std::vector{m.speed("hinge'")});
                          }});
  builder.add_constraint({"", GearSpec{"hinge", "hinge", 1}});
  EXPECT_TRUE(reports_only(builder, "gear \"hinge\" \"hinge\": coordinate \"hinge\" cannot be coupled to itself"));
  MechanismBuilder sound = pendulum();
  for (int i = 0; i < 2; ++i) sound.add_constraint(builder.constraints()[i]);
  const Mechanism mechanism = sound.build();
  EXPECT_EQ(mechanism.constraints().at(1).description, "constraint \"cam\"");
  EXPECT_EQ(std::get<std::shared_ptr<const CustomConstraint>>(mechanism.constraints()[1].model)->num_rows(), 2);
}

TEST(Builder, RefusesUsersConstraintsThatCannotBe) {
  const auto with = [](int rows, std::vector<int> bodies, std::vector<int> speeds) {
    MechanismBuilder builder = pendulum();
    builder.add_constraint({"cam", [=](const Mechanism&) { return std::make_shared<SomeConstraint>(rows, bodies, speeds); }});
    return builder;
  };
  EXPECT_TRUE(reports_only(with(1, {0, 7}, {}), "constraint \"cam\" could not be made: it names body no. 7, but there are 2"));
  EXPECT_TRUE(reports_only(with(1, {1, 1}, {}), "it names body no. 1 twice"));
  EXPECT_TRUE(reports_only(with(1, {}, {1}), "it names speed no. 1, but there are 1"));
  EXPECT_TRUE(reports_only(with(-1, {}, {}), "it says that it has -1 rows"));
  MechanismBuilder nothing = pendulum(), throwing = pendulum();
  nothing.add_constraint({"", [](const Mechanism&) { return std::shared_ptr<const CustomConstraint>(); }});
  throwing.add_constraint({"", [](const Mechanism& m) -> std::shared_ptr<const CustomConstraint> {
                             m.body("bobb");
                             return nullptr;
                           }});
  EXPECT_TRUE(reports_only(nothing, "a user's constraint could not be made: its factory made nothing"));
  EXPECT_TRUE(reports_only(throwing, "body \"bobb\" is not defined"));
}

TEST(Builder, RefusesConstraintNumbersThatAreNone) {
  const double nan = std::nan("");
  MechanismBuilder gear, coupler;
  for (MechanismBuilder* builder : {&gear, &coupler}) {
    builder->add_body(ball("a")).add_body(ball("b"));
  }
  gear.add_constraint({"", GearSpec{"a.x", "b.x", nan}});
  coupler.add_constraint({"sum", CouplerSpec{{{"a.x", 1}, {"b.x", nan}}, 0}});
  EXPECT_TRUE(reports_only(gear, "gear \"a.x\" \"b.x\": ratio"));
  EXPECT_TRUE(reports_only(coupler, "coupler \"sum\": coefficient"));
}

// The start.

TEST(Builder, StartsCoordinatesAndSpeedsWhereAsked) {
  MechanismBuilder builder = pendulum();
  builder.add_body(ball("free"));
  builder.set_initial({"hinge", 0.5, -2.0, {}})
      .set_initial({"free.wy", std::nullopt, 3.0, {}})
      .set_initial({"free.x", 7.0, 4.0, {}});
  builder.set_initial({"free.qx", 1.0, std::nullopt, {}});
  const Mechanism mechanism = builder.build();
  const auto q = [&](const char* name) { return mechanism.initial_q()[mechanism.coordinate(name)]; };
  const auto u = [&](const char* name) { return mechanism.initial_u()[mechanism.speed(name)]; };
  EXPECT_EQ(q("hinge"), 0.5);
  EXPECT_EQ(u("hinge'"), -2);
  EXPECT_EQ(u("free.wy"), 3);
  EXPECT_EQ(q("free.x"), 7);
  EXPECT_EQ(u("free.vx"), 4);
  EXPECT_NEAR(q("free.qw"), std::sqrt(0.5), 1e-15);  // (1, 1, 0, 0) made a unit quaternion
  EXPECT_NEAR(q("free.qx"), std::sqrt(0.5), 1e-15);
}

TEST(Builder, RefusesStartsThatCannotBe) {
  MechanismBuilder builder;
  builder.add_body(ball("free"));
  MechanismBuilder rate = builder, zero = builder, velocity = builder;
  rate.set_initial({"free.qx", 0.0, 1.0, {}});
  EXPECT_TRUE(reports_only(rate, "give a speed to its speeds \"free.wx\""));
  zero.set_initial({"free.qw", 0.0, std::nullopt, {}});
  EXPECT_TRUE(reports_only(zero, "which is not an orientation"));
  velocity.set_velocity({"fre", {}, {}});
  EXPECT_TRUE(reports_only(velocity, "did you mean \"free\"?"));
}

// Bounded in processor time, of an optimised build only; it would be hours if anything were quadratic or recursive.
TEST(Builder, ScalesInitialQuaternionsWhateverTheirLength) {
  for (const double length : {1e-308, 1e-200, 0.5, 1e200, 1e308}) {
    MechanismBuilder b;
    b.add_body(ball("top"));
    b.add_joint({.name = "tip", .model = Ball{}, .child = "top"});
    b.set_initial({.coordinate = "tip.qw", .value = length});
    b.set_initial({.coordinate = "tip.qx", .value = -length});
    const Mechanism m = b.build();
    EXPECT_NEAR(m.initial_q()[0], std::sqrt(0.5), 1e-15) << length;
    EXPECT_NEAR(m.initial_q()[1], -std::sqrt(0.5), 1e-15) << length;
  }
}

TEST(Builder, RefusesWhatWouldTieAFrameToItself) {
  MechanismBuilder b;
  b.add_body(ball("a"));
  b.add_force({PointSpringSpec{"a", "a", 1, 1, 0}});
  EXPECT_TRUE(reports_only(b, "both ends are at frame \"a\""));
  for (const ConstraintSpec& spec : {ConstraintSpec{"", WireSpec{"a", "a", 1}, {}},
                                     ConstraintSpec{"", PointConstraintSpec{"ground", "ground", {0, 0, 1}}, {}}}) {
    MechanismBuilder c;
    c.add_body(ball("a"));
    c.add_constraint(spec);
    EXPECT_TRUE(reports_only(c, "both ends are at frame"));
  }
}

TEST(Builder, RefusesACoordinateThatIsCalledLikeASpeed) {
  MechanismBuilder b;
  b.add_body(ball("a")).add_body(ball("b"));
  b.add_joint({.name = "j", .model = Prismatic{}, .child = "a"});
  b.add_joint({.name = "j'", .model = Prismatic{}, .parent = "a", .child = "b"});
  EXPECT_TRUE(reports_only(b, "coordinate \"j'\" is called like a speed"));
}

TEST(Builder, RefusesJointsWhoseOwnNumbersCannotBe) {
  const double nan = std::nan("");
  const std::pair<JointModel, const char*> cases[] = {{Screw{nan}, "lead"},
                                                      {Ellipsoid{{0, 1, 1}}, "semi-axes"},
                                                      {Ellipsoid{{1, -1, 1}}, "semi-axes"},
                                                      {Ellipsoid{{1, 1, nan}}, "semi-axes"}};
  for (const auto& [model, what] : cases) {
    MechanismBuilder b;
    b.add_body(ball("a"));
    b.add_joint({.name = "j", .model = model, .child = "a"});
    EXPECT_TRUE(reports_only(b, what));
    b = MechanismBuilder();
    b.add_body(ball("a"));
    b.add_joint({.name = "weld", .model = Weld{}, .child = "a"});
    b.add_joint({.name = "loop", .model = model, .child = "a"});
    EXPECT_TRUE(reports_only(b, what));
  }
}

TEST(Mechanism, StaysWholeWhenItIsMovedFrom) {
  MechanismBuilder b;
  b.add_body(ball("a"));
  Mechanism first = b.build();
  const Mechanism second = std::move(first);
  EXPECT_EQ(first.num_q(), second.num_q());  // NOLINT(bugprone-use-after-move): that is the point
}

/// Processor time that building a chain takes; the least of three, so that what else the machine does matters little.
double seconds_to_build(const MechanismBuilder& builder) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    (void)builder.build();
    least = std::min(least, double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

MechanismBuilder long_chain(int n) {
  MechanismBuilder builder;
  std::string previous = ground_name;
  for (int i = 0; i < n; ++i) {
    const std::string name = "link" + std::to_string(i);
    builder.add_body(ball(name));
    builder.add_joint(pin("pin" + std::to_string(i), previous, name));
    previous = name;
  }
  return builder;
}

TEST(Builder, BuildsAChainOfAHundredThousandBodies) {
  constexpr int n = 100000;
  const Mechanism mechanism = long_chain(n).build();
  EXPECT_EQ(mechanism.num_u(), n);
  for (int b = 1; b <= n; ++b) ASSERT_EQ(mechanism.bodies()[b].parent, b - 1);
}

// A hundred times the bodies take a hundred times as long, or three hundred where they no longer fit the cache, and ten
// thousand times if building were quadratic; the bound is between the last two.
TEST(Builder, TakesTimeInProportionToTheNumberOfBodies) {
  EXPECT_LT(seconds_to_build(long_chain(50000)), 1500 * seconds_to_build(long_chain(500)));
}

}  // namespace
}  // namespace polhode
