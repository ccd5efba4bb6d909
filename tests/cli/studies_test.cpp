#include "program.h"

namespace polhode::cli_test {
namespace {

using Assemble = Program;
using Equilibrium = Program;
using Inverse = Program;

const std::string arm = R"((system (ry "a" (tz -1 (mass 1) (ry "b" (tz -1 (name "tip") (mass 1)))))))";

TEST_F(Assemble, PutsAFrameOnItsTarget) {
  const std::string file = write("arm.pol", arm), out = path("new.pol");
  const nlohmann::json r = json_of({"assemble", file, "--target", "tip=0.6,0,-1.2", "--out", out});
  EXPECT_TRUE(r["assembled"]);
  EXPECT_LT(r["goal_after"], 1e-18);
  EXPECT_EQ(r["moved"].size(), 2u);
  // 0.36 + 1.44 = 2 + 2 cos(b)
  EXPECT_NEAR(std::cos(r["coordinates"]["b"].get<double>()), -0.1, 1e-9);
  const nlohmann::json again = json_of({"assemble", out});
  EXPECT_EQ(again["coordinates"], r["coordinates"]) << "the written model starts there";
}

TEST_F(Assemble, HoldsWhatIsLocked) {
  const std::string file = write("arm.pol", arm);
  const nlohmann::json r = json_of({"assemble", file, "--target", "tip=5,0,-2", "--lock", "b"});
  EXPECT_EQ(r["coordinates"]["b"], 0);
  EXPECT_NEAR(std::tan(r["coordinates"]["a"].get<double>()), -2.5, 1e-6);
}

TEST_F(Assemble, HoldsTheSpeedOfWhatIsLockedToo) {
  const std::string file = write("pair.pol", R"((system (gravity 0 0 0) (tx "x" (mass 1)) (tx "y" (mass 1))
    (coupler ("x" 1) ("y" -1)) (initial ("x" 0 1) ("y" 0 0))))");
  EXPECT_NEAR(json_of({"assemble", file})["speeds"]["y'"].get<double>(), 0.5, 1e-12);  // the nearest in kinetic energy
  const nlohmann::json r = json_of({"assemble", file, "--lock", "x"});
  EXPECT_EQ(r["speeds"]["x'"], 1);
  EXPECT_NEAR(r["speeds"]["y'"].get<double>(), 1, 1e-12);
}

TEST_F(Assemble, ListsWhatAnImpossibleLinkageMisses) {
  // The hand reaches 2; the ropes ask for 0.5 from a hook that is 3 away.
  const std::string file = write("bad.pol", R"((system (ry "a" (tz -1 (mass 1) (ry "b" (tz -1 (name "tip") (mass 1)))))
    (frame "hook" ground (pose 0 0 -3)) (wire "tip" "hook" 0.5)))");
  const Outcome outcome = polhode({"assemble", file, "--out", path("x.pol")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("wire \"tip\" \"hook\", equation 1"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("1 constraint equation"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(path("x.pol")));
  const nlohmann::json r = json_of({"assemble", file}, 1);
  EXPECT_FALSE(r["assembled"]);
  ASSERT_EQ(r["unmet"].size(), 1u);
  EXPECT_GT(std::abs(r["unmet"][0]["error"].get<double>()), 0.3);
}

TEST_F(Assemble, RefusesGoalsThatMakeNoSense) {
  const std::string file = write("arm.pol", arm);
  EXPECT_TRUE(refused(polhode({"assemble", file, "--target", "tipp=1,2,3"}), {"tipp", "did you mean \"tip\""}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--target", "tip=1,nan,3"}), {"--target", "\"nan\""}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--target", "tip=1,2"}), {"--target", "FRAME=x,y,z"}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--target", "tip=1,2,3:-1"}), {"--target", "weight"}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--target", "tip"}), {"--target", "NAME="}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--coordinate", "c=1"}), {"\"c\""}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--coordinate", "a=inf"}), {"--coordinate", "\"inf\""}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--lock", "elbow"}), {"--lock", "\"elbow\""}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--tolerance", "0"}), {"--tolerance"}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--out", "x.txt"}), {"--out", ".pol"}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--out", file}), {"--out", "lost"}));
}

TEST_F(Assemble, FollowsMarkersAndHandsTheMotionToInverse) {
  const std::string file = write("arm.pol", arm);
  std::string points = "t,tip.x,tip.y,tip.z\n";
  for (int i = 0; i <= 50; ++i) {  // a(t) = 0.5 t, b(t) = 1 + t^2 / 2
    const double t = 0.02 * i, a = 0.5 * t, b = 1 + 0.5 * t * t;
    points += i == 7 ? std::to_string(t) + ",,,\n"
                     : std::to_string(t) + ',' + std::to_string(-std::sin(a) - std::sin(a + b)) + ",0," +
                           std::to_string(-std::cos(a) - std::cos(a + b)) + '\n';
  }
  const std::string markers = write("markers.csv", points), motion = path("motion.csv");
  const nlohmann::json r = json_of({"assemble", file, "--markers", markers, "--out", motion});
  EXPECT_EQ(r["samples"], 51);
  EXPECT_LT(r["largest"], 1e-6);  // to_string writes six digits
  const Table table = this->table(motion);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"t", "a", "b", "rms", "largest", "constraint"}));
  EXPECT_NEAR(std::abs(table.column("b").back()), 1.5, 1e-5);  // the elbow may bend either way
  EXPECT_EQ(json_of({"inverse", file, motion})["samples"], 51);
}

TEST_F(Assemble, RefusesMarkersThatAreNone) {
  const std::string file = write("arm.pol", arm);
  const auto with = [&](const std::string& text) { return polhode({"assemble", file, "--markers", write("m.csv", text)}); };
  EXPECT_TRUE(refused(with("t,tipp.x,tipp.y,tipp.z\n0,1,2,3\n"), {"tipp"}));
  EXPECT_TRUE(refused(with("t,tip.x,tip.y\n0,1,2\n"), {"tip.z"}));
  EXPECT_TRUE(refused(with("t,tip.x,tip.y,tip.z,extra\n0,1,2,3,4\n"), {"extra"}));
  EXPECT_TRUE(refused(with("t,tip.x,tip.y,tip.z\n0,1,,3\n"), {"row 1"}));
  EXPECT_TRUE(refused(with("t,tip.x,tip.y,tip.z\n0,1,2,3\n0,1,2,3\n"), {"increase"}));
  EXPECT_TRUE(refused(with("t,tip.x,tip.y,tip.z\n0,1,nan,3\n"), {"nan"}));
  EXPECT_TRUE(refused(polhode({"assemble", file, "--markers", path("none.csv")}), {"none.csv"}));
}

TEST_F(Equilibrium, FindsWhereAPendulumHangs) {
  const std::string file = write("a.pol", R"((system (ry "a" (tz -2 (mass 3))) (initial ("a" 2))))");
  const nlohmann::json r = json_of({"equilibrium", file});
  EXPECT_TRUE(r["found"]);
  EXPECT_EQ(r["stability"], "stable");
  EXPECT_NEAR(r["coordinates"]["a"].get<double>(), 0, 1e-8);
  EXPECT_NEAR(r["lowest_stiffness"].get<double>(), 3 * 9.81 * 2, 1e-5);
}

TEST_F(Equilibrium, SaysThatAStoneFalls) {
  const std::string file = write("stone.pol", R"((system (body "stone" (mass 2) (inertia 1 1 1))))");
  const Outcome outcome = polhode({"equilibrium", file});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("without end"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("stone"), std::string::npos) << outcome.err;
}

TEST_F(Equilibrium, TellsTheForceThatHoldsALockedJoint) {
  const std::string file = write("a.pol", R"((system (ry "a" (tz -2 (mass 3))) (initial ("a" 0.5))))");
  const nlohmann::json r = json_of({"equilibrium", file, "--lock", "a"});
  EXPECT_NEAR(r["holding_forces"]["a'"].get<double>(), 3 * 9.81 * 2 * std::sin(0.5), 1e-9);
  EXPECT_TRUE(refused(polhode({"equilibrium", file, "--lock", "x"}), {"--lock", "\"x\""}));
}

TEST_F(Inverse, GivesTheTorqueOfARun) {
  const std::string free = write("free.pol", R"((system (ry "a" (tz -1 (mass 1)))))");
  const std::string driven = write("driven.pol", R"((system (ry "a" (tz -1 (mass 1))) (generalized-force "a" 0.7)))");
  const std::string motion = path("motion.csv"), out = path("forces.csv");
  ASSERT_EQ(polhode({"run", driven, "--method", "tree-projected", "--accuracy", "1e-10", "--time", "1", "--interval", "0.01",
                     "--out", motion})
                .status,
            0);
  ASSERT_EQ(polhode({"inverse", free, motion, "--out", out}).status, 0);
  const Table forces = table(out);
  for (const double force : forces.column("force a")) EXPECT_NEAR(force, 0.7, 1e-5);
}

TEST_F(Inverse, RefusesTablesOfAnotherModel) {
  const std::string file = write("free.pol", R"((system (ry "a" (tz -1 (mass 1)))))");
  EXPECT_TRUE(refused(polhode({"inverse", file, write("m.csv", "t,b\n0,1\n1,2\n2,3\n")}), {"\"a\""}));
  EXPECT_TRUE(refused(polhode({"inverse", file, write("m.csv", "t,a\n0,1\n1,nan\n2,3\n")}), {"line 3", "nan"}));
  EXPECT_TRUE(refused(polhode({"inverse", file, write("m.csv", "t,a\n0,1\n1,\n2,3\n")}), {"row 2", "empty"}));
  EXPECT_TRUE(refused(polhode({"inverse", file, write("m.csv", "t,a\n0,1\n2,2\n1,3\n")}), {"increase"}));
  EXPECT_TRUE(refused(polhode({"inverse", file, write("m.csv", "t,a\n0,1\n")}), {"3 are needed"}));
  EXPECT_TRUE(refused(polhode({"inverse", file, path("none.csv")}), {"none.csv"}));
  EXPECT_TRUE(refused(polhode({"inverse", file, write("m.csv", "t,a\n0,1\n1,2\n2,3\n"), "--actuators", "b"}), {"--actuators"}));
  EXPECT_TRUE(refused(polhode({"inverse", file}), {"TRAJECTORY"}));
}

// A four-bar has one freedom: what moves it is its motor, not three that share the work.
TEST_F(Inverse, AsksWhichJointsOfALoopHaveActuators) {
  const std::string motion = path("motion.csv"), bar = model("four_bar");
  ASSERT_EQ(polhode({"run", bar, "--time", "0.5", "--interval", "0.01", "--out", motion}).status, 0);
  EXPECT_TRUE(refused(polhode({"inverse", bar, motion}), {"constraint equations", "--actuators NAME", "--actuators all"}));
  EXPECT_EQ(json_of({"inverse", bar, motion, "--actuators", "all"})["samples"], 51);
  const auto names = json_of({"check", bar})["coordinate_names"];
  EXPECT_LT(json_of({"inverse", bar, motion, "--actuators", names[0]})["residual"].get<double>(), 1);
}

TEST_F(Inverse, MayHaveAnActuatorCalledAll) {
  const std::string file = write("all.pol", R"((system (ry "all" (tz -1 (mass 1) (ry "b" (tz -1 (mass 1)))))))");
  const std::string motion = path("motion.csv");
  ASSERT_EQ(polhode({"run", file, "--time", "0.1", "--out", motion}).status, 0);
  const auto forces = json_of({"inverse", file, motion, "--actuators", "all"});
  EXPECT_EQ(forces["largest_forces"]["b'"], 0) << "it is the joint of that name";
}

}  // namespace
}  // namespace polhode::cli_test
