// polhode run --record, and where its columns go.
#include "polhode/format/runs/run_file.h"
#include "program.h"

namespace polhode::cli_test {
namespace {

class Record : public Program {
 protected:
  /// The engine, for one turn of its crank.
  Outcome engine(std::vector<std::string> options) const {
    options.insert(options.begin(), {"run", model("engine"), "--method", "tree-projected", "--time", "0.04", "--accuracy",
                                     "1e-9", "--max-step", "0.001"});
    return polhode(options);
  }
  /// Of the pins at the dead centre [N]: m r w^2 (1 + r/l).
  static constexpr double at_dead_centre = -822.46703342411;
};

TEST_F(Record, AnEngineGetsItsPinForcesInOneCommand) {
  const Outcome outcome = engine({"--record", "reactions", "--out", path("engine.csv")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("wrist pin.force.x: -822.467033 to 4"), std::string::npos) << outcome.out;
  const std::vector<double> force = table(path("engine.csv")).column("wrist pin.force.x");
  EXPECT_NEAR(force.front(), at_dead_centre, 1e-8);
  EXPECT_NEAR(force.back(), at_dead_centre, 1e-6);
}

TEST_F(Record, WritesTheSameColumnsToEveryFileWithTheirUnits) {
  const std::vector<std::string> what{"--record", "reactions:crank pin,gravity.power,gravity.work", "--interval", "0.01"};
  const auto with_out = [&](const std::string& file) {
    std::vector<std::string> all = what;
    all.insert(all.end(), {"--out", path(file)});
    EXPECT_EQ(engine(all).status, 0);
  };
  with_out("engine.csv");
  with_out("engine.h5");
  const Table csv = table(path("engine.csv"));
  const format::RunFile h5(path("engine.h5"));
  ASSERT_EQ(csv.columns.size(), h5.columns().size());
  for (std::size_t i = 0; i < csv.columns.size(); ++i) EXPECT_EQ(csv.columns[i], h5.columns()[i].name);
  EXPECT_EQ(csv.column("crank pin.force.x"), h5.column("crank pin.force.x"));
  EXPECT_EQ(h5.columns()[std::size_t(h5.find("crank pin.torque.y"))].unit, "N m");
  EXPECT_EQ(h5.columns()[std::size_t(h5.find("gravity.power"))].unit, "W");
  const Outcome plot = polhode({"plot", path("engine.h5"), "crank pin.force.x", "--out", path("pin.svg")});
  ASSERT_EQ(plot.status, 0) << plot.err;
  EXPECT_NE(read(path("pin.svg")).find("[N]"), std::string::npos) << "the axis has the unit";
}

TEST_F(Record, IsInTheSummaryAsJson) {
  const nlohmann::json summary =
      json_of({"run", model("engine"), "--time", "0.04", "--dt", "0.0001", "--record", "wrist pin.force.x"});
  const nlohmann::json& force = summary["recorded"]["wrist pin.force.x"];
  EXPECT_EQ(force["unit"], "N");
  EXPECT_NEAR(force["least"].get<double>(), at_dead_centre, 1e-5);
  EXPECT_EQ(summary["recorded"].size(), 1u);
}

// Also where the start had to be assembled, as a slider-crank's does.
TEST_F(Record, OfAResumedRunIsThatOfAWholeOne) {
  const auto words = [&](const std::string& file, const std::string& time) {
    return std::vector<std::string>{"run",      model("slider_crank"), "--dt",  "0.001",    "--interval", "0.0125",
                                    "--record", "reactions,work",      "--out", path(file), "--time",     time};
  };
  ASSERT_EQ(polhode(words("part.h5", "0.5")).status, 0);
  const Outcome more = polhode({"run", "--resume", path("part.h5"), "--time", "0.5"});
  ASSERT_EQ(more.status, 0) << more.err;
  ASSERT_EQ(polhode(words("whole.h5", "1")).status, 0);
  const format::RunFile resumed(path("part.h5")), one(path("whole.h5"));
  ASSERT_EQ(resumed.rows(), one.rows());
  for (const format::Column& column : one.columns()) {
    const std::vector<double> a = resumed.column(column.name), b = one.column(column.name);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-7) << column.name << " " << i;
  }
}

TEST_F(Record, RefusesWhatIsNotThereAndSuggests) {
  EXPECT_TRUE(refused(engine({"--record", "reaction"}), {"there is no quantity \"reaction\"", "did you mean \"reactions\""}));
  EXPECT_TRUE(refused(engine({"--record", "reactions:crank"}), {"there are no reactions of \"crank\"", "crank pin"}));
  EXPECT_TRUE(refused(engine({"--record", "states"}), {"the model has no states"}));
  EXPECT_TRUE(refused(engine({"--record", "a,,b"}), {"--record", "empty name"}));
}

// A pendulum at rest hangs on its pivot with its weight, whatever it is in the sweep: 9.81 m/s^2 of 1 and of 2 kg.
TEST_F(Record, SweepsMeasureWhatRunsRecord) {
  const std::string hanging = write("hanging.pol", R"((system (parameter "m" 1)
    (body "bob" (mass m) (inertia 1 1 1) (pose 0 0 -1)) (joint revolute "pin" ground "bob" (at 0 0 0) (axis 0 1 0))))");
  const nlohmann::json sweep = json_of(
      {"sweep", hanging, "--vary", "m=1,2", "--time", "0.1", "--measure", "pin.force.z:max", "--measure", "gravity.work"});
  ASSERT_EQ(sweep["rows"].size(), 2u);
  EXPECT_NEAR(sweep["rows"][0]["pin.force.z:max"].get<double>(), 9.81, 1e-12);
  EXPECT_NEAR(sweep["rows"][1]["pin.force.z:max"].get<double>(), 19.62, 1e-12);
}

}  // namespace
}  // namespace polhode::cli_test
