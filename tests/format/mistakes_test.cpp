#include "reading.h"

namespace polhode::format {
namespace {

/// A text with one mistake, where it is, and words that its message must have.
struct Mistake {
  const char* claim;
  const char* text;
  int line, column;
  std::vector<const char*> words;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.claim; }

class Mistakes : public testing::TestWithParam<Mistake> {};

// One mistake gives one message: no echoes of it in other forms.
TEST_P(Mistakes, IsToldOnceWithItsPlaceAndWhatToWrite) {
  const Mistake& m = GetParam();
  const std::string error = error_of(m.text);
  const std::string place = "m.pol:" + std::to_string(m.line) + ":" + std::to_string(m.column) + ": ";
  EXPECT_EQ(error.substr(0, place.size()), place) << error;
  for (const char* words : m.words) EXPECT_TRUE(contains(error, words)) << "no \"" << words << "\" in:\n" << error;
  std::size_t told = 0;
  for (std::size_t at = error.find("m.pol:"); at != std::string::npos; at = error.find("m.pol:", at + 1)) {
    told += error.compare(error.find(' ', at) + 1, 5, "note:") != 0;
  }
  EXPECT_EQ(told, 1u) << error;
}

INSTANTIATE_TEST_SUITE_P(
    OfParentheses, Mistakes,
    testing::Values(
        Mistake{"UnclosedList", "(system\n  (gravity 0 0 -9.81)", 1, 1, {"never closed"}},
        Mistake{"UnclosedInnerList", "(system\n  (body \"a\" (mass 1\n", 3 - 1, 13, {"never closed", "add the missing )"}},
        Mistake{"IndentationHelps",
                "(system\n  (body \"a\" (mass 1)\n  (body \"b\" (mass 1)))",
                1,
                1,
                {"never closed", "m.pol:2:3: note: by its indentation", "before line 3"}},
        Mistake{"StrayCloser", "(system (tx \"q\" (mass 1))))", 1, 27, {"closes nothing"}},
        Mistake{"EmptyFile", "", 1, 1, {"empty", "(system ...)"}},
        Mistake{"OnlyComments", "; nothing\n; here", 1, 1, {"empty"}},
        Mistake{"TwoSystems",
                "(system (tx \"q\" (mass 1)))\n(system (tx \"q\" (mass 1)))",
                2,
                1,
                {"second (system ...)", "one model", "m.pol:1:1: note: the first one"}},
        Mistake{"FormOutsideSystem", "(body \"a\" (mass 1))", 1, 1, {"a (body ...) form outside of a system"}},
        Mistake{"WordOutsideSystem", "(system (tx \"q\" (mass 1))) 5", 1, 28, {"the number 5 outside of a system"}}),
    [](const auto& i) { return i.param.claim; });

INSTANTIATE_TEST_SUITE_P(
    OfWords, Mistakes,
    testing::Values(Mistake{"Overflow", "(system (gravity 0 0 1e999))", 1, 22, {"\"1e999\" is too large", "1.8e308"}},
                    Mistake{"LongOverflow", "(system (gravity 0 0 -0.0001e999))", 1, 22, {"too large"}},
                    Mistake{"Underflow", "(system (gravity 0 0 1e-999))", 1, 22, {"\"1e-999\" is too small", "write 0"}},
                    Mistake{"NotANumber", "(system (gravity 0 0 nan))", 1, 22, {"nan is not a finite number"}},
                    Mistake{"Infinity", "(system (gravity 0 0 -inf))", 1, 22, {"-inf is not a finite number"}},
                    Mistake{"DecimalComma", "(system (gravity 0 0 9,81))", 1, 22, {"the decimal mark is a point"}},
                    Mistake{"NumberWithTail", "(system (gravity 0 0 9.81m))", 1, 22, {"\"9.81m\" is not a number"}},
                    Mistake{"Hexadecimal", "(system (gravity 0 0 0x10))", 1, 22, {"\"0x10\" is not a number"}},
                    Mistake{"TypographicMinus",
                            "(system (gravity 0 0 \xE2\x88\x92"
                            "9.81))",
                            1,
                            22,
                            {"typographic dash", "as -"}},
                    Mistake{"UnclosedText", "(system (name \"no end)\n)", 1, 15, {"no closing quote on its line"}},
                    Mistake{"UnknownEscape", "(system (name \"a\\qb\"))", 1, 15, {"unknown escape"}},
                    Mistake{"ColumnsCountCharacters",
                            "(system (name \"\xC3\xA9\xC3\xA9\") (gravity 0 0 x) (tx q (mass 1)))",
                            1,
                            34,
                            {"the word \"x\""}}),
    [](const auto& i) { return i.param.claim; });

INSTANTIATE_TEST_SUITE_P(
    OfArguments, Mistakes,
    testing::Values(
        Mistake{"MissingNumber",
                "(system (gravity 0 0) (tx \"q\" (mass 1)))",
                1,
                9,
                {"gravity: z is missing; write (gravity x y z)"}},
        Mistake{"TextForNumber",
                "(system (gravity 0 0 \"g\") (tx \"q\" (mass 1)))",
                1,
                22,
                {"gravity: z must be a number, not the text \"g\""}},
        Mistake{"ListForNumber", "(system (gravity 0 0 (deg 3)) (tx \"q\" (mass 1)))", 1, 22, {"not a (deg ...) form"}},
        Mistake{"OneTooMany",
                "(system (gravity 0 0 -9.81 7) (tx \"q\" (mass 1)))",
                1,
                28,
                {"the number 7 is one argument too many"}},
        Mistake{"GravityTwice",
                "(system (gravity 0 0 1)\n (gravity 0 0 1) (tx \"q\" (mass 1)))",
                2,
                2,
                {"gravity is given twice", "m.pol:1:9: note: the first one is here"}},
        Mistake{"NumberForName", "(system (body 5 (mass 1)))", 1, 15, {"name must be a name, not the number 5"}},
        Mistake{"EmptyName", "(system (body \"\" (mass 1)))", 1, 15, {"name is empty"}},
        Mistake{"UnknownForm", "(system (bdy \"a\" (mass 1)))", 1, 10, {"no form \"bdy\"", "did you mean \"body\""}},
        Mistake{"ShapeIsNotAForm", "(system (tx \"q\" (mass 1)) (shape \"a\"))", 1, 28, {"no form \"shape\"", "(forms: "}},
        Mistake{"EmptyList", "(system () (tx \"q\" (mass 1)))", 1, 9, {"a list is not expected here"}},
        Mistake{"StrayWord", "(system tx (tx \"q\" (mass 1)))", 1, 9, {"the word \"tx\" is not expected here"}},
        Mistake{"UnknownOption",
                "(system (body \"a\" (mas 1)))",
                1,
                20,
                {"body \"a\": there is no option \"mas\"", "did you mean \"mass\""}},
        Mistake{"OptionTwice",
                "(system (body \"a\" (mass 1) (mass 2)))",
                1,
                28,
                {"body \"a\": (mass ...) is given twice", "m.pol:1:19: note:"}},
        Mistake{"InertiaTwice",
                "(system (body \"a\" (mass 1 1 1 1) (inertia 1 1 1)))",
                1,
                34,
                {"both in (mass ...) and in (inertia ...)"}},
        Mistake{"InertiaOfFive", "(system (body \"a\" (mass 1) (inertia 1 1 1 0 0)))", 1, 28, {"iyz is missing"}},
        Mistake{"ZeroQuaternion", "(system (body \"a\" (mass 1) (pose 0 0 0 (quat 0 0 0 0))))", 1, 40, {"quaternion of zeros"}},
        Mistake{"ShearedMatrix",
                "(system (body \"a\" (mass 1) (pose 0 0 0 (rotation 1 1 0 0 1 0 0 0 1))))",
                1,
                40,
                {"not a rotation"}},
        Mistake{
            "MirroringMatrix", "(system (body \"a\" (mass 1) (pose 0 0 0 (rotation 1 0 0 0 1 0 0 0 -1))))", 1, 40, {"mirror"}},
        Mistake{
            "SpeedOfNothing", "(system (tx \"q\" (mass 1)) (initial (\"q\")))", 1, 36, {"initial \"q\": position is missing"}},
        Mistake{"InitialWithoutList",
                "(system (tx \"q\" (mass 1)) (initial \"q\"))",
                1,
                36,
                {"is not expected here", "(initial (\"coordinate\""}},
        Mistake{"VelocityOfNothing", "(system (body \"a\" (mass 1)) (velocity \"a\"))", 1, 29, {"it says no velocity"}}),
    [](const auto& i) { return i.param.claim; });

INSTANTIATE_TEST_SUITE_P(
    OfFrames, Mistakes,
    testing::Values(
        Mistake{"NoParameter", "(system (tz (mass 1)))", 1, 9, {"tz has no parameter", "(tz 0.5) or (tz \"variable\")"}},
        Mistake{"NoParameterAtAll", "(system (tz))", 1, 9, {"tz has no parameter"}},
        Mistake{"NoParameterBeforeNextPair", "(system (rz tx 1 (mass 1)))", 1, 9, {"rz has no parameter"}},
        Mistake{"DegreesOfATranslation", "(system (rz \"q\" (mass 1) (tx (deg 3))))", 1, 30, {"length in metres"}},
        Mistake{
            "UnknownFormInFrame", "(system (rz \"q\" (mass 1) (rw 3)))", 1, 27, {"no \"rw\" inside a frame", "did you mean"}},
        Mistake{"WordInFrame", "(system (rz \"q\" (mass 1) 3))", 1, 26, {"the number 3 is not expected in a frame"}},
        Mistake{"TwoNames", "(system (rz \"q\" (mass 1) (name \"a\") (name \"b\")))", 1, 37, {"already has the name \"a\""}},
        Mistake{"TwoMasses", "(system (rz \"q\" (mass 1) (mass 1)))", 1, 26, {"already has a mass"}},
        Mistake{"MassOfTwoNumbers",
                "(system (rz \"q\" (mass 1 2)))",
                1,
                17,
                {"mass: iyy is missing; write (mass m [ixx iyy izz])"}},
        Mistake{"KinematicForm",
                "(system (tx \"q\" (mass 1)) (kinematic \"q\"))",
                1,
                27,
                {"kinematic \"q\": signal is missing", "(kinematic \"coordinate\" signal)"}},
        Mistake{"KinematicParameter",
                "(system (rz (kinematic \"x\") (mass 1 1 1 1)))",
                1,
                13,
                {"kinematic \"x\": signal is missing", "(kinematic \"variable\" signal)"}},
        Mistake{"KinematicInFrame",
                "(system (rz \"x\" (mass 1 1 1 1) (kinematic \"x\" 1)))",
                1,
                33,
                {"no \"kinematic\" inside a frame"}},
        Mistake{"GravityOnNobody", "(system (gravity 0 0 -1 (on)) (tx \"q\" (mass 1)))", 1, 25, {"it names no body"}},
        Mistake{"GravityOnSomeAndNotOnSome",
                "(system (gravity 0 0 -1 (on \"q\") (except \"q\")) (tx \"q\" (mass 1)))",
                1,
                34,
                {"both (on ...) and (except ...)"}},
        Mistake{"GravityOnUnknownBody",
                "(system (gravity 0 0 -1 (on \"r\")) (tx \"q\" (mass 1)))",
                1,
                9,
                {"gravity: body \"r\" is not defined"}},
        Mistake{"AttractionOfOneBody", "(system (tx \"q\" (mass 1))\n  (attraction 1))", 2, 3, {"there is only one with mass"}},
        Mistake{"AttractionOfGround",
                "(system (tx \"q\" (mass 1))\n  (attraction 1 \"q\" ground))",
                2,
                3,
                {"\"ground\" has no mass"}},
        Mistake{"SpringWithoutLaw",
                "(system (tx \"q\" (mass 1))\n  (nonlinear-torsion-spring \"q\" 0))",
                2,
                3,
                {"it says no force"}},
        Mistake{"SpringWithTwoLaws",
                "(system (tx \"q\" (mass 1))\n  (nonlinear-torsion-spring \"q\" 0 1 (table (0 0) (1 1))))",
                2,
                3,
                {"both stiffnesses and a table"}},
        Mistake{"TableOutOfOrder",
                "(system (tx \"q\" (mass 1))\n  (nonlinear-torsion-spring \"q\" 0 (table (1 0) (0 1))))",
                2,
                48,
                {"extensions must increase, but 0 follows 1"}},
        Mistake{"TableOfOnePoint",
                "(system (tx \"q\" (mass 1))\n  (nonlinear-spring \"q\" ground 0 (table (1 0))))",
                2,
                34,
                {"fewer than two points"}},
        Mistake{"WrenchOnGround",
                "(system (tx \"q\" (mass 1))\n  (frame-wrench ground (force 1 0 0)))",
                2,
                3,
                {"on the ground, which no force moves"}},
        Mistake{"WrenchOfTwoKinds",
                "(system (tx \"q\" (mass 1))\n  (frame-wrench \"q\" (hybrid) (spatial)))",
                2,
                30,
                {"keep one of (body), (hybrid), (spatial)"}},
        Mistake{"UnknownSignal",
                "(system (tx \"q\" (mass 1)) (kinematic \"q\" (sien 1 2)))",
                1,
                43,
                {"there is no signal \"sien\"; did you mean \"sine\"?"}},
        Mistake{"ListThatIsNoSignal", "(system (tx \"q\" (mass 1)) (kinematic \"q\" (1 2)))", 1, 42, {"a list is no signal"}},
        Mistake{"SineWithoutFrequency",
                "(system (tx \"q\" (mass 1)) (kinematic \"q\" (sine 1)))",
                1,
                42,
                {"kinematic \"q\": sine: frequency is missing; write (sine amplitude frequency"}},
        Mistake{"SamplesBackInTime",
                "(system (tx \"q\" (mass 1))\n  (kinematic \"q\" (samples (0 1) (1 2) (1 3))))",
                2,
                39,
                {"times must increase, but 1 follows 1"}},
        Mistake{"NoSamples", "(system (tx \"q\" (mass 1)) (kinematic \"q\" (samples)))", 1, 42, {"there are no points"}},
        Mistake{"TwoSignals",
                "(system (tx \"q\" (mass 1)) (kinematic \"q\" 1 2))",
                1,
                44,
                {"the number 2 is one argument too many"}},
        Mistake{"TwoKinematicForms",
                "(system (tx \"q\" (mass 1))\n  (kinematic \"q\" 1)\n  (kinematic \"q\" 2))",
                3,
                3,
                {"already follows a signal", "m.pol:2:3: note: the first one is here"}},
        Mistake{"InitialAgainstSignal",
                "(system (tx \"q\" (mass 1))\n  (kinematic \"q\" 1)\n  (initial (\"q\" 2)))",
                3,
                12,
                {"whose value at t = 0 is 1, not 2", "m.pol:2:3: note: the signal is here"}},
        Mistake{"SharedVariable",
                "(system (rz \"q\" (mass 1 1 1 1) (rx \"q\" (mass 1 1 1 1))))",
                1,
                32,
                {"\"q\" drives two frames", "1:9: note"}}),
    [](const auto& i) { return i.param.claim; });

INSTANTIATE_TEST_SUITE_P(
    OfElements, Mistakes,
    testing::Values(
        Mistake{"UnknownJointType",
                "(system (body \"a\" (mass 1))\n(joint revolut \"j\" ground \"a\"))",
                2,
                8,
                {"no joint type \"revolut\"", "did you mean \"revolute\""}},
        Mistake{
            "JointWithoutChild", "(system (body \"a\" (mass 1)) (joint revolute \"j\" ground))", 1, 29, {"child is missing"}},
        Mistake{"TwoPlacements",
                "(system (body \"a\" (mass 1)) (joint weld \"j\" ground \"a\" (at 0 0 0) (child-frame (pose 0 0 0))))",
                1,
                67,
                {"joint \"j\": a joint is placed either by"}},
        Mistake{"ScrewWithoutLead",
                "(system (body \"a\" (mass 1) (inertia 1 1 1)) (joint screw \"j\" ground \"a\" (axis 0 0 1)))",
                1,
                45,
                {"needs its lead"}},
        Mistake{"LeadOfAPin",
                "(system (body \"a\" (mass 1) (inertia 1 1 1)) (joint pin \"j\" ground \"a\" (axis 0 0 1) (lead 1)))",
                1,
                45,
                {"belongs to screw joints, not to a revolute one"}},
        Mistake{"EllipsoidWithoutSize",
                "(system (body \"a\" (mass 1) (inertia 1 1 1)) (joint ellipsoid \"j\" ground \"a\"))",
                1,
                45,
                {"(semi-axes a b c)"}},
        Mistake{"NegativeSemiAxis",
                "(system (body \"a\" (mass 1) (inertia 1 1 1)) (joint ellipsoid \"j\" ground \"a\" (semi-axes 1 1 -1)))",
                1,
                45,
                {"must be positive"}},
        Mistake{"AxisWithoutDirection",
                "(system (body \"a\" (mass 1) (inertia 1 1 1)) (joint pin \"j\" ground \"a\" (axis 0 0 0)))",
                1,
                45,
                {"joint \"j\": axis (0, 0, 0) has no direction"}},
        Mistake{"UnknownBody",
                "(system (body \"forearm\" (mass 1)) (torque \"forarm\" 0 0 1))",
                1,
                35,
                {"body \"forarm\" is not defined", "did you mean \"forearm\""}},
        Mistake{
            "UnknownCoordinate", "(system (tx \"slide\" (mass 1)) (damping \"slid\" 1))", 1, 31, {"did you mean \"slide\""}},
        Mistake{"SameNameTwice",
                "(system (body \"a\" (mass 1))\n  (body \"a\" (mass 1)))",
                2,
                3,
                {"body \"a\" is already defined", "m.pol:1:9: note:"}},
        Mistake{"OrientationOfAPin",
                "(system (body \"a\" (mass 1) (inertia 1 1 1)) (joint pin \"j\" ground \"a\" (axis 0 0 1)) (initial (\"j\" "
                "(quat 1 0 0 0))))",
                1,
                94,
                {"\"j\" is not a joint that takes an orientation"}},
        Mistake{"PoseOfABall",
                "(system (body \"a\" (mass 1) (inertia 1 1 1)) (joint ball \"j\" ground \"a\") (initial (\"j\" (pose 1 0 0))))",
                1,
                82,
                {"only turns; give (quat w x y z)"}},
        Mistake{"ForceWithoutNumbers", "(system (body \"a\" (mass 1)) (force \"a\"))", 1, 29, {"force on \"a\": x is missing"}},
        Mistake{"HalfADirection",
                "(system (body \"a\" (mass 1)) (point-constraint \"a\" ground (1 0)))",
                1,
                58,
                {"direction: z is missing; write (x y z)"}},
        Mistake{"HalfADirectionWithoutParentheses",
                "(system (body \"a\" (mass 1)) (point-constraint \"a\" ground 1 0))",
                1,
                29,
                {"point-constraint: z is missing"}},
        Mistake{"GearWithoutRatio",
                "(system (rx \"a\" (mass 1 1 1 1)) (rx \"b\" (mass 1 1 1 1)) (gear \"a\" \"b\"))",
                1,
                57,
                {"gear: ratio is missing; write (gear \"angle\" \"angle\" ratio"}},
        Mistake{"GearOnItself",
                "(system (rx \"a\" (mass 1 1 1 1)) (gear \"a\" \"a\" 2))",
                1,
                33,
                {"gear \"a\" \"a\": coordinate \"a\" cannot be coupled to itself"}},
        Mistake{"CouplerOfNothing", "(system (tx \"a\" (mass 1)) (coupler (equals 1)))", 1, 27, {"there is nothing to couple"}},
        Mistake{"CouplerTermWithoutCoefficient",
                "(system (tx \"a\" (mass 1)) (coupler (\"a\")))",
                1,
                36,
                {"coupler: coefficient is missing; write (\"coordinate\" coefficient)"}},
        Mistake{"CouplerTermWithoutParentheses",
                "(system (tx \"a\" (mass 1)) (coupler \"a\" 1))",
                1,
                36,
                {"coupler: the text \"a\" is not expected here; write (coupler (\"coordinate\" coefficient)"}},
        Mistake{"CouplerWithACoordinateTwice",
                "(system (tx \"a\" (mass 1)) (coupler (\"a\" 1) (\"a\" 2)))",
                1,
                27,
                {"coordinate \"a\" is named twice; add its coefficients up"}},
        Mistake{"CouplerWithZerosOnly",
                "(system (tx \"a\" (mass 1)) (coupler (\"a\" 0) (equals 1)))",
                1,
                27,
                {"coupler \"a\": all coefficients are zero"}},
        Mistake{"CouplerOfAnUnknownCoordinate",
                "(system (tx \"slide\" (mass 1)) (coupler (\"slid\" 1)))",
                1,
                31,
                {"did you mean \"slide\""}}),
    [](const auto& i) { return i.param.claim; });

TEST(SeveralMistakes, AreToldTogetherInTheOrderOfTheText) {
  const std::string error = error_of(
      "(system\n"
      "  (gravity 0 zero 0)\n"
      "  (body \"a\" (mass 1))\n"
      "  (wire \"a\" ground long)\n"
      "  (damping \"nothing\" 1)\n"  // found by the builder, not by the reader
      "  (spring \"a\" ground 1))\n");
  std::size_t last = 0;
  for (const char* place : {"m.pol:2:14: ", "m.pol:4:20: ", "m.pol:5:3: ", "m.pol:6:3: "}) {
    const std::size_t found = error.find(place);
    ASSERT_NE(found, std::string::npos) << place << " is not in\n" << error;
    EXPECT_GE(found, last);
    last = found;
  }
}

// A body that was misread is no reason to call its name unknown elsewhere.
TEST(SeveralMistakes, DoNotEchoInOtherForms) {
  const std::string error =
      error_of("(system (body \"a\" (mass heavy)) (joint pin \"j\" ground \"a\" (axis 0 0 1)) (damping \"j\" 1))");
  EXPECT_TRUE(contains(error, "mass must be a number, not the word \"heavy\"")) << error;
  EXPECT_FALSE(contains(error, "not defined")) << error;
}

}  // namespace
}  // namespace polhode::format
