#include "polhode/format/language/units.h"

#include "polhode/format/language/operations.h"
#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

/// The value of an expression where any number may stand.
double value_of(const std::string& expression) {
  const MechanismBuilder builder = sound("(system (tx \"q\" (mass 1)) (discrete \"x\" " + expression + "))");
  return builder.discrete()[0].initial;
}
std::string mistake(const std::string& form) { return error_of("(system (tx \"q\" (mass 1)) " + form + ")"); }

TEST(Units, AreThoseOfTheInternationalAgreements) {
  // A length, mass, angle or time in the unit, and the SI value by definition of the unit: exact in decimal digits, so the
  // double must be the nearest one to them. An inch is 25.4 mm, a pound 0.45359237 kg.
  const std::vector<std::pair<const char*, double>> definitions{
      {"(mm 30)", 0.03},    {"(cm 7)", 0.07},    {"(km 3)", 3000},        {"(in 1)", 0.0254}, {"(ft 1)", 0.3048},
      {"(g 12)", 0.012},    {"(t 2)", 2000},     {"(lb 1)", 0.45359237},  {"(ms 5)", 0.005},  {"(minutes 2)", 120},
      {"(h 1)", 3600},      {"(km/h 36)", 10},   {"(N/mm 3)", 3000},      {"(bar 1)", 1e5},   {"(kN 2)", 2000},
      {"(g*mm^2 5)", 5e-9}, {"(mm/s 1)", 0.001}, {"(KG 3)", 3},           {"(m 3)", 3},       {"(s 3)", 3},
      {"(N*m 3)", 3},       {"(Pa 3)", 3},       {"(kg/m^3 7850)", 7850}, {"(N*s/m 3)", 3},   {"(N/m 3)", 3},
      {"(m/s^2 3)", 3},     {"(kg*m^2 3)", 3},   {"(mm (* 2 15))", 0.03}, {"(m/s 3)", 3}};
  for (const auto& [text, si] : definitions) EXPECT_EQ(value_of(text), si) << text;
  const double pi = 3.14159265358979323846;  // two roundings
  EXPECT_NEAR(value_of("(deg/s 180)"), pi, 1e-15);
  EXPECT_NEAR(value_of("(rpm 60)"), 2 * pi, 2e-15);
}

TEST(Units, OfEveryOperationAreKnown) {
  for (const Operation& operation : operations()) EXPECT_TRUE(dimension_of_unit(operation.unit)) << operation.keyword;
}

TEST(Units, OfEveryFieldAreKnown) {
  const auto check = [](const FieldFacts& field) {
    std::string_view rest = field.unit;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(", "), rest.size());
      EXPECT_TRUE(dimension_of_unit(rest.substr(0, comma))) << field.name << " in " << field.unit;
      rest.remove_prefix(std::min(comma + 2, rest.size()));
    }
  };
  const auto of_element = [&]<class Element>() { for_each_field<Element>(check); };
  ForceElements::for_each_described(of_element);
  ConstraintElements::for_each_described(of_element);
}

TEST(Units, MayStandWhereTheyFit) {
  sound(R"((system
    (gravity 0 0 (m/s^2 -9.81))
    (parameter l (mm 500))
    (parameter area (* l l))
    (body "b" (mass (g 120)) (inertia (kg*m^2 0.1) (* (kg 2) (mm 100) (mm 400)) 0.1) (com (mm 1) 0 (* 0.5 l))
      (pose (cm 1) 0 0 (rpy (deg 3) 0 0)) (shape (box (mm 10) (mm 20) l)))
    (body "c" (mass (* (kg/m^3 7850) area (mm 3))))
    (joint prismatic "slide" ground "b" (at (m 0) 0 0) (axis 1 0 0))
    (tz (mm 3) rx (deg 10) ry "q" (mass (lb 1)))
    (spring "b" "c" (N/mm 2) (sqrt area) (N*s/m 3))
    (torsion-spring "slide" (/ (N 3) (mm 2)) (mm 4))
    (torsion-spring "q" (N*m 3) (deg 4))
    (damping "q" (/ (N*m 1) (rpm 30)))
    (generalized-force "q" (* (N 3) (mm 20)))
    (generalized-force "q" (sine 2 (rpm 30)))
    (force "b" (kN 1) 0 0) (torque "b" (world 0 (N*m 1) 0))
    (event "e" (at (minutes 1)) (set "slide" (mm 3)))
    (initial ("slide" (mm 3) (m/s 1)) ("q" (deg 3) (rpm 10)))
    (velocity "c" (angular 0 0 (rpm 3)) (linear (km/h 3) 0 0))
  ))");
}

TEST(Units, ThatAreNotThoseOfTheFieldAreRefused) {
  EXPECT_TRUE(contains(mistake("(body \"b\" (mass (mm 3)))"), "mass is a quantity in kg, but this is one in m"));
  const std::vector<const char*> forms{
      "(body \"b\" (mass 1) (com (g 3) 0 0))",
      "(body \"b\" (mass 1) (inertia (kg 3) 3 3))",
      "(body \"b\" (mass 1) (pose 0 (deg/s 3) 0))",
      "(parameter p (mm 2)) (body \"b\" (mass p))",
      "(parameter p (mm 2)) (parameter p2 (* 2 p)) (body \"b\" (mass p2))",
      "(gravity 0 0 (N -9.81))",
      "(rx (mm 3))",
      "(torsion-spring \"q\" (N 3) 0)",
      "(damping \"q\" (N/m 3))",
      "(generalized-force \"q\" (mm 3))",
      "(initial (\"q\" (g 3)))",
      "(initial (\"q\" 0 (mm 3)))",
      "(event \"e\" (at (mm 1)) (stop))",
      "(event \"e\" (every (kg 1)) (stop))",
      "(motor \"m\" \"q\" (force (mm -1) 1))",
      "(dh 0 (mm 3) 0 \"t\")",
  };
  for (const char* form : forms) EXPECT_TRUE(contains(mistake(form), "is a quantity in ")) << form << "\n" << mistake(form);
}

TEST(Units, ThatContradictEachOtherAreRefused) {
  const std::vector<const char*> expressions{"(+ (mm 3) (kg 1))",
                                             "(- (mm 3) 2 (s 1))",
                                             "(sin (mm 3))",
                                             "(exp (mm 3))",
                                             "(mm (mm 3))",
                                             "(mm (deg 3))",
                                             "(+ (* (mm 3) (mm 3)) (mm 1))",
                                             "(+ (sqrt (* (mm 3) (mm 3))) (kg 1))",
                                             "(+ (pow (mm 3) 2) (mm 1))"};
  for (const char* expression : expressions) {
    const std::string told = mistake(std::string("(discrete \"x\" ") + expression + ")");
    EXPECT_TRUE(contains(told, " takes ") && contains(told, "but this is a quantity in")) << expression << "\n" << told;
  }
  EXPECT_TRUE(contains(mistake("(parameter p (+ (mm 3) (kg 1))) (discrete \"x\" p)"), "parameter \"p\": + takes"));
}

// A plain number has whatever unit is wanted; a ratio of lengths has none; (mm) of nothing is arithmetic with a mistake.
TEST(Units, OfPlainNumbersAreNotAsked) {
  sound("(system (parameter k 3) (body \"b\" (mass (* k (mm 3))) (com (+ 3 (mm 2)) (* k k) (/ (mm 3) (mm 2)))))");
  EXPECT_TRUE(contains(mistake("(discrete \"x\" (mm))"), "mm has 0 arguments; write (mm length)"));
  EXPECT_TRUE(contains(mistake("(discrete \"x\" (mm 1 2))"), "mm has 2 arguments"));
  EXPECT_TRUE(contains(mistake("(discrete \"x\" (mn 1))"), "must be a number"));
}

// Whoever called a parameter t before seconds and tonnes were words goes on reading the same.
TEST(Units, DoNotTakeNamesAwayFromParameters) {
  const MechanismBuilder builder = sound(
      "(system (parameter t 2) (parameter m 5) (tx \"q\" (mass m)) (generalized-force \"q\" (samples (0 0) (t m) ((+ t 1) "
      "0))))");
  const MechanismBuilder plain = sound("(system (tx \"q\" (mass 5)) (generalized-force \"q\" (samples (0 0) (2 5) (3 0))))");
  EXPECT_EQ(write_model(builder), write_model(plain));
}

TEST(Units, OfEnormousPowersDoNotOverflow) {
  std::string power = "(mm 1000)";
  for (int i = 0; i < 40; ++i) power = "(pow " + power + " 100)";
  EXPECT_EQ(value_of(power), 1);
}

}  // namespace
}  // namespace polhode::format
