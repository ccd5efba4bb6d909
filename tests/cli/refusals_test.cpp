#include "program.h"

namespace polhode::cli_test {
namespace {

using Refusals = Program;

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

}  // namespace
}  // namespace polhode::cli_test
