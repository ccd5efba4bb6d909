#include "tests/cli/program.h"

namespace polhode::cli_test {
namespace {

class DesignCommand : public Program {
 protected:
  std::string model_ = model("spring_damper");
  std::vector<std::string> design(const std::vector<std::string>& more) const {
    std::vector<std::string> all{"design", model_, "--parameter", "damping=1:40", "--time", "4"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(DesignCommand, TellsOptionsWithWhichRunRepeatsTheBestToTheLastBit) {
  const std::string out = path("tries.csv");
  const auto r = json_of(design({"--minimize", "x:final", "--subject-to", "x:min >= -0.05", "--out", out}));
  EXPECT_TRUE(r["converged"]);
  const std::string set = r["set"];
  ASSERT_EQ(set.substr(0, 14), "--set damping=");
  const std::string motion = path("run.csv");
  ASSERT_EQ(polhode({"run", model_, "--time", "4", "--set", set.substr(6), "--out", motion, "--quiet"}).status, 0);
  const std::vector<double> x = table(motion).column("x");
  EXPECT_EQ(x.back(), r["best"].get<double>());
  EXPECT_EQ(*std::min_element(x.begin(), x.end()), r["limits"][0]["measured"].get<double>());
  std::istringstream rows(read(out));
  std::string line;
  std::getline(rows, line);
  EXPECT_EQ(line, "try,place,damping,x:final,limit.x:min,meets_limits,failure");
  long tries = 0;
  while (std::getline(rows, line)) ++tries;
  EXPECT_GT(tries, 10);
  EXPECT_LE(tries, r["runs"].get<long>());
}

TEST_F(DesignCommand, VariesTheStartAndSearchesFromSeveralPlaces) {
  const auto r = json_of({"design", model_, "--parameter", "x'=-8:8", "--maximize", "x:max", "--starts", "3", "--time", "1"});
  EXPECT_NEAR(r["values"][0]["value"].get<double>(), 8, 1e-6);  // the faster, the further
  EXPECT_TRUE(r["values"][0]["at_upper"]);
  EXPECT_EQ(r["starts"], 3);
  EXPECT_EQ(r["set"], "");
}

TEST_F(DesignCommand, RefusesWhatIsNoProblem) {
  EXPECT_TRUE(refused(polhode(design({})), {"nothing to aim at", "--minimize"}));
  EXPECT_TRUE(refused(polhode(design({"--minimize", "y"})), {"there is no coordinate", "\"y\""}));
  EXPECT_TRUE(refused(polhode(design({"--minimize", "x:most"})), {"\"most\""}));
  EXPECT_TRUE(refused(polhode(design({"--minimize", "x", "--maximize", "x"})), {"--minimize"}));
  EXPECT_TRUE(refused(polhode(design({"--minimize", "x", "--subject-to", "x"})), {"MEASURE <= value"}));
  EXPECT_TRUE(refused(polhode(design({"--minimize", "x", "--subject-to", "x <= nan"})), {"finite"}));
  EXPECT_TRUE(refused(polhode(design({"--minimize", "x", "--subject-to", "x <= 1", "--subject-to", "x >= 2"})),
                      {"contradict each other"}));
  EXPECT_TRUE(refused(polhode(design({"--minimize", "x", "--search", "newton"})), {"no method of design", "bobyqa"}));
  EXPECT_TRUE(
      refused(polhode({"design", model_, "--parameter", "damping=7:9", "--minimize", "x"}), {"not between its bounds"}));
  EXPECT_TRUE(refused(polhode({"design", model_, "--parameter", "damping=9:7", "--minimize", "x"}), {"leave no room"}));
  EXPECT_TRUE(refused(polhode({"design", model_, "--parameter", "dampin", "--minimize", "x"}), {"did you mean \"damping\""}));
  EXPECT_TRUE(refused(polhode({"design", model_, "--minimize", "x"}), {"--parameter"}));
  EXPECT_TRUE(refused(polhode(design({"--minimize", "x", "--max-runs", "0"})), {"whole number"}));
  EXPECT_TRUE(refused(polhode(design({"--minimize", "x", "--out", model_})), {".csv"}));
}

TEST_F(DesignCommand, FailsWhereLimitsCannotBeMet) {
  const Outcome outcome = polhode(design({"--minimize", "x", "--subject-to", "x:max <= 0.5"}));  // it starts at 1
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("no values were found that meet all limits"), std::string::npos);
  EXPECT_NE(outcome.out.find("missed by 0.5"), std::string::npos) << outcome.out;
}

class SensitivityCommand : public Program {};

// The period of the energy's integral: see DesignCommand. At first it is k x0^2/2 = 25 J, whatever the damper.
TEST_F(SensitivityCommand, GivesDerivativesAndPartsOfTheVariance) {
  const auto local = json_of({"sensitivity", model("spring_damper"), "--parameter", "stiffness", "--parameter", "damping",
                              "--measure", "energy:max", "--time", "1"});
  const auto& of = local["measures"]["energy:max"]["of"];
  EXPECT_NEAR(of["stiffness"]["derivative"].get<double>(), 0.5, 1e-9);
  EXPECT_NEAR(of["stiffness"]["elasticity"].get<double>(), 1, 1e-9);
  EXPECT_NEAR(of["damping"]["derivative"].get<double>(), 0, 1e-9);
  const std::string out = path("parts.csv");
  const auto global =
      json_of({"sensitivity", model("spring_damper"), "--random", "stiffness=uniform(40,60)", "--random", "x=normal(1,0.01)",
               "--measure", "energy:max", "--time", "0.1", "--samples", "64", "--out", out});
  const auto& parts = global["measures"]["energy:max"]["of"];
  EXPECT_GT(parts["stiffness"]["alone"]["value"].get<double>(), 0.9);
  EXPECT_EQ(global["runs"], 64 * 4);
  EXPECT_EQ(read(out).substr(0, 67), "measure,variable,first,first_low,first_high,total,total_low,total_h");
}

TEST_F(SensitivityCommand, RefusesWhatIsNoQuestion) {
  const std::string file = model("spring_damper");
  EXPECT_TRUE(refused(polhode({"sensitivity", file, "--measure", "x"}), {"nothing is changed"}));
  EXPECT_TRUE(refused(polhode({"sensitivity", file, "--parameter", "damping"}), {"--measure"}));
  EXPECT_TRUE(refused(polhode({"sensitivity", file, "--parameter", "damping=1:2", "--measure", "x"}), {"uniform(1,2)"}));
  EXPECT_TRUE(
      refused(polhode({"sensitivity", file, "--parameter", "damping", "--random", "mass=normal(1,1)", "--measure", "x"}),
              {"--parameter"}));
  EXPECT_TRUE(refused(
      polhode({"sensitivity", file, "--random", "mass=normal(2,0.1)", "--measure", "x", "--sampling", "halton"}), {"sobol"}));
  EXPECT_TRUE(
      refused(polhode({"sensitivity", file, "--parameter", "mass", "--parameter", "mass", "--measure", "x"}), {"twice"}));
}

class SampleCommand : public Program {};

TEST_F(SampleCommand, WritesOneRowPerState) {
  const std::string out = path("states.csv");
  const auto r = json_of({"sample", model("pendulum"), "--temperature", "2", "--samples", "300", "--discard", "50",
                          "--quantity", "energy", "--out", out});
  EXPECT_EQ(r["samples"], 300);
  EXPECT_TRUE(r["quantities"].contains("energy"));
  std::istringstream rows(read(out));
  std::string line;
  std::getline(rows, line);
  EXPECT_EQ(line.substr(0, 13), "sample,chain,");
  int count = 0;
  while (std::getline(rows, line)) ++count;
  EXPECT_EQ(count, 300);
}

TEST_F(SampleCommand, RefusesWithThePlaceInTheModel) {
  EXPECT_TRUE(refused(polhode({"sample", model("spring_damper"), "--temperature", "1"}),
                      {"spring_damper.pol:", "(damping ...) feeds or takes energy", "^"}));
  EXPECT_TRUE(refused(polhode({"sample", model("pendulum"), "--temperature", "-1"}), {"above 0"}));
  EXPECT_TRUE(refused(polhode({"sample", model("pendulum")}), {"--temperature"}));
  EXPECT_TRUE(refused(polhode({"sample", model("pendulum"), "--temperature", "1", "--proposal", "gibbs"}), {"metropolis"}));
  EXPECT_TRUE(refused(polhode({"sample", model("pendulum"), "--temperature", "1", "--quantity", "no"}), {"\"no\""}));
}

}  // namespace
}  // namespace polhode::cli_test
