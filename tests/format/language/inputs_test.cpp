#include "polhode/format/language/writer.h"
#include "tests/format/language/reading.h"

/// Inputs and motors in the model language.
namespace polhode::format {
namespace {

const char* const cart = "(system (tx \"x\" (mass 1)) ";

std::string with(const std::string& forms) { return cart + forms + ")"; }

TEST(InputForms, HaveDefaultsAndLimitsIfWanted) {
  const auto inputs = sound(with(R"((parameter "half" 0.5) (input "a") (input "b" half) (input "c" (limits -1 1))
    (input "d" (/ 1 4) (limits 0 half)) (input "e" (deg 180)))"))
                          .inputs();
  ASSERT_EQ(inputs.size(), 5u);
  EXPECT_EQ(inputs[0].initial, 0);
  EXPECT_EQ(inputs[0].limits, Range{});
  EXPECT_EQ(inputs[1].initial, 0.5);
  EXPECT_EQ(inputs[2].initial, 0);
  EXPECT_EQ(inputs[2].limits, (Range{-1, 1}));
  EXPECT_EQ(inputs[3].initial, 0.25);
  EXPECT_EQ(inputs[3].limits, (Range{0, 0.5}));
  EXPECT_NEAR(inputs[4].initial, 3.141592653589793, 1e-15);
}

TEST(MotorForms, HaveGearLimitsAndInputIfWanted) {
  const auto forces = sound(with(R"((motor "m" "x") (motor "n" "x'" (input "m") (force -5 7.5) (gear 30)))")).forces();
  ASSERT_EQ(forces.size(), 2u);
  const auto& plain = std::get<MotorSpec>(forces[0].model);
  EXPECT_EQ(plain.name, "m");
  EXPECT_EQ(plain.coordinate, "x");
  EXPECT_EQ(plain.gear, 1);
  EXPECT_EQ(plain.range, Range{});
  EXPECT_EQ(plain.input, "");
  const auto& full = std::get<MotorSpec>(forces[1].model);
  EXPECT_EQ(full.coordinate, "x'");
  EXPECT_EQ(full.gear, 30);
  EXPECT_EQ(full.range, (Range{-5, 7.5}));
  EXPECT_EQ(full.input, "m");
}

TEST(InputForms, ComeBackAsTheyWereWritten) {
  const std::string text = write_model(sound(with(R"((motor "m" "x") (motor "n" "x" (gear -0.3) (force -5 7.5) (input "i"))
    (input "i" 0.1 (limits -1 1)) (input "j" 3) (input "k" (limits 0 2)))")));
  EXPECT_TRUE(contains(text, R"((motor "m" "x"))")) << text;
  EXPECT_TRUE(contains(text, R"((motor "n" "x" (gear -0.3) (force -5 7.5) (input "i")))")) << text;
  EXPECT_TRUE(contains(text, R"((input "i" 0.1 (limits -1 1)))")) << text;
  EXPECT_TRUE(contains(text, R"((input "j" 3))")) << text;
  EXPECT_TRUE(contains(text, R"((input "k" (limits 0 2)))")) << text;
  EXPECT_EQ(write_model(sound(text)), text);
}

// In code a range may be open at one end.
TEST(InputForms, HaveWordsForOneLimitAlone) {
  MechanismBuilder builder = sound(with(""));
  builder.add_force({MotorSpec{.name = "m", .coordinate = "x", .range = {.high = 2}}});
  const std::string text = write_model(builder);
  EXPECT_EQ(std::get<MotorSpec>(sound(text).forces()[0].model).range.high, 2);
  EXPECT_EQ(write_model(sound(text)), text);
}

/// The first problem of a model that has one form too many.
std::string problem_of(const std::string& form) { return error_of(with(form)); }

TEST(InputForms, ThatAreWrongAreToldWithWhatToWrite) {
  for (const auto& [form, words] : std::vector<std::pair<const char*, const char*>>{
           {"(input)", "(input \"name\" [default] [(limits low high)])"},
           {"(input \"a\" 1 2)", "the number 2 is not expected here"},
           {"(input \"a\" (limits 1))", "input \"a\": limits: upper limit is missing; write (limits low high)"},
           {"(input \"a\" (limits 2 1))", "limits 2 and 1 are the wrong way round"},
           {"(input \"a\" (limit 1 2))", "there is no option \"limit\" here; did you mean \"limits\"?"},
           {"(motor \"m\")",
            "motor \"m\": coordinate is missing; write (motor \"name\" \"coordinate\" [(gear x)] [(force low high)]"},
           {"(motor \"m\" \"y\")", "\"y\" is not defined"},
           {"(motor \"m\" \"x\" (gear))", "motor \"m\": gear: gear is missing; write (gear x)"},
           {"(motor \"m\" \"x\" (force 5))", "motor \"m\": force: upper limit is missing; write (force low high)"},
           {"(motor \"m\" \"x\" (input \"thr\")) (input \"throttle\")", "input \"thr\" is not defined"},
           {"(motor \"m\" \"x\") (input \"m\")", "would bring an input of its own name"},
       }) {
    const std::string error = problem_of(form);
    EXPECT_TRUE(contains(error, words)) << form << ":\n" << error;
    EXPECT_EQ(error.substr(0, 8), "m.pol:1:") << error;
  }
}

}  // namespace
}  // namespace polhode::format
