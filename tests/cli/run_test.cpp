#include "polhode/format/runs/csv.h"
#include "program.h"

namespace polhode::cli_test {
namespace {

using Runs = Program;
using Names = std::vector<std::string>;

TEST_F(Runs, SummarisesForPeople) {
  const Outcome outcome = polhode({"run", model("pendulum"), "--time", "1"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* word :
       {"tree-variational", "steps", "Newton iterations", "wall time", "energy drift", "slope", "constraint error"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word;
}

TEST_F(Runs, SummarisesAsOneJsonObject) {
  const nlohmann::json r =
      json_of({"run", model("pendulum"), "--time", "2", "--method", "tree-projected", "--accuracy", "1e-8"});
  EXPECT_EQ(r["model"], model("pendulum"));
  EXPECT_EQ(r["method"], "tree-projected");
  EXPECT_EQ(r["completed"], true);
  EXPECT_FALSE(r.contains("failure"));
  EXPECT_EQ(r["options"]["accuracy"], 1e-8);
  EXPECT_EQ(r["time_start"], 0);
  EXPECT_EQ(r["time_end"], 2);
  EXPECT_EQ(r["reports"].get<long>(), r["steps"].get<long>() + 1);  // every step, and the start
  EXPECT_EQ(r["energy_drift"].get<double>(), r["energy_end"].get<double>() - r["energy_start"].get<double>());
  EXPECT_GE(r["energy_span"].get<double>(), std::abs(r["energy_drift"].get<double>()));
  EXPECT_LE(r["smallest_step"], r["largest_step"]);
}

TEST_F(Runs, SaysNothingWhenAskedToBeQuiet) {
  const Outcome outcome = polhode({"run", model("pendulum"), "--time", "1", "--quiet"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(Runs, WritesTheColumnsThatAreDocumented) {
  const std::string out = path("out.csv");
  ASSERT_EQ(polhode({"run", model("double_pendulum"), "--time", "1", "--out", out, "--track", "tip,upper"}).status, 0);
  EXPECT_EQ(table(out).columns, (Names{"t", "shoulder", "elbow", "shoulder'", "elbow'", "kinetic", "potential", "energy",
                                       "constraint", "tip.x", "tip.y", "tip.z", "upper.x", "upper.y", "upper.z"}));

  ASSERT_EQ(polhode({"run", model("heavy_top"), "--time", "0.01", "--out", out}).status, 0);
  EXPECT_EQ(table(out).columns, (Names{"t", "tip.qw", "tip.qx", "tip.qy", "tip.qz", "tip.wx", "tip.wy", "tip.wz", "kinetic",
                                       "potential", "energy", "constraint"}));
}

TEST_F(Runs, TakesOptionsBeforeTheModelToo) {
  const Outcome outcome = polhode({"run", "--track", "tip", model("pendulum"), "--out", path("out.csv"), "--time", "1"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(Runs, ReportsTheStartEveryKthStepAndTheEnd) {
  const std::string out = path("out.csv");
  const nlohmann::json r = json_of({"run", model("pendulum"), "--time", "1", "--dt", "0.125", "--every", "3", "--out", out});
  EXPECT_EQ(r["steps"], 8);
  EXPECT_EQ(r["out"], out);
  EXPECT_EQ(table(out).column("t"), (std::vector<double>{0, 0.375, 0.75, 1}));  // multiples of 1/8 are exact
  EXPECT_EQ(r["reports"], 4);
}

TEST_F(Runs, ReportsAtIntervalsWithoutDisturbingTheSteps) {
  const std::string out = path("out.csv");
  const nlohmann::json with = json_of({"run", model("pendulum"), "--time", "2", "--interval", "0.25", "--out", out});
  const nlohmann::json without = json_of({"run", model("pendulum"), "--time", "2"});
  EXPECT_EQ(table(out).column("t"), (std::vector<double>{0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2}));
  EXPECT_EQ(with["steps"], without["steps"]);
  EXPECT_EQ(with["energy_end"], without["energy_end"]);
}

TEST_F(Runs, EndsAtTheTimeEvenWhenItIsNoMultipleOfTheInterval) {
  const std::string out = path("out.csv");
  ASSERT_EQ(polhode({"run", model("pendulum"), "--time", "1", "--interval", "0.75", "--out", out}).status, 0);
  EXPECT_EQ(table(out).column("t"), (std::vector<double>{0, 0.75, 1}));
}

TEST_F(Runs, WritesEnergiesThatAddUpAndAreKept) {
  const std::string out = path("out.csv");
  const nlohmann::json r = json_of(
      {"run", model("double_pendulum"), "--method", "tree-projected", "--time", "5", "--accuracy", "1e-10", "--out", out});
  const Table result = table(out);
  const auto kinetic = result.column("kinetic"), potential = result.column("potential"), energy = result.column("energy");
  for (std::size_t i = 0; i < energy.size(); ++i) {
    EXPECT_EQ(kinetic[i] + potential[i], energy[i]);  // numbers are written so that they read back to the same double
    EXPECT_GE(kinetic[i], 0);
    // A few hundred steps of local error 1e-10 each, in an energy whose scale is some 20 J: 1e-6 leaves a margin of ten.
    EXPECT_NEAR(energy[i], energy[0], 1e-6);
  }
  EXPECT_EQ(energy.back(), r["energy_end"]);
  EXPECT_EQ(kinetic[0], 0) << "the model starts at rest";
}

TEST_F(Runs, TracksTheTipOfAPendulumAtItsLengthFromThePin) {
  const std::string out = path("out.csv");
  ASSERT_EQ(polhode({"run", model("pendulum"), "--time", "5", "--out", out, "--track", "tip"}).status, 0);
  const Table result = table(out);
  const auto x = result.column("tip.x"), y = result.column("tip.y"), z = result.column("tip.z"), angle = result.column("pin");
  ASSERT_GT(x.size(), 10u);
  for (std::size_t i = 0; i < x.size(); ++i) {
    // One rotation of a vector of length one: errors are a few roundings.
    EXPECT_NEAR(std::hypot(x[i], z[i]), 1, 1e-14);
    EXPECT_EQ(y[i], 0);
    EXPECT_NEAR(x[i], -std::sin(angle[i]), 1e-14);  // a turn about y takes (0, 0, -1) to (-sin, 0, -cos)
  }
}

TEST_F(Runs, RefusesRowsThatHoldAccelerationsByTheirNameAndLeavesOldResults) {
  const std::string out = write("out.csv", "an earlier result");
  const std::string file = write("thrust.pol", R"((system (body "cart" (mass 1) (inertia 1 1 1))
    (joint prismatic "x" ground "cart" (at 0 0 0) (axis 1 0 0)) (constant-acceleration "x" 0.2 (name "thrust"))))");
  const Outcome outcome = polhode({"run", file, "--method", "tree-variational", "--out", out});
  EXPECT_TRUE(refused(outcome, {"thrust.pol:", "\"thrust\"", "tree-variational"}));
  EXPECT_EQ(read(out), "an earlier result") << "a run that never began must not take an old result away";
}

TEST_F(Runs, KeepsLoopsWithinTheToleranceOfTreeProjected) {
  for (const char* name : {"four_bar", "wire_pendulum", "bricard"}) {
    const nlohmann::json r = json_of({"run", model(name), "--method", "tree-projected", "--time", "1", "--accuracy", "1e-6"});
    EXPECT_TRUE(r["completed"].get<bool>()) << name;
    // A tenth of the accuracy, as the root of the mean square of the rows: the largest row may be sqrt(rows) times that.
    EXPECT_LE(r["constraint_error"].get<double>(), 1e-7 * std::sqrt(6.0)) << name;
  }
}

TEST_F(Runs, ClosesLoopsAndWritesHowWell) {
  const std::string out = path("out.csv");
  const nlohmann::json r = json_of({"run", model("four_bar"), "--time", "1", "--out", out});
  EXPECT_EQ(r["method"], "tree-variational");
  EXPECT_LE(r["constraint_error"].get<double>(), 1e-10);
  EXPECT_GT(r["newton_iterations"].get<long>(), 0);
  double largest = 0;
  for (const double h : table(out).column("constraint")) largest = std::max(largest, h);
  EXPECT_EQ(largest, r["constraint_error"].get<double>());
}

TEST_F(Runs, AssemblesTheStartAndKeepsWhatTheModelGives) {
  // Listing 1 starts with its loops open; the crank of the four-bar is given a speed that the other joints must follow.
  const Outcome device = polhode({"run", model("closed_chain_device"), "--time", "0.1"});
  EXPECT_EQ(device.status, 0);
  EXPECT_NE(device.out.find("assembled"), std::string::npos) << device.out;
  const std::string out = path("out.csv");
  ASSERT_EQ(polhode({"run", model("four_bar"), "--time", "0.1", "--out", out}).status, 0);
  EXPECT_EQ(table(out).column("A'")[0], 12);
}

TEST_F(Runs, RefusesOptionsOfAnotherMethod) {
  EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--accuracy", "1e-6"}), {"accuracy", "tree-projected"}));
  EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--method", "tree-projected", "--order", "4"}),
                      {"order", "tree-variational"}));
  EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--order", "3"}), {"order 3", "2, 4 or 6"}));
  EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--alpha", "2"}), {"--alpha: \"2\"", "between 0 and 1"}));
}

TEST_F(Runs, FailsWhenItsResultCannotBeWritten) {
  const Outcome outcome = polhode({"run", model("pendulum"), "--out", path("absent/out.csv")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("absent/out.csv"), std::string::npos) << outcome.err;
}

TEST_F(Runs, RefusesToWriteFormatsItDoesNotHave) {
  EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--out", path("out.xls")}), {"--out", "out.xls", ".csv"}));
  EXPECT_FALSE(std::filesystem::exists(path("out.xls")));
}

TEST_F(Runs, RefusesUnknownFramesWithTheOneThatWasMeant) {
  EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--out", path("out.csv"), "--track", "tipp"}),
                      {"\"tipp\"", "did you mean \"tip\""}));
  EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--track", "tip"}), {"--track", "--out"}));
}

/// A spring of frequency 10^4 rad/s under steps of 0.1 s: each step multiplies the motion by about (10^3)^6/600, so that
/// energies leave the range of doubles within a second.
const char* const too_stiff = R"((system (gravity 0 0 0)
  (body "weight" (mass 1))
  (joint prismatic "rail" ground "weight" (axis 1 0 0))
  (torsion-spring "rail" 1e8 0)
  (initial ("rail" 1))))";

TEST_F(Runs, ThatBreaksDownFailsSaysWhenAndKeepsWhatItHas) {
  const std::string out = path("out.csv");
  const Outcome outcome = polhode(
      {"run", write("stiff.pol", too_stiff), "--method", "tree-projected", "--dt", "0.1", "--time", "100", "--out", out});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("stopped at t = "), std::string::npos) << outcome.err;
  const double stopped = std::stod(outcome.err.substr(outcome.err.find("t = ") + 4));
  EXPECT_GT(stopped, 0.1);
  EXPECT_LT(stopped, 5);

  const Table result = table(out);
  const auto t = result.column("t");
  ASSERT_GE(t.size(), 2u);
  EXPECT_NEAR(t.back(), stopped, 0.1 + 1e-12) << "up to the last good step";
  for (std::size_t i = 0; i < t.size(); ++i) {
    for (const double value : result.rows[i]) EXPECT_TRUE(std::isfinite(value)) << "at t = " << t[i];
    if (i > 0) {
      EXPECT_GT(t[i], t[i - 1]) << "no state is reported twice";
    }
  }
}

TEST_F(Runs, ThatBreaksDownStillPrintsItsJson) {
  const nlohmann::json r =
      json_of({"run", write("stiff.pol", too_stiff), "--method", "tree-projected", "--dt", "0.1", "--time", "100"}, 1);
  EXPECT_EQ(r["completed"], false);
  EXPECT_TRUE(r["failure"].is_string());
  EXPECT_LT(r["time_end"], 5);
}

// The lock is that of the file that is open, whoever has it: here the test itself.
TEST_F(Runs, LeavesATableAloneThatAnotherRunIsWriting) {
  const std::string file = write("shared.csv", "t,pin\n0,1\n");
  {
    const format::FileLock other(file);
    EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--time", "0.1", "--out", file}), {"another run is writing"}));
    EXPECT_EQ(read(file), "t,pin\n0,1\n");
  }
  EXPECT_EQ(polhode({"run", model("pendulum"), "--time", "0.1", "--out", file}).status, 0);
  EXPECT_EQ(table(file).rows.size(), 11u);
}

TEST_F(Runs, TellsHowWellRollingIsKept) {
  const auto rolling = json_of({"run", model("bicycle"), "--method", "tree-projected", "--time", "0.5"});
  EXPECT_GT(rolling["velocity_error"].get<double>(), 0);
  EXPECT_LT(rolling["velocity_error"].get<double>(), 1e-6);
  EXPECT_NE(rolling["velocity_worst"].get<std::string>().find("rolling"), std::string::npos) << rolling["velocity_worst"];
  EXPECT_FALSE(json_of({"run", model("pendulum"), "--time", "0.1"}).contains("velocity_error"));
}

TEST_F(Runs, HasDisabledConstraintsByTheDefaultMethod) {
  const std::string file = write("late.pol", R"((system (ry "a" (tz -1 (name "tip") (mass 1))) (frame "nail" ground 0 0 -1)
    (point-constraint "tip" "nail" 1 0 0 (name "catch") (disabled)) (initial ("a" 0.5))
    (event "caught" (when "a" falls 0) (enable "catch"))))");
  const std::string out = path("late.csv");
  const auto summary = json_of({"run", file, "--time", "2", "--out", out});
  EXPECT_EQ(summary["method"], "tree-variational");
  const Table rows = table(out);
  EXPECT_EQ(rows.column("a").front(), 0.5) << "the start need not meet it";
  EXPECT_NEAR(rows.column("a").back(), 0, 1e-9) << "from then on it is held";
}

// The energy at the end is that of the last state, however few were reported.
TEST_F(Runs, SumsUpToTheLastState) {
  const std::string file = write("damped.pol", R"((system (ry "a" (tz -1 (mass 1))) (damping "a" 0.3) (initial ("a" 1))))");
  const double all = json_of({"run", file, "--time", "1"})["energy_end"];
  for (const std::string every : {"7", "64", "1000"})
    EXPECT_EQ(json_of({"run", file, "--time", "1", "--every", every})["energy_end"], all) << every;
}

// Steps of 1 s are far too long for a pendulum whose period is 2 s. The library says it with the names of its own options.
TEST_F(Runs, SaysWhichOptionToChangeAsTheCommandLineHasIt) {
  const std::string file = write("pendulum.pol", R"((system (ry "a" (tz -1 (mass 1))) (initial ("a" 2.5))))");
  const Outcome outcome = polhode({"run", file, "--method", "maximal-projected", "--dt", "1", "--time", "100"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("try --dt 0.25"), std::string::npos) << outcome.err;
  const std::string wheel = write("wheel.pol", R"((system (rolling-disk "disk" ground 0.2)
    (body "disk" (mass 2) (inertia 0.02 0.02 0.04) (pose 0.5 0 0.1879385241571817 (rpy 0 (deg 70) 0)))))");
  const Outcome flat = polhode({"run", wheel, "--method", "maximal-projected", "--dt", "0.004", "--time", "2"});
  EXPECT_EQ(flat.status, 1);
  EXPECT_NE(flat.err.find("try --dt 0.001."), std::string::npos) << flat.err;
}

}  // namespace
}  // namespace polhode::cli_test
