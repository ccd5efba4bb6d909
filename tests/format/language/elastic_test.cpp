// Elastic parts as text: bushings, one-sided springs, functions of coordinates, beams.
#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

std::string two_bodies(const std::string& more) {
  return "(system (body \"a\" (mass 1) (inertia 1 1 1)) (joint revolute \"x\" ground \"a\" (axis 0 0 1))\n"
         "(body \"b\" (mass 1) (inertia 1 1 1)) (joint prismatic \"y\" \"a\" \"b\" (axis 1 0 0))\n" +
         more + ")";
}
void expect_mistake(const std::string& form, std::initializer_list<const char*> words) {
  const std::string error = error_of(two_bodies(form));
  EXPECT_EQ(error.substr(0, 8), "m.pol:3:") << error;
  for (const char* word : words) EXPECT_TRUE(contains(error, word)) << "no \"" << word << "\" in:\n" << error;
}
template <class Spec>
Spec only_force(const std::string& form) {
  const MechanismBuilder builder = sound(two_bodies(form));
  EXPECT_EQ(builder.forces().size(), 1u);
  return std::get<Spec>(builder.forces().at(0).model);
}

TEST(BushingForm, TakesSixNumbersATriangleOrTheWholeMatrix) {
  const Symmetric6 six = Symmetric6::diagonal({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(only_force<BushingForceSpec>("(bushing-force \"a\" \"b\" (stiffness 1 2 3 4 5 6))").stiffness, six);
  const auto triangle = only_force<BushingForceSpec>(
      "(bushing-force \"a\" \"b\" (stiffness 1 0 0 0 0 0 2 0 0 0 0 3 0 0 0 4 0 0 5 0 6) (damping 1 1 1 1 1 1))");
  EXPECT_EQ(triangle.stiffness, six);
  EXPECT_EQ(triangle.damping, Symmetric6::diagonal({1, 1, 1, 1, 1, 1}));
  std::string whole;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) whole += i == j ? " 9" : i + j == 5 ? " -1" : " 0";
  const auto matrix = only_force<BushingForceSpec>("(bushing-force \"a\" \"b\" (stiffness" + whole + "))").stiffness;
  EXPECT_EQ(matrix(0, 5), -1);
  EXPECT_EQ(matrix(5, 0), -1);
  EXPECT_EQ(matrix(3, 3), 9);
}

TEST(BushingForm, SaysWhatIsWrongWithAMatrix) {
  expect_mistake("(bushing-force \"a\" \"b\" (stiffness 1 2 3))", {"3 numbers are no stiffness", "give 6", "21", "36"});
  expect_mistake("(bushing-force \"a\" \"b\" (damping 1 2 3 4 5 -6))", {"damping -6 must not be negative"});
  std::string whole;
  for (int i = 0; i < 36; ++i) whole += i == 1 ? " 0.5" : i % 7 == 0 ? " 1" : " 0";
  expect_mistake("(bushing-force \"a\" \"b\" (stiffness" + whole + "))", {"not symmetric", "row 1 column 2 has 0.5"});
  expect_mistake("(bushing-force \"a\" \"a\" (stiffness 1 1 1 1 1 1))", {"both ends are at frame \"a\""});
  expect_mistake("(bushing-force \"a\" \"c\" (stiffness 1 1 1 1 1 1))", {"\"c\""});
  expect_mistake("(bushing-force \"a\" \"b\" (stiffness 1 1 1 x 1 1))", {"stiffness"});
  expect_mistake("(bushing-force \"a\" \"b\")", {"neither stiffness nor damping"});
}

TEST(OneSidedForms, AreReadWithTheirOptions) {
  const auto rope = only_force<ElasticRopeSpec>("(elastic-rope \"a\" \"b\" 100 0.5 (dissipation 0.2) (blend 0.01))");
  EXPECT_EQ(rope.stiffness, 100);
  EXPECT_EQ(rope.length, 0.5);
  EXPECT_EQ(rope.dissipation, 0.2);
  EXPECT_EQ(rope.blend, 0.01);
  const auto limit = only_force<LimitSpringSpec>("(limit-spring \"x\" (deg -180) 1 50)");
  EXPECT_NEAR(limit.lower, -3.14159265358979, 1e-13);
  expect_mistake("(elastic-rope \"a\" \"b\" -1 0.5)", {"stiffness", "negative"});
  expect_mistake("(elastic-buffer \"a\" \"b\" 1 -0.5)", {"length", "negative"});
  expect_mistake("(elastic-buffer \"a\" \"b\" 1)", {"elastic-buffer"});
  expect_mistake("(limit-spring \"x\" 2 1 50)", {"lower limit 2 is above the upper one 1"});
  expect_mistake("(limit-spring \"x\" 0 1 50 (dissipation -1))", {"dissipation", "negative"});
}

Curve coupler_of(const std::string& function) {
  const MechanismBuilder builder = sound(two_bodies("(function-coupler \"y\" \"x\" " + function + ")"));
  return std::get<FunctionCouplerSpec>(builder.constraints().at(0).model).function;
}

TEST(FunctionCouplerForm, TakesEveryKindOfFunction) {
  EXPECT_NEAR(coupler_of("0.1 2 -1").at(0.5).value, 0.1 + 1 - 0.25, 1e-15);
  EXPECT_NEAR(coupler_of("(sine 2 3 0.5 1)").at(0.2).value, 1 + 2 * std::sin(1.1), 1e-15);
  EXPECT_NEAR(coupler_of("(table (0 0) (1 0.5) (2 0))").at(1).value, 0.5, 1e-15);
  EXPECT_NEAR(coupler_of("(table (0 0) ((deg 90) 0.5) (4 0) (closed))").at(4 + 3.14159265358979 / 2).value, 0.5, 1e-14);
  EXPECT_NEAR(coupler_of("(sum (polynomial 0 1) (sine 1 1) 3)").at(0.7).value, 3.7 + std::sin(0.7), 1e-15);
  const MechanismBuilder named = sound(two_bodies("(function-coupler \"y\" \"x\" 0 1 (name \"cam\") (disabled))"));
  EXPECT_EQ(named.constraints().at(0).name, "cam");
  EXPECT_TRUE(named.constraints().at(0).disabled);
}

TEST(FunctionCouplerForm, SaysWhatIsWrong) {
  expect_mistake("(function-coupler \"y\" \"x\")", {"coefficient"});
  expect_mistake("(function-coupler \"y\" \"x\" (spline 1 2))", {"no function of a coordinate", "(sine"});
  expect_mistake("(function-coupler \"y\" \"x\" (table (0 1) (0 2)))", {"places must increase"});
  expect_mistake("(function-coupler \"y\" \"x\" (table (0 1) (1 2) (2 3) (closed)))", {"begins with 1 and ends with 3"});
  expect_mistake("(function-coupler \"y\" \"x\" (table))", {"0 points"});
  expect_mistake("(function-coupler \"y\" \"x\" (sine 1))", {"frequency"});
  expect_mistake("(function-coupler \"y\" \"y\" 0 1)", {"cannot be coupled to itself"});
  expect_mistake("(function-coupler \"y\" \"z\" 0 1)", {"\"z\""});
}

const char* const ruler = "(length 1) (elements 3) (rectangle 0.01 0.02) (young 1e9) (density 1000)";
std::string beam(const std::string& head, const std::string& more = "") {
  return "(beam " + head + " " + ruler + " (poisson 0.3) " + more + ")";
}

TEST(BeamForm, StandsForBodiesJointsAndSprings) {
  const MechanismBuilder builder = sound(two_bodies(beam("\"arm\" \"b\"", "(damping 0.01) (color 1 0 0)")));
  EXPECT_EQ(builder.bodies().size(), 2u + 4u);
  EXPECT_EQ(builder.shapes().size(), 4u);
  EXPECT_EQ(builder.forces().size(), 2u * 9u);
  const Mechanism m = builder.build();
  for (const char* body : {"arm.0", "arm.1", "arm.2", "arm.3"}) EXPECT_GT(m.body(body), 0);
  for (const char* q : {"arm.1.x", "arm.2.y", "arm.3.z"}) EXPECT_GE(m.coordinate(q), 0);
  EXPECT_GE(m.frame("arm.tip"), 0);
}

// The words of a beam are gone from what is printed; its parts come back as they were.
TEST(BeamForm, IsPrintedAsItsParts) {
  const std::string text = write_model(sound(two_bodies(beam("\"arm\" \"b\" \"a\"", "(stretches) (end ball)"))));
  EXPECT_FALSE(contains(text, "(beam"));
  EXPECT_TRUE(contains(text, "\"arm.end\""));
  EXPECT_EQ(write_model(sound(text)), text);
}

TEST(BeamForm, MayNameFramesThatComeLaterInTheText) {
  const MechanismBuilder builder = sound("(system " + beam("\"arm\" \"socket\"") +
                                         " (frame \"socket\" ground (pose 0 0 1)) (tz \"lift\" (mass 1) (name \"cart\")) " +
                                         beam("\"leg\" \"cart\"", "(planar)") + ")");
  EXPECT_EQ(builder.build().num_u(), 9 + 1 + 3);
}

TEST(BeamForm, SaysWhatIsWrong) {
  expect_mistake(beam("\"arm\" \"c\""), {"beam \"arm\": frame \"c\" is not defined"});
  expect_mistake(beam("\"a\" \"b\"", "(elements 2)"), {"elements"});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (rectangle 1 1) (young 1) (density 1))", {"shear modulus"});
  expect_mistake("(beam \"arm\" \"b\" (rectangle 1 1) (young 1) (density 1) (planar))", {"no length"});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (young 1) (density 1) (planar))", {"no section"});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (circle 1) (circle 2) (young 1) (density 1) (planar))", {"circle"});
  expect_mistake("(beam \"arm\" \"b\" (length -1) (circle 1) (young 1) (density 1) (planar))",
                 {"length -1 m must be a positive"});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (circle 0) (young 1) (density 1) (planar))", {"area 0"});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (circle 1) (young 1) (density 1) (planar) (elements 2.5))", {"2.5"});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (circle 1) (young 1) (density 1) (planar) (elements 0))", {"0 elements"});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (circle 1) (young 1) (density 1) (poisson 0.7))", {"Poisson's ratio 0.7"});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (circle 1) (young 1) (density 1) (planar) (end ball))", {"joined to nothing"});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (circle 1) (young 1) (density 1) (planar) (root screw))",
                 {"needs more than its type"});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (circle 1) (young 1) (density 1) (planar) (root hing))",
                 {"no joint type \"hing\""});
  expect_mistake("(beam \"arm\" \"b\" (length 1) (circle 1) (young 1) (density 1) (planar) (damping -1))", {"damping -1 s"});
}

}  // namespace
}  // namespace polhode::format
