#include "program.h"
#include "tests/support/paths.h"

namespace polhode::cli_test {
namespace {

using Usage = Program;

TEST_F(Usage, HelpListsTheCommandsAndSucceeds) {
  const Outcome help = polhode({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  for (const char* command : {"check", "run", "compare", "assemble", "equilibrium", "inverse", "print", "generate"})
    EXPECT_NE(help.out.find(command), std::string::npos) << command;
}

TEST_F(Usage, HelpOfRunListsItsOptions) {
  const Outcome help = polhode({"run", "--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* option : {"--method", "--time", "--dt", "--accuracy", "--every", "--interval", "--out", "--track", "--json"})
    EXPECT_NE(help.out.find(option), std::string::npos) << option;
}

TEST_F(Usage, ACommandMustBeGiven) {
  EXPECT_TRUE(refused(polhode({}), {"command is missing", "--help"}));
  EXPECT_TRUE(refused(polhode({"generate"}), {"command is missing", "polhode generate --help"}));
}

TEST_F(Usage, UnknownCommandsAreNamedWithTheOneThatWasMeant) {
  EXPECT_TRUE(refused(polhode({"chek", model("pendulum")}), {"\"chek\"", "did you mean \"check\""}));
}

TEST_F(Usage, UnknownOptionsAreNamedWithTheOneThatWasMeant) {
  EXPECT_TRUE(
      refused(polhode({"run", model("pendulum"), "--intervall", "1"}), {"\"--intervall\"", "did you mean \"--interval\""}));
  EXPECT_TRUE(refused(polhode({"check", model("pendulum"), "--dt", "1"}), {"\"--dt\""}));
  EXPECT_TRUE(refused(polhode({"--json", "check", model("pendulum")}), {"\"--json\""}));
}

TEST_F(Usage, AModelMustBeGivenAndOnlyOne) {
  for (const char* command : {"check", "run", "compare", "assemble", "equilibrium", "print"}) {
    EXPECT_TRUE(refused(polhode({command}), {"MODEL"}));
    EXPECT_TRUE(refused(polhode({command, model("pendulum"), "another.pol"}), {"\"another.pol\""}));
  }
}

TEST_F(Usage, NumbersThatMakeNoSenseAreRefusedWithTheirOption) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"--time", "nan"},   {"--time", "-1"},   {"--time", "0"},    {"--time", "inf"}, {"--time", "ten"},
      {"--time", "1s"},    {"--time", ""},     {"--dt", "0"},      {"--dt", "-0.1"},  {"--accuracy", "2"},
      {"--accuracy", "0"}, {"--every", "0"},   {"--every", "1.5"}, {"--every", "-3"}, {"--every", "99999999999"},
      {"--interval", "0"}, {"--interval", "x"}};
  for (const auto& [option, value] : mistakes)
    EXPECT_TRUE(refused(polhode({"run", model("pendulum"), option, value}), {option, '"' + value + '"'}));
}

TEST_F(Usage, AnOptionWithoutItsValueIsNamed) {
  EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--time"}), {"--time"}));
}

TEST_F(Usage, UnknownMethodsAreNamedWithThoseThereAre) {
  EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--method", "tree-projcted"}),
                      {"tree-projcted", "did you mean \"tree-projected\""}));
}

TEST_F(Usage, FilesThatAreNoModelsAreNamed) {
  const std::string binary = write("program.pol", std::string("\x7f"
                                                              "ELF\0\0\0\1",
                                                              8));
  for (const char* command : {"check", "run", "compare", "assemble", "equilibrium", "print"}) {
    EXPECT_TRUE(refused(polhode({command, path("absent.pol")}), {"absent.pol", "no such file"}));
    EXPECT_TRUE(refused(polhode({command, testing_support::models_folder()}), {"models", "directory"}));
    EXPECT_TRUE(refused(polhode({command, binary}), {"program.pol:1:", "binary"}));
  }
}

TEST_F(Usage, MistakesInAModelAreToldWithTheirPlace) {
  const std::string file = write("typo.pol", "(system\n  (body \"rod\" (mass 1))\n  (joint revolut \"pin\" ground \"rod\"))\n");
  EXPECT_TRUE(refused(polhode({"check", file}), {"typo.pol:3:10: ", "\"revolut\"", "did you mean \"revolute\""}));
}

TEST_F(Usage, AFullDiskIsNotSuccess) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  std::filesystem::create_symlink("/dev/full", path("full.csv"));
  const Outcome outcome = polhode({"run", model("pendulum"), "--out", path("full.csv")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("full.csv"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace polhode::cli_test
