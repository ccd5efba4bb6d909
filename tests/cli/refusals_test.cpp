#include "program.h"

namespace polhode::cli_test {
namespace {

using Refusals = Program;
using Sweeps = Program;

TEST_F(Refusals, RefusesNumbersThatTheModelLanguageWouldNotRead) {
  const std::string file = write("par.pol", "(system (parameter \"length\" 1) (ry \"a\" (tz length (name \"tip\") (mass 1))))");
  EXPECT_EQ(polhode({"check", file, "--set", "length=2e1"}).status, 0);
  for (const char* text : {"0x10", "inf", "nan", "", "1 "}) {
    const Outcome outcome = polhode({"check", file, "--set", std::string("length=") + text});
    EXPECT_NE(outcome.status, 0) << text;
    EXPECT_NE(outcome.err.find("length"), std::string::npos) << outcome.err;
  }
}

TEST_F(Refusals, RefusesTargetsOutOfReachOfNumbers) {
  const std::string file = write("arm.pol", "(system (ry \"a\" (tz -1 (name \"tip\") (mass 1))))");
  for (const char* target : {"tip=1e300,0,0", "tip=inf,0,0"}) {
    const Outcome outcome = polhode({"assemble", file, "--target", target});
    EXPECT_NE(outcome.status, 0) << target;
    EXPECT_NE(outcome.err.find("--target"), std::string::npos) << outcome.err;
  }
}

TEST_F(Refusals, RefusesAMeasureThatIsGivenTwice) {
  const std::string file = write("par.pol", "(system (parameter \"m\" 1) (tz \"z\" (mass m)))");
  const Outcome outcome =
      polhode({"sweep", file, "--vary", "m=1,2", "--time", "0.1", "--measure", "z:max", "--measure", "z:max"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("given twice"), std::string::npos) << outcome.err;
}

TEST_F(Refusals, NamesTheLogarithmOfZero) {
  const Outcome outcome = polhode({"check", write("log.pol", "(system (parameter \"x\" (log 0)) (tz \"z\" (mass x)))")});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("(log 0)"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("zero has no logarithm"), std::string::npos) << outcome.err;
}

TEST_F(Refusals, RefusesToRunAccelerationsThatContradictEachOther) {
  const Outcome outcome = polhode({"run",
                                   write("both.pol",
                                         "(system (gravity 0 0 0) (tx \"x\" (mass 1))"
                                         " (constant-acceleration \"x\" 1) (constant-acceleration \"x\" 2))"),
                                   "--method", "tree-projected"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("contradicts"), std::string::npos) << outcome.err;
}

TEST_F(Refusals, RefusesMotionsWithValuesThatAreNoNumbers) {
  const std::string file = write("slide.pol", "(system (tx \"x\" (mass 1)))");
  const Outcome outcome = polhode({"inverse", file, write("nan.csv", "t,x\n0,0\n0.1,nan\n0.2,0\n")});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("\"nan\" is not a finite number"), std::string::npos) << outcome.err;
}

// 0.2 s after the start the body is 2e151 m away, which is 2e161 times the noise: its square is no number.
TEST_F(Refusals, OfFitsWhoseResidualsAreNoNumbers) {
  const std::string file = write("far.pol",
                                 "(system (gravity 0 0 0) (parameter \"k\" 1) (tx \"x\" (mass 1))"
                                 " (generalized-force \"x\" (* 1e153 k)))");
  const std::string data = write("data.csv", "t,x\n0,0\n0.1,1\n0.2,2\n");
  const Outcome outcome = polhode({"fit", file, data, "--parameter", "k", "--column", "x=1e-10"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("residuals"), std::string::npos) << outcome.err;
}

// The start of a swept speed is the sweep's, whatever (velocity ...) says of the body.
TEST_F(Sweeps, GiveSpeedsThatWinOverVelocitiesOfBodies) {
  const std::string file = write("rod.pol", R"((system (gravity 0 0 0) (body "rod" (mass 1) (inertia 1 1 1))
    (joint revolute "pin" ground "rod" (at 0 0 0) (axis 0 1 0)) (velocity "rod" (angular 0 2 0))))");
  const nlohmann::json r = json_of({"sweep", file, "--vary", "pin'=3,4", "--time", "0.1", "--measure", "pin'"});
  ASSERT_EQ(r["rows"].size(), 2u);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(r["rows"][std::size_t(i)]["pin':final"].get<double>(), 3 + i, 1e-12);
}

}  // namespace
}  // namespace polhode::cli_test
