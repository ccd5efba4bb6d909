#include <cmath>

#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

/// The value of an expression, read as a mass; NaN when it is refused.
double value_of(const std::string& expression, const std::string& parameters = "") {
  const Reading r = reading_of("(system " + parameters + " (body \"b\" (mass " + expression + ")))");
  return r.problems.empty() && r.builder.bodies().size() == 1 ? r.builder.bodies()[0].mass.mass
                                                              : std::numeric_limits<double>::quiet_NaN();
}

TEST(Expressions, AreArithmeticWhereverANumberIsExpected) {
  EXPECT_EQ(value_of("(+ 1 2)"), 3);
  EXPECT_EQ(value_of("(+ 1 2 3.5)"), 6.5);
  EXPECT_EQ(value_of("(- 1 2 3)"), -4);
  EXPECT_EQ(value_of("(- 7)"), -7);
  EXPECT_EQ(value_of("(* 2 3 4)"), 24);
  EXPECT_EQ(value_of("(/ 1 4 2)"), 0.125);
  EXPECT_EQ(value_of("(sqrt (+ (* 3 3) (* 4 4)))"), 5);
  EXPECT_EQ(value_of("(pow 2 10)"), 1024);
  EXPECT_EQ(value_of("(abs -2)"), 2);
  EXPECT_EQ(value_of("pi"), std::acos(-1.0));
  // Functions of the C library, correct to about one unit in the last place.
  EXPECT_NEAR(value_of("(sin (/ pi 6))"), 0.5, 1e-15);
  EXPECT_NEAR(value_of("(COS (deg 60))"), 0.5, 1e-15);
  EXPECT_NEAR(value_of("(tan (deg 45))"), 1, 1e-15);
  EXPECT_NEAR(value_of("(asin 1)"), value_of("(acos 0)"), 1e-15);
  EXPECT_NEAR(value_of("(* 4 (atan 1))"), value_of("PI"), 1e-15);
  EXPECT_NEAR(value_of("(atan2 1 -1)"), value_of("(* 0.75 pi)"), 1e-15);
  EXPECT_NEAR(value_of("(log (exp 2))"), 2, 1e-15);
}

TEST(Parameters, MayFormLongChainsInEitherOrder) {
  std::string forwards = "(parameter p0 1)", backwards;
  for (int i = 1; i <= 5000; ++i) {
    const std::string next = "(parameter p" + std::to_string(i) + " (+ 1 p" + std::to_string(i - 1) + "))";
    forwards += next;
    backwards = next + backwards;
  }
  EXPECT_EQ(value_of("p5000", forwards), 5001);
  EXPECT_EQ(value_of("p5000", backwards + "(parameter p0 1)"), 5001);
}

TEST(Parameters, StandForNumbersByNameInAnyOrder) {
  EXPECT_EQ(value_of("m", "(parameter \"m\" 1.2)"), 1.2);
  EXPECT_EQ(value_of("\"m\"", "(parameter m 1.2)"), 1.2);
  EXPECT_EQ(value_of("\"rod mass\"", "(parameter \"rod mass\" 1.2)"), 1.2);
  EXPECT_EQ(value_of("(* 2 b)", "(parameter b (+ a 1)) (parameter a (/ c 2)) (parameter c 3)"), 5);
}

TEST(Parameters, ServeEveryKindOfForm) {
  const std::string declared = "(parameter l 0.5) (parameter k 3) (parameter t1 2) (parameter on 1)";
  const MechanismBuilder with = sound("(system " + declared +
                                      R"((gravity 0 0 (- (* k k)))
      (tz (- l) (ry "swing" (tz l (name "tip") (mass k l l l))) (ry (deg (* 30 k)) (name "fixed")))
      (body "b" (mass k) (inertia l l l) (pose l 0 (* 2 l) (quat on 0 0 0)))
      (spring "tip" "b" k l) (torsion-spring "swing" k (deg (* 10 k)))
      (wire "tip" "b" (sqrt (+ (* l l) k)))
      (point-constraint "tip" "b" (on 0 0))
      (coupler ("swing" k) ("b.x" (- k)))
      (generalized-force "swing" (* 2 k))
      (generalized-force "swing" (sine k (/ pi 2) l))
      (generalized-force "swing" (samples (0 0) (t1 k) ((+ t1 1) 0)))
      (nonlinear-spring "tip" "b" l k (* k k))
      (initial ("swing" l (* 2 pi)))))");
  const MechanismBuilder without = sound(R"((system (gravity 0 0 -9)
      (tz -0.5 (ry "swing" (tz 0.5 (name "tip") (mass 3 0.5 0.5 0.5))) (ry (deg 90) (name "fixed")))
      (body "b" (mass 3) (inertia 0.5 0.5 0.5) (pose 0.5 0 1 (quat 1 0 0 0)))
      (spring "tip" "b" 3 0.5) (torsion-spring "swing" 3 (deg 30))
      (wire "tip" "b" 1.8027756377319946)
      (point-constraint "tip" "b" (1 0 0))
      (coupler ("swing" 3) ("b.x" -3))
      (generalized-force "swing" 6)
      (generalized-force "swing" (sine 3 1.5707963267948966 0.5))
      (generalized-force "swing" (samples (0 0) (2 3) (3 0)))
      (nonlinear-spring "tip" "b" 0.5 3 9)
      (initial ("swing" 0.5 6.283185307179586))))");
  EXPECT_EQ(write_model(with), write_model(without));
}

// In a frame a word in quotes is a coordinate, as it always was; a bare one is a parameter if there is one of that name.
TEST(Parameters, DoNotTakeNamesAwayFromCoordinates) {
  const MechanismBuilder builder = sound(R"((system (parameter l 2) (tz "l" (mass 1) (tx l (name "tip") (mass 1)))
                                                    (initial (l 0.25))))");
  const Mechanism mechanism = builder.build();
  EXPECT_EQ(mechanism.coordinate_names(), std::vector<std::string>{"l"});
  EXPECT_EQ(mechanism.initial_q()[0], 0.25);
  EXPECT_EQ(mechanism.frames()[std::size_t(mechanism.frame("tip"))].X_BF.p.x, 2);
}

TEST(Parameters, TakeValuesFromOutside) {
  const std::string text = "(system (parameter l 1) (parameter m (* 2 l)) (body \"b\" (mass m)))";
  const Model model = read_model(text, "m.pol", {}, {{"l", 1.5}});
  EXPECT_EQ(model.mechanism.bodies()[1].mass.mass, 3);
  ASSERT_EQ(model.parameters.size(), 2u);
  EXPECT_EQ(model.parameters[0].name, "l");
  EXPECT_EQ(model.parameters[0].value, 1.5);
  EXPECT_EQ(model.parameters[1].value, 3);
  // A given value is not computed from others, so it may stand where the model's own would go in a circle.
  EXPECT_EQ(read_model("(system (parameter a b) (parameter b a) (body \"b\" (mass (+ a b))))", "m.pol", {}, {{"a", 2}})
                .mechanism.bodies()[1]
                .mass.mass,
            4);
}

TEST(Parameters, GivenUnderAnUnknownNameListThoseThereAre) {
  const std::string text = "(system (parameter length 1) (body \"b\" (mass length)))";
  const auto error = [&](const ParameterValues& values) {
    try {
      read_model(text, "m.pol", {}, values);
    } catch (const ModelFileError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_TRUE(contains(error({{"lenght", 1}}), "did you mean \"length\"? (parameters: length)")) << error({{"lenght", 1}});
  EXPECT_TRUE(contains(error({{"length", std::numeric_limits<double>::infinity()}}), "finite"));
  EXPECT_TRUE(error({{"length", 2}}).empty());
}

TEST(Parameters, ThatNothingUsesGetAWarning) {
  const Reading r = reading_of("(system (parameter a 1) (parameter b a) (body \"b\" (mass 1)))");
  EXPECT_TRUE(r.problems.empty());
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_TRUE(contains(r.warnings[0].message, "\"b\" has no effect"));
}

TEST(Parameters, AreWrittenAsTheNumbersTheyStandFor) {
  const MechanismBuilder builder = sound("(system (parameter m 3) (body \"b\" (mass (* 2 m))))");
  EXPECT_EQ(write_model(builder), write_model(sound("(system (body \"b\" (mass 6)))")));
}

struct BadArithmetic {
  const char* claim;
  const char* text;
  int line, column;
  std::vector<const char*> words;
};
void PrintTo(const BadArithmetic& m, std::ostream* out) { *out << m.claim; }

class MistakesInArithmetic : public testing::TestWithParam<BadArithmetic> {};

TEST_P(MistakesInArithmetic, AreToldOnceWithTheirPlace) {
  const BadArithmetic& m = GetParam();
  const std::string error = error_of(m.text);
  const std::string place = "m.pol:" + std::to_string(m.line) + ":" + std::to_string(m.column) + ": ";
  EXPECT_EQ(error.substr(0, place.size()), place) << error;
  for (const char* words : m.words) EXPECT_TRUE(contains(error, words)) << "no \"" << words << "\" in:\n" << error;
  std::size_t told = 0;
  for (std::size_t at = error.find("m.pol:"); at != std::string::npos; at = error.find("m.pol:", at + 1))
    told += error.compare(error.find(' ', at) + 1, 5, "note:") != 0;
  EXPECT_EQ(told, 1u) << error;
}

INSTANTIATE_TEST_SUITE_P(
    All, MistakesInArithmetic,
    testing::Values(
        BadArithmetic{"UnknownName",
                      "(system (parameter length 1)\n(body \"b\" (mass (* 2 lenght))))",
                      2,
                      22,
                      {"there is no parameter \"lenght\"", "did you mean \"length\"?"}},
        BadArithmetic{"UnknownBareName",
                      "(system (parameter length 1)\n(body \"b\" (mass lenght)))",
                      2,
                      17,
                      {"mass must be a number", "did you mean \"length\"?"}},
        BadArithmetic{"DivisionByZero", "(system (body \"b\" (mass (/ 1 (- 2 2)))))", 1, 25, {"(/ 1 0) divides by zero"}},
        BadArithmetic{"RootOfNegative", "(system (body \"b\" (mass (sqrt -1))))", 1, 25, {"(sqrt -1) is not a real number"}},
        BadArithmetic{"Overflow", "(system (body \"b\" (mass (* 1e200 1e200))))", 1, 25, {"too large"}},
        BadArithmetic{"TooManyArguments", "(system (body \"b\" (mass (sqrt 1 2))))", 1, 25, {"sqrt has 2", "(sqrt a)"}},
        BadArithmetic{"TooFewArguments", "(system (body \"b\" (mass (/ 2))))", 1, 25, {"/ has 1 argument;", "(/ a b ...)"}},
        BadArithmetic{"NoArguments", "(system (body \"b\" (mass (+))))", 1, 25, {"+ has 0 arguments"}},
        BadArithmetic{"UnknownOperation",
                      "(system (parameter a (sqr 2)) (body \"b\" (mass a)))",
                      1,
                      23,
                      {"there is no operation \"sqr\"", "did you mean \"sqrt\"?"}},
        BadArithmetic{"ListInsteadOfNumber", "(system (parameter a (1 2)) (body \"b\" (mass a)))", 1, 22, {"not a list"}},
        BadArithmetic{"Circle",
                      "(system (parameter a (+ b 1)) (parameter b (* 2 a)) (body \"b\" (mass a)))",
                      1,
                      49,
                      {"parameter \"b\": the value of \"a\" depends on itself"}},
        BadArithmetic{"Itself", "(system (parameter a (+ a 1)) (body \"b\" (mass a)))", 1, 25, {"depends on itself"}},
        BadArithmetic{"Twice", "(system (parameter a 1)\n(parameter a 2) (body \"b\" (mass a)))", 2, 1, {"declared twice"}},
        BadArithmetic{
            "NoValue", "(system (parameter a) (body \"b\" (mass a)))", 1, 9, {"value is missing", parameter_usage.data()}},
        BadArithmetic{"NoName", "(system (parameter 3 4) (body \"b\" (mass 1)))", 1, 20, {"name must be a name"}},
        BadArithmetic{"TwoValues", "(system (parameter a 3 4) (body \"b\" (mass a)))", 1, 24, {"one argument too many"}},
        BadArithmetic{"Pi", "(system (parameter pi 3) (body \"b\" (mass 1)))", 1, 9, {"already has a meaning"}},
        BadArithmetic{"FrameKeyword", "(system (parameter tx 3) (body \"b\" (mass 1)))", 1, 9, {"already has a meaning"}}),
    [](const auto& i) { return i.param.claim; });

TEST(Expressions, AreRefusedWhenTheyAreNestedTooDeep) {
  std::string deep = "1";
  for (int i = 0; i < 5000; ++i) deep = "(+ " + deep + ")";
  EXPECT_TRUE(contains(error_of("(system (body \"b\" (mass " + deep + ")))"), "nested more than 100 deep"));
  // Circles are refused, however long.
  std::string circle = "(parameter p0 p4999)";
  for (int i = 1; i < 5000; ++i) circle += "(parameter p" + std::to_string(i) + " p" + std::to_string(i - 1) + ") ";
  EXPECT_NE(error_of("(system " + circle + " (body \"b\" (mass p4999)))"), "");
}

}  // namespace
}  // namespace polhode::format
