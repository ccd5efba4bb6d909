#include <regex>
#include "program.h"
#include "tests/support/paths.h"

namespace polhode::cli_test {
namespace {

using Check = Program;

TEST_F(Check, CountsTheDeviceOfListingOne) {
  // Seven variable frames, each a body on a joint of its own; four point constraints of one equation each.
  const nlohmann::json device = json_of({"check", model("closed_chain_device")});
  EXPECT_EQ(device["bodies"], 7);
  EXPECT_EQ(device["joints"], 7);
  EXPECT_EQ(device["coordinates"], 7);
  EXPECT_EQ(device["constraint_equations"], 4);
  EXPECT_EQ(device["loop_joints"], 0);
  EXPECT_EQ(device["coordinate_names"], nlohmann::json({"J", "H", "K", "M", "A", "C", "E"}));
}

TEST_F(Check, SaysTheSameToPeople) {
  const Outcome outcome = polhode({"check", model("closed_chain_device")});
  EXPECT_EQ(outcome.status, 0);
  std::istringstream lines(outcome.out);
  int found = 0;
  for (std::string line; std::getline(lines, line);)
    for (const auto& [label, count] : {std::pair{"bodies", 7}, {"constraint equations", 4}})
      if (line.starts_with("  " + std::string(label))) {
        EXPECT_EQ(std::stoi(line.substr(22)), count) << line;
        ++found;
      }
  EXPECT_EQ(found, 2) << outcome.out;
  EXPECT_NE(outcome.err.find("warning: \"point-constaint\""), std::string::npos) << "the paper's own spelling gets a warning";
}

TEST_F(Check, FindsAHumanoidWithThirtyFreedoms) {
  const nlohmann::json humanoid = json_of({"check", model("humanoid")});
  EXPECT_GE(humanoid["degrees_of_freedom"], 30);
}

// Two rods between the same points, one longer by 0.2: at best each is wrong by half of that.
TEST_F(Check, NamesConstraintsThatContradictEachOther) {
  const nlohmann::json r = json_of({"check", write("rods.pol", R"((system (gravity 0 0 0)
      (body "a" (mass 1)) (body "b" (mass 1) (pose 1 0 0)) (body "c" (mass 1) (pose 3 0 0))
      (rod "a" "b" 1 (name "short")) (rod "a" "b" 1.2 (name "long")) (rod "b" "c" 2)))")});
  ASSERT_EQ(r["conflicts"].size(), 2u);
  for (const auto& conflict : r["conflicts"]) EXPECT_NEAR(std::abs(conflict["left"].get<double>()), 0.1, 1e-6);
  EXPECT_EQ(r["conflicts"][0]["owner"], "rod \"short\"");
  EXPECT_EQ(r["conflicts"][0]["contradicts"], nlohmann::json({"rod \"long\""}));
  EXPECT_EQ(r["conflicts"][0]["level"], "position");
  EXPECT_EQ(r["rows"][1]["follows_from"], nlohmann::json({"rod \"short\""}));
}

TEST_F(Check, NamesSpeedsThatCannotBeBoth) {
  const nlohmann::json r = json_of({"check", write("speeds.pol", R"((system (rz "a" (mass 1 1 1 1)) (rz "b" (mass 1 1 1 1))
      (constant-speed "a" 1) (gear "a" "b" 2) (constant-coordinate "b" 0) (constant-coordinate "b" 0 (name "off") (disabled))))")});
  ASSERT_EQ(r["conflicts"].size(), 3u);
  EXPECT_EQ(r["conflicts"][0]["level"], "velocity");
  EXPECT_EQ(r["constraint_equations"], 3);
  EXPECT_EQ(r["rows"][0]["level"], "velocity");
}

TEST_F(Check, NamesInputsWithTheirValuesAndLimits) {
  const std::string driven = write("driven.pol", R"((system (ry "arm" (tz -1 (mass 1))) (input "lift" 0.5 (limits -1 1))
      (motor "drive" "arm" (input "lift")) (motor "brake" "arm")))");
  EXPECT_NE(polhode({"check", driven}).out.find("inputs                    2   (\"lift\" 0.5, \"brake\" 0)"),
            std::string::npos);
  const nlohmann::json inputs = json_of({"check", driven})["inputs"];
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0], (nlohmann::json{{"name", "lift"}, {"value", 0.5}, {"low", -1}, {"high", 1}}));
  EXPECT_TRUE(inputs[1]["low"].is_null());
}

TEST_F(Check, HasNumbersThatFitTogetherForEveryModel) {
  int models = 0;
  for (const auto& file : std::filesystem::directory_iterator(testing_support::models_folder())) {
    SCOPED_TRACE(file.path().string());
    const nlohmann::json r = json_of({"check", file.path().string()});
    EXPECT_EQ(r["model"], file.path().string());
    EXPECT_EQ(r["coordinates"], r["coordinate_names"].size());
    EXPECT_EQ(r["speeds"], r["speed_names"].size());
    EXPECT_EQ(r["constraint_equations"], r["rows"].size());
    EXPECT_EQ(r["degrees_of_freedom"].get<int>(), r["speeds"].get<int>() - r["kinematic"].get<int>() -
                                                      r["constraint_equations"].get<int>() + r["redundant"].get<int>());
    EXPECT_EQ(r["energy"].get<double>(), r["kinetic"].get<double>() + r["potential"].get<double>());
    double worst = 0;
    int redundant = 0;
    for (const auto& row : r["rows"]) {
      worst = std::max(worst, std::abs(row["error"].get<double>()));
      redundant += row["redundant"].get<bool>();
    }
    EXPECT_EQ(r["constraint_error"], worst);
    EXPECT_EQ(r["redundant"], redundant);
    EXPECT_EQ(r["conflicts"].size(), 0u);
    ++models;
  }
  EXPECT_GE(models, 10);
}

TEST_F(Check, WritesJsonEvenWhenTheFilesNameIsNotUtf8) {
  const std::string file = write("caf\xe9.pol", "(system (ry \"a\" (tz -1 (mass 1))))");
  EXPECT_EQ(json_of({"check", file})["bodies"], 1);
}

using Print = Program;

TEST_F(Print, GivesAModelThatChecksTheSame) {
  for (const auto& file : std::filesystem::directory_iterator(testing_support::models_folder())) {
    SCOPED_TRACE(file.path().string());
    const Outcome printed = polhode({"print", file.path().string()});
    ASSERT_EQ(printed.status, 0) << printed.err;
    const std::string copy = write("copy.pol", printed.out);
    nlohmann::json before = json_of({"check", file.path().string()}), after = json_of({"check", copy});
    for (const char* key : {"model", "parameters"}) before.erase(key), after.erase(key);  // numbers stand for parameters
    for (nlohmann::json* check : {&before, &after})  // equal constraints are told apart by their place in the text
      *check = nlohmann::json::parse(std::regex_replace(check->dump(), std::regex(R"( \(at \d+:\d+\))"), ""));
    EXPECT_EQ(before, after);
    EXPECT_EQ(polhode({"print", copy}).out, printed.out) << "and printing it again changes nothing";
  }
}

using Generate = Program;

TEST_F(Generate, MakesChainsThatCanBeChecked) {
  const Outcome chain = polhode({"generate", "chain", "--links", "30", "--length", "0.5", "--mass", "2"});
  ASSERT_EQ(chain.status, 0) << chain.err;
  const nlohmann::json r = json_of({"check", write("chain.pol", chain.out)});
  EXPECT_EQ(r["bodies"], 30);
  EXPECT_EQ(r["degrees_of_freedom"], 30);
  EXPECT_DOUBLE_EQ(r["mass"], 60);
  // A straight chain of 15 m at half a radian from the vertical has its centre of mass half-way along it. Thirty sums of
  // lengths round to a few 1e-15 each.
  EXPECT_NEAR(r["center_of_mass"][2], -7.5 * std::cos(0.5), 1e-12);
}

TEST_F(Generate, MakesChainsOfBallJoints) {
  const Outcome chain = polhode({"generate", "chain", "--links", "5", "--joint", "spherical"});
  ASSERT_EQ(chain.status, 0) << chain.err;
  const nlohmann::json r = json_of({"check", write("chain.pol", chain.out)});
  EXPECT_EQ(r["coordinates"], 20);
  EXPECT_EQ(r["speeds"], 15);
}

// Two links per segment and the slider, each on a joint of its own; per segment two points of a plane are held together.
TEST_F(Generate, MakesScissorLiftsWithOneFreedomWhateverTheirSize) {
  for (const int segments : {1, 2, 5, 40}) {
    const Outcome lift = polhode({"generate", "scissor-lift", "--segments", std::to_string(segments)});
    ASSERT_EQ(lift.status, 0) << lift.err;
    const nlohmann::json r = json_of({"check", write("lift.pol", lift.out)});
    EXPECT_EQ(r["bodies"], 2 * segments + 1);
    EXPECT_EQ(r["constraint_equations"], 2 * segments);
    EXPECT_EQ(r["degrees_of_freedom"], 1);
    EXPECT_LT(r["constraint_error"], 1e-13 * segments);  // a rounding or two of a metre per link
    // V = -m g L n^2 sin(angle).
    EXPECT_NEAR(r["potential"], -9.81 * segments * segments * std::sin(0.05 * 3.14159265358979323846),
                1e-12 * segments * segments);
  }
}

TEST_F(Generate, MakesTheScissorLiftOfTheModels) {
  const nlohmann::json made = json_of({"check", write("lift.pol", polhode({"generate", "scissor-lift"}).out)});
  const nlohmann::json kept = json_of({"check", model("scissor_lift")});
  for (const char* number : {"bodies", "coordinates", "constraint_equations", "degrees_of_freedom"})
    EXPECT_EQ(made[number], kept[number]) << number;
  EXPECT_NEAR(made["energy"], double(kept["energy"]), 1e-12);
}

TEST_F(Generate, MakesFourBarsWithPinsOrWithPoints) {
  const nlohmann::json pins = json_of({"check", write("bars.pol", polhode({"generate", "four-bars"}).out)});
  const nlohmann::json kept = json_of({"check", model("four_bars")});
  for (const char* number : {"bodies", "coordinates", "constraint_equations", "redundant", "degrees_of_freedom", "energy"})
    EXPECT_EQ(pins[number], kept[number]) << number;
  const Outcome many = polhode({"generate", "four-bars", "--segments", "40", "--loops", "points"});
  const nlohmann::json points = json_of({"check", write("bars.pol", many.out)});
  EXPECT_EQ(points["bodies"], 81);
  EXPECT_EQ(points["constraint_equations"], 80);
  EXPECT_EQ(points["redundant"], 0);
  EXPECT_EQ(points["degrees_of_freedom"], 1);
}

// Half of a regular polygon with 2 n sides of 0.5 m: its ends are 0.5/sin(pi/2n) apart. In space a loop of pins has five
// equations, of which three only say that a plane is a plane.
TEST_F(Generate, MakesClosedChains) {
  constexpr double pi = 3.14159265358979323846;
  for (const int links : {3, 10, 41}) {
    const std::string n = std::to_string(links);
    const Outcome pins = polhode({"generate", "closed-chain", "--links", n, "--length", "0.5", "--angle", "0"});
    ASSERT_EQ(pins.status, 0) << pins.err;
    const nlohmann::json r = json_of({"check", write("ring.pol", pins.out)});
    EXPECT_EQ(r["bodies"], links);
    EXPECT_EQ(r["loop_joints"], 1);
    EXPECT_EQ(r["constraint_equations"], 5);
    EXPECT_EQ(r["degrees_of_freedom"], links - 2);
    EXPECT_LT(r["constraint_error"], 1e-14 * links);  // a rounding or two of a few metres per link
    EXPECT_NEAR(r["center_of_mass"][0], 0.25 / std::sin(pi / (2 * links)), 1e-13 * links);
    EXPECT_LT(r["center_of_mass"][2], 0) << "it hangs";
    const Outcome balls = polhode({"generate", "closed-chain", "--links", n, "--joint", "ball"});
    ASSERT_EQ(balls.status, 0) << balls.err;
    EXPECT_EQ(json_of({"check", write("ring.pol", balls.out)})["degrees_of_freedom"], 3 * links - 3);
  }
}

TEST_F(Generate, MakesChainsOfFourBars) {
  const nlohmann::json made = json_of({"check", write("bars.pol", polhode({"generate", "four-bar-chain"}).out)});
  const nlohmann::json kept = json_of({"check", model("four_bar_chain")});
  for (const char* number : {"bodies", "coordinates", "constraint_equations", "redundant", "degrees_of_freedom"})
    EXPECT_EQ(made[number], kept[number]) << number;
  EXPECT_NEAR(made["energy"], double(kept["energy"]), 1e-11);  // of 233 J
  const Outcome many = polhode({"generate", "four-bar-chain", "--segments", "20", "--angle", "0"});
  const nlohmann::json r = json_of({"check", write("bars.pol", many.out)});
  EXPECT_EQ(r["bodies"], 80);
  EXPECT_EQ(r["degrees_of_freedom"], 40);
  EXPECT_NEAR(r["center_of_mass"][2], -0.8 * 20, 1e-12);  // half of 1.6 m a rhombus
}

TEST_F(Generate, RefusesWhatCannotBe) {
  EXPECT_TRUE(refused(polhode({"generate", "closed-chain", "--joint", "rubber"}), {"--joint", "rubber"}));
  EXPECT_TRUE(refused(polhode({"generate", "closed-chain", "--links", "0"}), {"--links"}));
  EXPECT_TRUE(refused(polhode({"generate", "four-bar-chain", "--segments", "1.5"}), {"--segments"}));
  EXPECT_TRUE(refused(polhode({"generate", "scissor-lift", "--segments", "0"}), {"--segments"}));
  EXPECT_TRUE(refused(polhode({"generate", "four-bars", "--loops", "glue"}), {"--loops", "glue"}));
  EXPECT_TRUE(refused(polhode({"generate", "chain", "--links", "0"}), {"--links"}));
  EXPECT_TRUE(refused(polhode({"generate", "chain", "--joint", "rubber"}), {"--joint", "rubber"}));
  EXPECT_TRUE(refused(polhode({"generate", "chain", "--mass", "nan"}), {"--mass"}));
  EXPECT_TRUE(refused(polhode({"generate", "chain", "--angle", "nan"}), {"nan"}));
}

// What no method can run is no good model.
TEST_F(Check, RefusesAConstraintOnAFastCoordinate) {
  const std::string file = write("fast.pol", R"((system (ry "a" (tz -1 (name "tip") (mass 1) (rx "b" (tz -1 (mass 1)))))
    (torsion-spring "b" 10 0) (fast "b") (coupler ("a" 1) ("b" -1))))");
  for (const char* command : {"check", "run"})
    EXPECT_TRUE(
        refused(polhode(command == std::string("run") ? std::vector<std::string>{"run", file, "--method", "tree-projected"}
                                                      : std::vector<std::string>{"check", file}),
                {"fast.pol:", "fast coordinate \"b\""}))
        << command;
}

}  // namespace
}  // namespace polhode::cli_test
