#include <cmath>

#include "polhode/spatial/math.h"
#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

const BodySpec& only_body(const MechanismBuilder& builder) { return builder.bodies().at(0); }

TEST(Language, KeywordsHaveNoCaseAndNamesDo) {
  const auto builder = sound("(SYSTEM (Gravity 0 0 -1) (BODY \"Rod\" (MASS 2)) (Joint PIN \"J\" GROUND Rod (AXIS 0 1 0)))");
  EXPECT_EQ(builder.gravity, (Vec3<double>{0, 0, -1}));
  EXPECT_EQ(only_body(builder).name, "Rod");
  EXPECT_EQ(builder.joints().at(0).parent, ground_name);
  EXPECT_EQ(builder.joints().at(0).child, "Rod");
  EXPECT_TRUE(std::holds_alternative<Revolute>(builder.joints().at(0).model));
}

TEST(Language, GravityPointsDownUnlessTold) { EXPECT_EQ(sound("(system)").gravity, (Vec3<double>{0, 0, -9.81})); }

TEST(Language, CommentsRunToTheEndOfTheLine) {
  EXPECT_EQ(sound("; (body\n(system ; \"unclosed\n (name \"a;b\"))").name, "a;b");
}

TEST(Language, AcceptsWhatWordProcessorsDoToText) {
  // A byte order mark, typographic quotes, no-break spaces and Windows line ends.
  const auto builder = sound("\xEF\xBB\xBF(system\r\n\xC2\xA0(body \xE2\x80\x9Crod\xE2\x80\x9D (mass 1)))\r\n");
  EXPECT_EQ(only_body(builder).name, "rod");
}

TEST(Language, EscapesStandForQuotesAndLineBreaks) {
  EXPECT_EQ(sound(R"((system (name "a \"b\" \\ c\nd\te")))").name, "a \"b\" \\ c\nd\te");
}

TEST(Language, NumbersAreReadToTheLastBit) {
  const auto g = sound("(system (gravity +.5 -1.e-3 4.9406564584124654e-324))").gravity;
  EXPECT_EQ(g, (Vec3<double>{0.5, -0.001, 4.9406564584124654e-324}));
}

TEST(Language, InertiaTakesThreeOrSixNumbers) {
  const auto three = sound("(system (body \"a\" (mass 1) (inertia 1 2 2.5) (com 4 5 6)))");
  EXPECT_EQ(only_body(three).mass.inertia, (SymMat3<double>{1, 2, 2.5, 0, 0, 0}));
  EXPECT_EQ(only_body(three).mass.com, (Vec3<double>{4, 5, 6}));
  const auto six = sound("(system (body \"a\" (mass 1) (inertia 1 2 2.5 0.1 0.2 0.3)))");
  EXPECT_EQ(only_body(six).mass.inertia, (SymMat3<double>{1, 2, 2.5, 0.1, 0.2, 0.3}));
}

TEST(Language, MotionsLocksFastAndDiscreteAreRead) {
  const auto builder = sound(
      "(system (tx \"a\" (mass 1) (ty \"b\" (mass 1) (tz \"c\" (mass 1) (rx \"d\" (mass 1 1 1 1)))))"
      " (motion \"a\" Velocity (sine 1 2)) (motion b position 3) (motion \"b'\" acceleration 4) (lock \"a\") (lock b VELOCITY)"
      " (fast \"c\" \"d\") (discrete \"gear\" 2))");
  ASSERT_EQ(builder.motions().size(), 2u);
  EXPECT_EQ(builder.motions()[0].level, Drive::velocity);
  EXPECT_EQ(builder.motions()[1].coordinate, "b'");
  EXPECT_EQ(builder.motions()[1].level, Drive::acceleration);
  ASSERT_EQ(builder.kinematic().size(), 1u);  // what level position means
  EXPECT_EQ(builder.kinematic()[0].signal.value(7), 3);
  ASSERT_EQ(builder.locks().size(), 2u);
  EXPECT_EQ(builder.locks()[0].level, Drive::position);
  EXPECT_EQ(builder.locks()[1].level, Drive::velocity);
  ASSERT_EQ(builder.fast().size(), 2u);
  EXPECT_EQ(builder.fast()[1].coordinate, "d");
  EXPECT_EQ(builder.discrete().at(0).name, "gear");
  EXPECT_EQ(builder.discrete().at(0).initial, 2);
}

// Three ways to say a quarter turn about z, which takes x to y.
TEST(Language, OrientationsAgree) {
  for (const char* orientation :
       {"(quat 1 0 0 1)", "(rpy 0 0 (deg 90))", "(rpy 0 0 1.5707963267948966)", "(rotation 0 -1 0 1 0 0 0 0 1)"}) {
    const auto builder = sound(std::string("(system (body \"a\" (mass 1) (pose 1 2 3 ") + orientation + ")))");
    const auto& X = only_body(builder).drawn_pose;
    EXPECT_EQ(X.p, (Vec3<double>{1, 2, 3}));
    EXPECT_LT(norm(X.R.col[0] - Vec3<double>{0, 1, 0}), 1e-15) << orientation;  // rounding of cos(pi/2)
    EXPECT_LT(norm(X.R.col[2] - Vec3<double>{0, 0, 1}), 1e-15) << orientation;
  }
}

TEST(Language, QuaternionsOfAnyScaleAreDirectionsAndOddOnesAreToldAbout) {
  for (const char* scale : {"1e300", "1e-300", "7"}) {
    const auto r = reading_of(std::string("(system (body \"a\" (mass 1) (pose 0 0 0 (quat ") + scale + " 0 0 0))))");
    EXPECT_EQ(only_body(r.builder).drawn_pose.R, Mat3<double>::identity());
    EXPECT_EQ(r.warnings.size(), 1u);
  }
}

TEST(Language, APoseMayStandWithOrWithoutItsKeyword) {
  const auto builder =
      sound("(system (frame \"a\" ground 1 2 3 (quat 0 1 0 0)) (frame \"b\" ground (pose 1 2 3 (quat 0 1 0 0))))");
  EXPECT_EQ(builder.frames().at(0).X_BF, builder.frames().at(1).X_BF);
}

TEST(Language, AJointTakesItsPlaceInGroundOrInItsBodies) {
  const auto builder = sound(
      "(system (body \"a\" (mass 1) (pose 0 0 5))"
      " (joint universal \"u\" ground \"a\" (at 1 2 3) (axis 1 0 0) (axis2 0 1 0) (reversed) (coordinates \"p\" \"q\"))"
      " (joint weld \"w\" ground \"a\" (parent-frame (pose 1 0 0)) (child-frame 0 1 0))"
      " (joint free \"f\" ground \"a\")"
      " (joint screw \"s\" ground \"a\" (axis 0 0 1) (lead 0.5))"
      " (joint ellipsoid \"e\" ground \"a\" (semi-axes 1 2 3)))");
  const auto& universal = builder.joints().at(0);
  const auto& drawn = std::get<DrawnPlacement>(universal.placement);
  EXPECT_EQ(drawn.at, (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(drawn.axis2, (Vec3<double>{0, 1, 0}));
  EXPECT_TRUE(universal.reversed);
  EXPECT_EQ(universal.coordinate_names, (std::vector<std::string>{"p", "q"}));
  const auto& local = std::get<LocalPlacement>(builder.joints().at(1).placement);
  EXPECT_EQ(local.X_PF.p, (Vec3<double>{1, 0, 0}));
  EXPECT_EQ(local.X_BM.p, (Vec3<double>{0, 1, 0}));
  // Without (at ...) a joint sits where its child is drawn, even if the body came later in the text.
  EXPECT_EQ(std::get<DrawnPlacement>(builder.joints().at(2).placement).at, (Vec3<double>{0, 0, 5}));
  EXPECT_EQ(std::get<Screw>(builder.joints().at(3).model).lead, 0.5);
  EXPECT_EQ(std::get<Ellipsoid>(builder.joints().at(4).model).semi_axes, (Vec3<double>{1, 2, 3}));
}

TEST(Language, OrderOfFormsDoesNotMatter) {
  const auto builder = sound("(system (joint ball \"j\" ground \"a\") (body \"a\" (mass 1) (pose 0 0 5)))");
  EXPECT_EQ(std::get<DrawnPlacement>(builder.joints().at(0).placement).at, (Vec3<double>{0, 0, 5}));
}

TEST(Language, EveryJointTypeOfTheLibraryCanBeWritten) {
  for (const std::string_view type : joint_type_names()) {
    const auto r = reading_of("(system (body \"a\" (mass 1)) (joint " + std::string(type) + " \"j\" ground \"a\"" +
                              (type == "screw"       ? " (lead 1)"
                               : type == "ellipsoid" ? " (semi-axes 1 1 1)"
                                                     : "") +
                              "))");
    EXPECT_TRUE(r.problems.empty()) << type;
    ASSERT_EQ(r.builder.joints().size(), 1u) << type;
    EXPECT_EQ(type_name(r.builder.joints()[0].model), type);
  }
}

TEST(Language, ForcesActInBodyAxesUnlessWorldIsSaid) {
  const auto builder = sound(
      "(system (force \"b\" 1 2 3) (force \"b\" (world 1 2 3)) (torque \"b\" 4 5 6 (world)) (wrench \"b\" (force 1 0 0) "
      "(torque 0 1 0)))");
  const auto spec = [&](int i) { return std::get<BodyForceSpec>(builder.forces().at(std::size_t(i)).model); };
  EXPECT_FALSE(spec(0).in_ground);
  EXPECT_TRUE(spec(1).in_ground);
  EXPECT_EQ(spec(0).force, spec(1).force);
  EXPECT_TRUE(spec(2).in_ground);
  EXPECT_EQ(spec(2).torque, (Vec3<double>{4, 5, 6}));
  EXPECT_EQ(spec(3).force, (Vec3<double>{1, 0, 0}));
  EXPECT_EQ(spec(3).torque, (Vec3<double>{0, 1, 0}));
}

TEST(Language, ConstraintsAndForcesKeepTheirNumbers) {
  const auto builder = sound(
      "(system (point-constraint \"a\" \"b\" 1 0 0 (name \"loop\")) (point-constraint \"a\" \"b\" (0 0 1))"
      " (wire \"a\" ground 0.5) (screw \"t\" \"d\" 0.01)"
      " (spring \"a\" \"b\" 100 0.2 3) (damping \"q\" 0.1) (torsion-spring \"q\" 5 (deg 180)) (generalized-force \"q\" -2))");
  EXPECT_EQ(builder.constraints().at(0).name, "loop");
  EXPECT_EQ(std::get<PointConstraintSpec>(builder.constraints().at(1).model).direction, (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(std::get<WireSpec>(builder.constraints().at(2).model).frame_b, ground_name);
  EXPECT_EQ(std::get<ScrewSpec>(builder.constraints().at(3).model).lead, 0.01);
  EXPECT_EQ(std::get<PointSpringSpec>(builder.forces().at(0).model).damping, 3);
  EXPECT_EQ(std::get<CoordinateDampingSpec>(builder.forces().at(1).model).damping, 0.1);
  EXPECT_EQ(std::get<CoordinateSpringSpec>(builder.forces().at(2).model).rest, pi);
  EXPECT_EQ(std::get<CoordinateForceSpec>(builder.forces().at(3).model).value, -2);
}

TEST(Language, APointConstraintWithoutDirectionHoldsThePointsTogether) {
  const auto builder = sound("(system (point-constraint \"a\" \"b\") (point-constraint \"b\" ground (name \"pin\")))");
  EXPECT_EQ(std::get<CoincidentPointsSpec>(builder.constraints().at(0).model).frame_b, "b");
  EXPECT_EQ(std::get<CoincidentPointsSpec>(builder.constraints().at(1).model).frame_b, ground_name);
  EXPECT_EQ(builder.constraints().at(1).name, "pin");
}

TEST(Language, RodsAndBallsKeepTheirWordsInMessagesAndInText) {
  const auto builder = sound(
      "(system (body \"a\" (mass 1)) (frame \"f\" ground 0 0 1) (rod \"a\" \"f\" 1) (wire \"a\" \"f\" 2)"
      " (ball \"a\" \"f\") (point-constraint \"a\" \"f\"))");
  const char* const labels[] = {"rod", "wire", "ball", "point-constraint"};
  const std::string text = write_model(builder);
  const Mechanism mechanism = builder.build();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(mechanism.constraints().at(i).description, std::string(labels[i]) + " \"a\" \"f\"");
    EXPECT_NE(text.find(std::string("(") + labels[i] + " \"a\" \"f\""), std::string::npos) << text;
  }
}

TEST(Language, AnInertiaIsTakenAsGivenWhereTheModelSaysSo) {
  for (const char* body : {"(body \"plate\" (mass 1) (inertia 0.1 0.2 0.3001 (as-given)))",
                           "(body \"plate\" (mass 1) (inertia 0.1 0.2 0.3001 0 0 0 (as-given)))",
                           "(body \"plate\" (mass 1 0.1 0.2 0.3001 (as-given)))",
                           "(rz \"q\" (name \"plate\") (mass 1 0.1 0.2 0.3001 (as-given)))"}) {
    SCOPED_TRACE(body);
    const Model model = read_model(std::string("(system ") + body + ")", "test.pol");
    ASSERT_EQ(model.warnings.size(), 1u);
    EXPECT_NE(model.warnings[0].message.find("breaks the triangle inequality"), std::string::npos);
    EXPECT_EQ(model.warnings[0].where.line, 1);
    const Model again = read_model(write_model(model.mechanism.description()), "again.pol");
    EXPECT_EQ(again.warnings.size(), 1u);
  }
}

TEST(Language, APlaneIsGivenByItsFrameAndNormal) {
  const auto builder =
      sound("(system (point-in-plane \"a\" \"b\" 0 2 0) (point-in-plane \"b\" ground (1 0 0) (name \"floor\")))");
  EXPECT_EQ(std::get<PointInPlaneSpec>(builder.constraints().at(0).model).normal, (Vec3<double>{0, 2, 0}));
  EXPECT_EQ(std::get<PointInPlaneSpec>(builder.constraints().at(1).model).frame_b, ground_name);
  EXPECT_EQ(builder.constraints().at(1).name, "floor");
}

TEST(Language, GearsAndCouplersKeepTheirNumbers) {
  const auto builder = sound(
      "(system (gear \"a\" \"b\" -2.5 (name \"mesh\")) (coupler (\"a\" 1) (b -2) (\"c\" 0.5) (name \"sum\") (equals (deg 180)))"
      " (coupler (\"a\" 3)))");
  EXPECT_EQ(std::get<GearSpec>(builder.constraints().at(0).model).ratio, -2.5);
  EXPECT_EQ(builder.constraints().at(0).name, "mesh");
  const auto& sum = std::get<CouplerSpec>(builder.constraints().at(1).model);
  ASSERT_EQ(sum.terms.size(), 3u);
  EXPECT_EQ(sum.terms[1].coordinate, "b");
  EXPECT_EQ(sum.terms[1].coefficient, -2);
  EXPECT_EQ(sum.constant, pi);
  EXPECT_EQ(builder.constraints().at(1).name, "sum");
  EXPECT_EQ(std::get<CouplerSpec>(builder.constraints().at(2).model).constant, 0);
}

TEST(Language, InitialValuesTakePositionSpeedOrBoth) {
  const auto builder = sound("(system (initial (\"a\" 1) (\"b\" 1 2) (\"c\" (speed 3)) (\"d\" (deg 90) (deg -180))))");
  const auto& values = builder.initial_values();
  EXPECT_EQ(values.at(0).value, 1.0);
  EXPECT_FALSE(values.at(0).speed);
  EXPECT_EQ(values.at(1).speed, 2.0);
  EXPECT_FALSE(values.at(2).value);
  EXPECT_EQ(values.at(2).speed, 3.0);
  EXPECT_EQ(values.at(3).value, pi / 2);
  EXPECT_EQ(values.at(3).speed, -pi);
}

TEST(Language, AnOrientationSetsTheQuaternionOfABallOrFreeJoint) {
  const Model model = read_model(
      "(system (body \"a\" (mass 1) (inertia 1 1 1)) (body \"b\" (mass 1) (inertia 1 1 1))"
      " (initial (\"ball\" (rpy 0 0 (deg 90))) (\"free\" (pose 1 2 3 (quat 0 1 0 0))))"
      " (joint ball \"ball\" ground \"a\") (joint free \"free\" ground \"b\" (coordinates w x y z X Y Z)))",
      "m.pol");
  const auto q = [&](const char* name) { return model.mechanism.initial_q()[std::size_t(model.mechanism.coordinate(name))]; };
  EXPECT_NEAR(q("ball.qw"), std::sqrt(0.5), 1e-15);  // half the angle, to rounding
  EXPECT_NEAR(q("ball.qz"), std::sqrt(0.5), 1e-15);
  EXPECT_EQ(q("x"), 1);
  EXPECT_EQ(q("Y"), 2);
  EXPECT_EQ(q("Z"), 3);
}

TEST(Language, SeveralPairsInOneFrameAreFramesInOneAnother) {
  const auto flat = sound("(system (tx 0.1 ty \"q\" tz 0.3 (name \"end\") (mass 1)))");
  const auto nested = sound("(system (tx 0.1 (ty (D \"q\") (tz 0.3 (mass 1) (name \"end\")))))");
  EXPECT_EQ(write_model(flat), write_model(nested));
  EXPECT_EQ(flat.joints().at(0).name, "q");
  EXPECT_EQ(flat.frames().at(0).X_BF.p, (Vec3<double>{0, 0, 0.3}));
}

TEST(Language, DegreesTurnConstantFrames) {
  const auto builder = sound("(system (rz (deg 90) (tx 1 (name \"end\"))) (tx \"q\" (mass 1)))");
  EXPECT_LT(norm(builder.frames().at(0).X_BF.p - Vec3<double>{0, 1, 0}), 1e-15);  // rounding of cos(pi/2)
}

TEST(Language, AMassThatNothingMovesIsWorthAWarning) {
  const auto r = reading_of("(system (tx 1 (name \"post\") (mass 1)) (tx 1 (rz \"q\" (tx 1 (mass 1)))))");
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_TRUE(contains(r.warnings[0].message, "\"post\""));
  EXPECT_TRUE(contains(r.warnings[0].message, "has no effect"));
}

// The example of the language's contract, with the two coordinates that its screw speaks of.
TEST(Language, ReadsTheExampleOfItsContract) {
  const std::string text = R"((system (gravity 0 0 -9.81)
  (ry "J" (name "J") (mass 1 0.1 0.1 0.1)          ; trep frames, nested
    (tz -1 (name "tip")))
  (body "rod" (mass 2) (inertia 0.1 0.1 0.01) (com 0 0 0) (pose 0 0 1 (quat 1 0 0 0)))
  (joint revolute "pin" ground "rod" (at 0 0 1) (axis 0 1 0))   ; joint graph, loops allowed
  (rz "theta" (mass 1 1 1 1) (tz "d" (mass 1)))
  (point-constraint "tip" "rod" 1 0 0)   (wire "tip" "rod" 0.5)   (screw "theta" "d" 0.01)
  (spring "tip" "rod" 100 0.2)  (damping "J" 0.1)  (torque "rod" 0 0 -1200)
  (initial ("J" 0.5) ("J" 0.5 0.0))))";
  const Model model = read_model(text, "contract.pol");
  EXPECT_EQ(model.mechanism.num_bodies(), 5);
  EXPECT_EQ(model.mechanism.constraints().size(), 3u);
  EXPECT_EQ(model.mechanism.initial_q()[std::size_t(model.mechanism.coordinate("J"))], 0.5);
  EXPECT_TRUE(model.warnings.empty());
}

}  // namespace
}  // namespace polhode::format
