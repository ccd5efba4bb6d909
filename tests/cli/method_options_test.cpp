// Every option of every method, by what the registry says of it: from the command line into the run, its JSON, its file, and
// back from the file with --resume.
#include "polhode/format/runs/run_file.h"
#include "polhode/study/option_list.h"
#include "program.h"

namespace polhode::cli_test {
namespace {

/// A value that is allowed and not the standard one, as text and as --json must show it.
struct Given {
  std::string text;
  nlohmann::json json;
};
Given another(const OptionField& field) {
  if (std::holds_alternative<OptionField::Named>(field.kind)) return {"x=0.125", {{"x", 0.125}}};
  if (const auto* whole = std::get_if<OptionField::Whole>(&field.kind))
    return {std::to_string(whole->allowed.back()), whole->allowed.back()};
  if (const auto* choice = std::get_if<OptionField::Choice>(&field.kind)) return {choice->allowed[1], choice->allowed[1]};
  return {"0.0009765625", 0.0009765625};  // a power of two, which no bound and no default is
}

class MethodOptions : public Program {
 protected:
  std::string wired() {
    return write("wired.pol", R"((system (tx "x" (mass 1) (tz "z" (name "bob") (mass 1 1 1 1)))
      (wire "ground" "bob" 1) (initial ("x" 0.6) ("z" 0.8))))");
  }
};

TEST_F(MethodOptions, AllReachTheRunItsFileAndItsContinuation) {
  const std::string pol = wired(), file = path("run.h5");
  for (const MethodEntry* method : study::method_registry())
    for (const OptionField& field : method->options) {
      SCOPED_TRACE(method->name + " --" + field.word());
      const Given given = another(field);
      const nlohmann::json run =
          json_of({"run", pol, "--method", method->name, "--time", "0.01", "--" + field.word(), given.text, "--out", file});
      EXPECT_EQ(run["options"][field.key()], given.json);
      std::string words;
      const auto settings = format::RunFile(file).record().settings;
      for (const auto& [name, text] : settings) words += name + '=' + text + ' ';
      EXPECT_NE(words.find(field.word()), std::string::npos) << words;
      const nlohmann::json resumed = json_of({"run", "--resume", file, "--time", "0.01"});
      EXPECT_EQ(resumed["method"], method->name);
      EXPECT_EQ(resumed["options"], run["options"]);
    }
}

TEST_F(MethodOptions, AreAllInTheHelp) {
  for (const char* command : {"run", "compare", "sweep", "fit", "view"}) {
    const Outcome help = polhode({command, "--help"});
    for (const study::ListedOption& option : study::listed_options())
      EXPECT_NE(help.out.find("--" + option.word), std::string::npos) << command << " --" << option.word;
  }
}

TEST_F(MethodOptions, ThatAreNoNumbersAreRefusedWithTheTextThatWasGiven) {
  const std::string pol = wired();
  for (const MethodEntry* method : study::method_registry())
    for (const OptionField& field : method->options) {
      const std::string word = "--" + field.word();
      EXPECT_TRUE(refused(polhode({"run", pol, "--method", method->name, word, "nonsense"}), {field.word(), "\"nonsense\""}))
          << method->name << ' ' << word;
    }
}

TEST_F(MethodOptions, OfANameAreGivenOnce) {
  const std::string pol = wired();
  EXPECT_TRUE(refused(polhode({"run", pol, "--method", "tree-projected", "--unit", "x=1", "--unit", "x=2"}), {"x", "twice"}));
  EXPECT_TRUE(refused(polhode({"run", pol, "--method", "tree-projected", "--unit", "y=1"}), {"\"y\"", "coordinate"}));
}

}  // namespace
}  // namespace polhode::cli_test
