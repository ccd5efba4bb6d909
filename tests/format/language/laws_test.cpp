#include <fmt/format.h>

#include "polhode/format/language/writer.h"
#include "tests/format/language/reading.h"

/// Laws and states in the model language.
namespace polhode::format {
namespace {

const char* const arm = R"((system (parameter k 50) (ry "shoulder" (tz -1 (name "tip") (mass 1) (ry "knee" (tz -1 (mass 1)))))
  (input "throttle" 0.5) (discrete "gear" 2) (state "a" 0.1 (rate (- throttle a))) )";

std::string with(const std::string& forms) { return arm + forms + ")"; }

/// The value of a law on "knee" at shoulder = 0.7, knee = 0.4 with speeds 1.5 and 2, at t = 3.
double value_of(const std::string& law) {
  const Mechanism m = read_model(with("(generalized-force \"knee\" " + law + ")"), "m.pol").mechanism;
  const std::vector<double> q{0.7, 0.4}, u{1.5, 2};
  const auto& forces = m.forces().of<LawForce>();
  EXPECT_EQ(forces.size(), 1u) << law;
  return forces.empty() ? NAN : forces[0].loads[0].law.evaluate<double>(m.initial_now(3), q, u);
}

TEST(LawForms, NameWhatChangesInArithmetic) {
  EXPECT_EQ(value_of("(- (* -50 (- knee 0.3)) (* 2 knee'))"), -50 * (0.4 - 0.3) - 2 * 2);
  EXPECT_EQ(value_of("(* k \"knee\" (coordinate \"shoulder\") (speed \"shoulder\"))"), 50 * 0.4 * 0.7 * 1.5);
  EXPECT_EQ(value_of("throttle"), 0.5);
  EXPECT_EQ(value_of("(+ throttle (* gear a) (state a) (discrete gear) (input throttle) time)"),
            0.5 + 2 * 0.1 + 0.1 + 2 + 0.5 + 3);
  EXPECT_EQ(value_of("(+ (parameter k) (time) (speed \"knee'\"))"), 50.0 + 3 + 2);
  EXPECT_EQ(value_of("(deg (* 180 knee))"), 180 * 0.4 * (3.14159265358979323846 / 180));
}

TEST(LawForms, HaveLimitsBranchesTablesAndSignals) {
  EXPECT_EQ(value_of("(min 3 knee' 7)"), 2);
  EXPECT_EQ(value_of("(max (- knee) -1 -2)"), -0.4);
  EXPECT_EQ(value_of("(clamp (* 100 knee) -5 5)"), 5);
  EXPECT_EQ(value_of("(if (< knee shoulder) 1 2)"), 1);
  EXPECT_EQ(value_of("(if (> knee shoulder) 1 2)"), 2);
  EXPECT_EQ(value_of("(if (<= knee knee) 1 (sqrt (- knee)))"), 1);
  EXPECT_EQ(value_of("(if (>= knee shoulder) 1 2)"), 2);
  EXPECT_EQ(value_of("(lookup knee (0 1) (1 3) (linear))"), 1 + 2 * 0.4);
  EXPECT_EQ(value_of("(lookup (* 0 knee) (0 1) (1 3) (2 3))"), 1);
  EXPECT_EQ(value_of("(* knee (polynomial 0 2))"), 0.4 * 6);
  EXPECT_EQ(value_of("(sum knee (sine 0 1) (product 2 knee'))"), 0.4 + 4);
  EXPECT_EQ(value_of("(+ knee (samples (0 1) (2 5) (4 7) (hold)))"), 0.4 + 5);
}

TEST(LawForms, StayNumbersAndSignalsWhereNothingElseIsNamed) {
  const auto forces = sound(with(R"((generalized-force "knee" (* k 2)) (generalized-force "knee" (sine 1 2))
    (force "tip" 1 k 3) (frame-wrench "tip" (force (sine 1 2) 0 0)))"))
                          .forces();
  EXPECT_EQ(std::get<CoordinateForceSpec>(forces[0].model).value, 100);
  EXPECT_TRUE(std::holds_alternative<CoordinateInputSpec>(forces[1].model));
  EXPECT_EQ(std::get<BodyForceSpec>(forces[2].model).force.y, 50);
  EXPECT_TRUE(std::holds_alternative<FrameWrenchSpec>(forces[3].model));
}

TEST(LawForms, ComeBackAsTheyWereWritten) {
  const std::string text = write_model(sound(with(R"(
    (generalized-force "knee" (- (* -50 (- knee 0.3)) (* 2 knee') time))
    (generalized-force "knee" (if (< knee 0) (lookup knee' (0 1) (1 2) (linear)) (lookup knee (0 1) (1 2))))
    (force "tip" (world throttle 0 (abs knee))) (torque "tip" 0 (* 2 "knee'") 1)
    (wrench "tip" (force 1 2 3) (torque (state a) 0 0))
    (frame-wrench "tip" (force knee 0 (sine 1 2 0 0)) (torque 0 0 1) (hybrid))
    (motor "m" "knee" (gear 3) (force (- -5 knee') (- 5 knee')))
    (state "b" 0 (rate (/ (- a b) (max 0.01 (* 0.1 (exp b)) (atan2 a b))))))")));
  EXPECT_EQ(write_model(sound(text)), text);
  EXPECT_TRUE(contains(text, "(- (* -50 (- \"knee\" 0.3)) (* 2 \"knee'\") time)")) << text;
  EXPECT_TRUE(contains(text, "(state \"a\" 0.1 (rate (- \"throttle\" \"a\")))")) << text;
  EXPECT_TRUE(contains(text, "(motor \"m\" \"knee\" (gear 3) (force (- -5 \"knee'\") (- 5 \"knee'\")))")) << text;
  EXPECT_EQ(error_of(text), "");
}

TEST(LawForms, TellWhatIsWrongWithThem) {
  const auto error = [](const std::string& law) { return error_of(with("(generalized-force \"knee\" " + law + ")")); };
  EXPECT_TRUE(contains(error("(* 2 kneee)"),
                       "there is no coordinate, speed, input, state, discrete variable or parameter "
                       "\"kneee\"; did you mean \"knee\"?"))
      << error("(* 2 kneee)");
  EXPECT_TRUE(contains(error("(* 2 (coordinate throttle))"), "coordinate \"throttle\" is not defined"));
  EXPECT_TRUE(contains(error("(* 2 (state knee))"), "there is no state \"knee\""));
  EXPECT_TRUE(contains(error("(* knee (sinh knee))"), "there is no operation \"sinh\"; did you mean \"sin\"?"));
  EXPECT_TRUE(contains(error("(* knee ())"), "arithmetic is expected here"));
  EXPECT_TRUE(contains(error("(clamp knee 1)"), "clamp has 2 arguments; write (clamp x low high)"));
  EXPECT_TRUE(contains(error("(if knee 1 2)"), "if needs a comparison"));
  EXPECT_TRUE(contains(error("(if)"), "if needs a comparison"));
  EXPECT_TRUE(contains(error("(if (< knee 1) 2)"), "if has 1 branches"));
  EXPECT_TRUE(contains(error("(lookup)"), "there is no argument"));
  EXPECT_TRUE(contains(error("(lookup knee (0 1))"), "two points or more"));
  EXPECT_TRUE(contains(error("(lookup knee (0 1) (0 2))"), "must increase"));
  EXPECT_TRUE(contains(error("(lookup knee (0 1) (1 two))"), "there is no parameter"));
  EXPECT_TRUE(contains(error("(* knee (/ 1 (- 2 2)))"), "not a finite number"));
  EXPECT_TRUE(contains(error("(* knee (sqrt (min -1 -2)))"), "not a finite number"));
  EXPECT_TRUE(contains(error("(time 3)"), "(time)"));
  EXPECT_TRUE(contains(error("(+ knee (parameter knee))"), "knee"));
  std::string deep = "knee";
  for (int i = 0; i < 200; ++i) deep = "(sin " + deep + ")";
  EXPECT_TRUE(contains(error(deep), "nested more than 100 deep"));
  std::string wide = "(+";
  for (int i = 0; i < 600; ++i) wide += fmt::format(" (* knee {})", i);
  EXPECT_TRUE(contains(error(wide + ")"), "more than 500 operations"));
}

// A word that could be two things is nobody's guess.
TEST(LawForms, SayWhichOfTwoMeaningsIsMeant) {
  const auto error = [](const std::string& forms) { return error_of(with(forms)); };
  const char* const drive = R"((input "knee") (generalized-force "shoulder" (* 2 "knee")))";
  EXPECT_TRUE(
      contains(error(drive), "\"knee\" may be a coordinate or an input; write (coordinate \"knee\") or (input \"knee\")"))
      << error(drive);
  EXPECT_EQ(error(R"((input "knee") (generalized-force "shoulder" (+ (coordinate "knee") (input knee))))"), "");
  const char* const length = R"((parameter knee 3) (generalized-force "shoulder" (* throttle knee)))";
  EXPECT_TRUE(contains(error(length), "\"knee\" may be a parameter or a coordinate; write (parameter \"knee\")"))
      << error(length);
  const char* const clock = R"((parameter time 3) (generalized-force "shoulder" (* throttle time)))";
  EXPECT_TRUE(contains(error(clock), "\"time\" may be the time or a parameter")) << error(clock);
}

TEST(StateForms, AreCheckedAsAllFormsAre) {
  const auto error = [](const std::string& forms) { return error_of(with(forms)); };
  EXPECT_TRUE(contains(error("(state)"), "name is missing"));
  EXPECT_TRUE(contains(error("(state \"b\" 0)"), "it has no rate"));
  EXPECT_TRUE(contains(error("(state \"b\" 0 (rate))"), "value is missing"));
  EXPECT_TRUE(contains(error("(state \"b\" 0 (rate 1 2))"), "2"));
  EXPECT_TRUE(contains(error("(state \"a\" 0 (rate 1))"), "state \"a\" is already defined"));
  EXPECT_TRUE(contains(error("(state \"b\" 0 (rate (- c b)))"), "there is no"));
  EXPECT_EQ(error("(state \"b\" 0 (rate 1))"), "");
}

TEST(SignalForms, HoldValuesUntilTheNextPoint) {
  const auto forces = sound(with(R"((generalized-force "knee" (samples (1 5) (2 -3) (4 8) (hold))))")).forces();
  const Signal& held = std::get<CoordinateInputSpec>(forces[0].model).signal;
  for (const auto& [t, x] : {std::pair{0.0, 5.0}, {1.0, 5.0}, {1.999, 5.0}, {2.0, -3.0}, {3.5, -3.0}, {4.0, 8.0}, {9.0, 8.0}})
    EXPECT_EQ(held.value(t), x) << t;
  std::vector<double> breaks;
  held.add_breaks(breaks);
  EXPECT_EQ(breaks, (std::vector<double>{1, 2, 4}));
  EXPECT_TRUE(contains(error_of(with(R"((kinematic "knee" (samples (0 0) (1 2) (hold))))")), "cannot jump"));
  EXPECT_TRUE(contains(error_of(with(R"((generalized-force "knee" (samples (0 0) (1 2) (hold) (clamped))))")), "two ways"));
}

}  // namespace
}  // namespace polhode::format
