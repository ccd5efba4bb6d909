#include "program.h"

namespace polhode::cli_test {
namespace {

using RunsEvents = Program;

const char* const bounces = R"((system (tz "z" (mass 1)) (initial ("z" 1)) (discrete "n" 0)
  (event "bounce" (when "z" falls 0) (scale-speed "z" -0.8) (add-discrete "n" 1) (say "ouch"))
  (event "enough" (when (discrete "n") rises 2.5) (stop))
  (event "late" (at 100) (stop))))";

/// The third bounce of a ball that falls from 1 m and keeps 0.8 of its speed.
const double third = std::sqrt(2 / 9.81) * (1 + 2 * 0.8 + 2 * 0.64);

TEST_F(RunsEvents, UntilOneStopsTheRunWhichIsSuccess) {
  const std::string file = write("bounce.pol", bounces);
  const Outcome outcome = polhode({"run", file});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* words : {"\"bounce\" 3 times, from 0.45152", "\"enough\" once, at 1.7519", "\"late\" never", "said", "ouch",
                            "stopped by           event \"enough\" at t = 1.7519", "energy by events"})
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words << " in\n" << outcome.out;
}

TEST_F(RunsEvents, AndListsThemAsJson) {
  for (const char* method : {"tree-variational", "tree-projected"}) {
    const nlohmann::json r = json_of({"run", write("bounce.pol", bounces), "--method", method});
    EXPECT_TRUE(r["completed"]);
    EXPECT_NEAR(r["time_end"].get<double>(), third, 1e-8);  // a few windows of 1e-10 s
    ASSERT_EQ(r["events"].size(), 4u);
    EXPECT_EQ(r["events"][2]["name"], "bounce");
    EXPECT_EQ(r["events"][2]["said"], "ouch");
    EXPECT_EQ(r["events"][3]["name"], "enough");
    EXPECT_EQ(r["events"][3]["time"], r["events"][2]["time"]);
    EXPECT_EQ(r["events_left_off"], 0);
    EXPECT_EQ(r["event_counts"][0]["count"], 3);
    EXPECT_EQ(r["event_counts"][2]["count"], 0);
    // m g H (0.8^6 - 1), with speeds known to 1e-9
    EXPECT_NEAR(r["energy_by_events"].get<double>(), 9.81 * (std::pow(0.8, 6) - 1), 1e-7);
    EXPECT_NE(r["stopped_by"].get<std::string>().find("event \"enough\""), std::string::npos);
  }
}

TEST_F(RunsEvents, WritesTheStateAtTheEndToTheFile) {
  const std::string out = path("out.csv");
  json_of({"run", write("bounce.pol", bounces), "--interval", "0.5", "--out", out});
  const auto t = table(out).column("t");
  ASSERT_EQ(t.size(), 5u);  // 0, 0.5, 1, 1.5 and where it stopped
  EXPECT_NEAR(t.back(), third, 1e-8);
}

TEST_F(RunsEvents, FailsInWordsWhenTheyNeverEnd) {
  const std::string zeno =
      R"((system (tz "z" (mass 1)) (initial ("z" 1)) (event "bounce" (when "z" falls 0) (scale-speed "z" -0.5))))";
  const Outcome outcome = polhode({"run", write("zeno.pol", zeno)});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("event \"bounce\" follows itself without end"), std::string::npos) << outcome.err;
}

TEST_F(RunsEvents, PrintsThemBack) {
  const Outcome once = polhode({"print", write("bounce.pol", bounces)});
  EXPECT_NE(once.out.find("(event \"bounce\" (when \"z\" falls 0) (scale-speed \"z\" -0.8)"), std::string::npos) << once.out;
  EXPECT_EQ(polhode({"print", write("again.pol", once.out)}).out, once.out);
}

TEST_F(RunsEvents, LocksAJointByEveryMethod) {
  const std::string file = write("lock.pol", "(system (tz \"z\" (mass 1))\n  (event \"hold\" (at 0.5) (lock \"z\")))");
  for (const char* method : {"tree-variational", "maximal-variational", "tree-projected", "maximal-projected"}) {
    const Outcome outcome = polhode({"run", file, "--method", method, "--time", "1"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\"hold\" once, at 0.5 s"), std::string::npos) << outcome.out;
  }
}

}  // namespace
}  // namespace polhode::cli_test
