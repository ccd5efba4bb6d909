#include <signal.h>

#include <thread>

#include "polhode/format/runs/csv.h"
#include "tests/cli/program.h"

namespace polhode::cli_test {
namespace {

const std::string pendulum =
    "(system (parameter l 1) (parameter m 2) (ry \"a\" (tz (- l) (name \"tip\") (mass m))) (initial (\"a\" 1)))";

class Sweep : public Program {
 protected:
  std::string model_ = write("p.pol", pendulum);
};

TEST_F(Sweep, SetGivesParametersOtherValuesInEveryCommand) {
  EXPECT_EQ(json_of({"check", model_})["mass"], 2);
  const auto checked = json_of({"check", model_, "--set", "m=3.5", "--set", "l=2"});
  EXPECT_EQ(checked["mass"], 3.5);
  EXPECT_EQ(checked["parameters"]["l"], 2);
  EXPECT_EQ(json_of({"run", model_, "--time", "0.1", "--set", "m=4"})["energy_start"].get<double>(),
            2 * json_of({"run", model_, "--time", "0.1"})["energy_start"].get<double>());
  const Outcome printed = polhode({"print", model_, "--set", "m=3.5"});
  EXPECT_EQ(json_of({"check", write("printed.pol", printed.out)})["mass"], 3.5);
}

TEST_F(Sweep, SetRefusesWhatIsNoParameterOrNoNumber) {
  EXPECT_TRUE(refused(polhode({"run", model_, "--set", "mm=3"}), {"there is no parameter \"mm\"", "parameters: l, m"}));
  EXPECT_TRUE(refused(polhode({"run", model_, "--set", "m"}), {"NAME=VALUE"}));
  EXPECT_TRUE(refused(polhode({"run", model_, "--set", "m=nan"}), {"finite"}));
  EXPECT_TRUE(refused(polhode({"run", model_, "--set", "m=1", "--set", "m=2"}), {"twice"}));
  EXPECT_TRUE(refused(polhode({"run", model_, "--set", "m=(+ 1 2)"}), {"finite number"}));
}

// Released from rest, a pendulum's energy is -m g l cos a; it is kept to the size of the step's square.
TEST_F(Sweep, WritesOneRowPerRunWithItsValuesAndMeasures) {
  const std::string out = path("table.csv");
  const auto summary = json_of({"sweep", model_, "--vary", "l=0.5:2:4", "--vary", "a=0.1,0.2,0.3", "--time", "1", "--measure",
                                "tip.z:min", "--measure", "a", "--out", out});
  EXPECT_EQ(summary["runs"], 12);
  EXPECT_EQ(summary["failed"], 0);
  std::ifstream file(out);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "run,l,a,completed,time,steps,energy_start,energy_end,energy_drift,constraint,tip.z:min,a:final,failure");
  int rows = 0;
  while (std::getline(file, line)) {
    std::vector<double> row;
    std::string field;
    for (std::istringstream fields(line); std::getline(fields, field, ',');)
      if (!field.empty()) row.push_back(std::stod(field));
    ASSERT_EQ(row.size(), 12u) << line;
    ++rows;
    EXPECT_EQ(row[0], rows);
    EXPECT_NEAR(row[6], -2 * 9.81 * row[1] * std::cos(row[2]), 1e-12 * 40);
    EXPECT_LE(row[10], -row[1] * std::cos(row[2]) + 1e-12);
  }
  EXPECT_EQ(rows, 12);
}

TEST_F(Sweep, LeavesATableAloneThatAnotherRunIsWriting) {
  const std::string file = write("shared.csv", "t,pin\n0,1\n"), motion = path("motion.csv");
  ASSERT_EQ(polhode({"run", model_, "--time", "0.1", "--out", motion}).status, 0);
  const format::FileLock other(file);
  for (const std::vector<std::string>& command : {std::vector<std::string>{"sweep", model_, "--vary", "l=1,2", "--time", "0.1"},
                                                  std::vector<std::string>{"inverse", model_, motion}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--out", file});
    EXPECT_TRUE(refused(polhode(arguments), {"shared.csv: another run is writing"})) << command[0];
  }
  EXPECT_EQ(read(file), "t,pin\n0,1\n");
}

/// The program as a process of its own, so that a test can send it signals.
pid_t started(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), testing_support::program_path());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawnattr_t attributes;  // tests may run where Ctrl-C is ignored, which a child would inherit
  posix_spawnattr_init(&attributes);
  sigset_t ctrl_c;
  sigemptyset(&ctrl_c), sigaddset(&ctrl_c, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &ctrl_c);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  EXPECT_EQ(posix_spawn(&child, testing_support::program_path(), nullptr, &attributes, argv.data(), environ), 0);
  posix_spawnattr_destroy(&attributes);
  return child;
}

// A sweep that would take minutes. Its file is there as soon as it can be interrupted.
TEST_F(Sweep, WritesWhatIsDoneWhenItIsInterrupted) {
  const std::string out = path("table.csv");
  const pid_t child = started({"sweep", model_, "--vary", "l=1:2:20000", "--time", "500", "--quiet", "--out", out});
  int status = 0;
  while (!std::filesystem::exists(out)) {
    ASSERT_EQ(waitpid(child, &status, WNOHANG), 0) << "ended before it began";
    std::this_thread::yield();
  }
  kill(child, SIGINT);
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "the signal ended it";
  EXPECT_EQ(WEXITSTATUS(status), 1);
  std::ifstream file(out);
  std::string line;
  std::getline(file, line);
  EXPECT_TRUE(line.starts_with("run,l,completed,")) << line;
  int rows = 0, interrupted = 0;
  for (; std::getline(file, line); ++rows) {
    const bool done = line.ends_with(',');
    interrupted += done ? 0 : 1;
    EXPECT_TRUE(done || line.find(",interrupted") != std::string::npos) << line;
  }
  EXPECT_EQ(rows, 20000);
  EXPECT_GT(interrupted, 0);
}

TEST_F(Sweep, WritesTheSameTableWithOneThreadAndWithThree) {
  const std::vector<std::string> common{
      "sweep", model_,   "--random", "l=uniform(0.5,2)", "--random",   "a'=normal(0,2)", "--samples", "20", "--seed",
      "9",     "--time", "0.5",      "--measure",        "tip.x:mean", "--quiet",        "--out"};
  std::vector<std::string> tables;
  for (const char* threads : {"1", "3"}) {
    auto arguments = common;
    arguments.insert(arguments.end(), {path(threads + std::string(".csv")), "--threads", threads});
    EXPECT_EQ(polhode(arguments).status, 0);
    tables.push_back(read(path(threads + std::string(".csv"))));
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_GT(tables[0].size(), 1000u);
}

TEST_F(Sweep, KeepsGoingWhenARunFails) {
  const auto summary = json_of({"sweep", model_, "--vary", "m=-1,0.5,1", "--time", "0.1"});
  EXPECT_EQ(summary["completed"], 2);
  EXPECT_EQ(summary["failed"], 1);
  EXPECT_FALSE(summary["rows"][0]["completed"]);
  EXPECT_NE(summary["rows"][0]["failure"].get<std::string>().find("mass"), std::string::npos);
  const Outcome all = polhode({"sweep", model_, "--vary", "m=-1,-2", "--time", "0.1"});
  EXPECT_EQ(all.status, 1);
  EXPECT_NE(all.err.find("every run failed"), std::string::npos);
}

TEST_F(Sweep, RefusesPlansThatMakeNoSense) {
  const auto sweep = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"sweep", model_});
    return polhode(more);
  };
  EXPECT_TRUE(refused(sweep({}), {"nothing is varied"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1:2:1000000000"}), {"at most 1000000"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1:2:1000", "--vary", "m=1:2:1001"}), {"1001000 runs", "at most 1000000"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=nan:2:3"}), {"finite"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1:2:0"}), {"whole number from 1"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1:2:2.5"}), {"whole number"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1:1:4"}), {"empty"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l"}), {"NAME=first:last:count"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l="}), {"NAME=first:last:count"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1,,2"}), {"finite number"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1,2", "--vary", "l=3,4"}), {"varied twice"}));
  EXPECT_TRUE(refused(sweep({"--vary", "ll=1,2"}), {"no parameter, coordinate or speed \"ll\"", "did you mean"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1,2", "--set", "l=3"}), {"varied as well"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1,2", "--samples", "5"}), {"--random"}));
  EXPECT_TRUE(refused(sweep({"--random", "l=normal(1,0.1)"}), {"--samples"}));
  EXPECT_TRUE(refused(sweep({"--random", "l=normal(1,0.1)", "--samples", "-5"}), {"--samples"}));
  EXPECT_TRUE(refused(sweep({"--random", "l=normal(1,-1)", "--samples", "5"}), {"above 0"}));
  EXPECT_TRUE(refused(sweep({"--random", "l=cauchy(1,1)", "--samples", "5"}), {"no distribution"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1,2", "--measure", "tip.w"}), {"tip.w"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1,2", "--measure", "tip.z:most"}), {"final, min, max, mean"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1,2", "--threads", "0"}), {"--threads"}));
  EXPECT_TRUE(refused(sweep({"--vary", "l=1,2", "--out", "x.txt"}), {"FILE.csv"}));
}

class FitCommand : public Sweep {};

TEST_F(FitCommand, FindsAParameterAndAStartFromARunsOwnTable) {
  const std::string data = path("data.csv"), fitted = path("fitted.pol");
  ASSERT_EQ(
      polhode({"run", model_, "--set", "l=1.25", "--time", "3", "--interval", "0.07", "--out", data, "--track", "tip"}).status,
      0);
  const auto result = json_of({"fit", model_, data, "--parameter", "l=0.5:3", "--parameter", "a", "--column", "tip.x",
                               "--column", "a=0.1", "--out", fitted});
  EXPECT_TRUE(result["converged"]);
  EXPECT_NEAR(result["values"][0]["value"].get<double>(), 1.25, 1e-6);
  EXPECT_NEAR(result["values"][1]["value"].get<double>(), 1, 1e-6);
  EXPECT_LT(result["rms_after"].get<double>(), 1e-6);
  EXPECT_EQ(result["set"].get<std::string>().substr(0, 8), "--set l=");
  EXPECT_EQ(polhode({"check", fitted}).status, 0);
}

// docs/commands.md: the fit starts from the values in the model, or those of --set.
TEST_F(FitCommand, StartsFromValuesThatSetGives) {
  const std::string data = path("data.csv");
  ASSERT_EQ(polhode({"run", model_, "--set", "l=1.3", "--time", "1", "--interval", "0.05", "--out", data}).status, 0);
  const auto fit = json_of({"fit", model_, data, "--parameter", "l", "--set", "l=1.2", "--set", "m=3"});
  EXPECT_EQ(fit["values"][0]["start"], 1.2);
  EXPECT_NEAR(fit["values"][0]["value"].get<double>(), 1.3, 1e-6);
  EXPECT_TRUE(refused(polhode({"sweep", model_, "--vary", "l=1,2", "--set", "l=1.2"}), {"varied as well"}));
}

TEST_F(FitCommand, RefusesDataThatItCannotCompare) {
  const auto fit = [&](const std::string& data, std::vector<std::string> more) {
    more.insert(more.begin(), {"fit", model_, write("data.csv", data)});
    return polhode(more);
  };
  const std::string good = "t,a\n0,1\n0.1,0.9\n0.2,0.8\n";
  EXPECT_TRUE(refused(fit(good, {}), {"--parameter"}));
  EXPECT_TRUE(refused(fit(good, {"--parameter", "k"}), {"\"k\""}));
  EXPECT_TRUE(refused(fit(good, {"--parameter", "l", "--parameter", "l"}), {"twice"}));
  EXPECT_TRUE(refused(fit(good, {"--parameter", "l=2:3"}), {"not between its bounds"}));
  EXPECT_TRUE(refused(fit(good, {"--parameter", "l=3:2"}), {"no room"}));
  EXPECT_TRUE(refused(fit(good, {"--parameter", "l", "--column", "b"}), {"there is no column \"b\"", "columns: a"}));
  EXPECT_TRUE(refused(fit(good, {"--parameter", "l", "--column", "a=-1"}), {"above 0"}));
  EXPECT_TRUE(refused(fit(good, {"--parameter", "l", "--out", "x.csv"}), {"FILE.pol"}));
  EXPECT_TRUE(refused(fit("", {"--parameter", "l"}), {"no numbers"}));
  EXPECT_TRUE(refused(fit("0,1\n1,2\n", {"--parameter", "l"}), {"must name the columns"}));
  EXPECT_TRUE(refused(fit("t,a\n0,nan\n", {"--parameter", "l"}), {"line 2", "finite"}));
  EXPECT_TRUE(refused(fit("t,a\n0\n", {"--parameter", "l"}), {"line 2 has 1 field"}));
  EXPECT_TRUE(refused(fit("t,a\n1,1\n0,1\n", {"--parameter", "l"}), {"times must increase"}));
  EXPECT_TRUE(refused(fit("t,zz\n0,1\n1,1\n", {"--parameter", "l"}), {"column \"zz\"", "--column"}));
  EXPECT_TRUE(refused(fit("t,a\n-1,1\n1,1\n", {"--parameter", "l"}), {"before the model"}));
  EXPECT_TRUE(refused(polhode({"fit", model_, path("none.csv"), "--parameter", "l"}), {"no such file"}));
}

}  // namespace
}  // namespace polhode::cli_test
