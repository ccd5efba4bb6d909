#include <algorithm>
#include <cctype>

#include "polhode/format/language/limits.h"
#include "tests/cli/shell.h"

namespace polhode::shell_test {
namespace {

const std::string pendulum = R"((system (ry "a" (tz -1 (name "tip") (mass 1))) (initial ("a" 1))))";

TEST_F(Shell, RefusesToWriteItsResultOverTheModel) {
  write("model.csv", pendulum);
  EXPECT_EQ(shell("cd $D && $P run model.csv --out ./model.csv 2>&1").status, 2);
  EXPECT_EQ(shell("cd $D && ln -s model.csv other.csv && $P run model.csv --out other.csv 2>&1").status, 2);
  EXPECT_EQ(read("model.csv"), pendulum);
}

TEST_F(Shell, RefusesOptionsThatItWouldOtherwiseIgnore) {
  write("a.pol", pendulum);
  for (const std::string options : {"--out ''", "--dt 0.1 --accuracy 1e-9", "--every 2 --interval 0.1",
                                    "--out $D/x.csv --track tip,tip", "--interval 1e-300", "--dt 1e-300"})
    EXPECT_EQ(shell("timeout 20 $P run $D/a.pol --time 1 " + options + " 2>&1").status, 2) << options;
  EXPECT_FALSE(std::filesystem::exists(path("x.csv")));
}

TEST_F(Shell, SaysWhyAResultCannotBeWritten) {
  write("a.pol", pendulum);
  std::filesystem::create_directory(path("folder.csv"));
  const Outcome outcome = shell("$P run $D/a.pol --out $D/folder.csv 2>&1");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.text.find("directory"), std::string::npos) << outcome.text;
}

TEST_F(Shell, PrintsJsonForFilesWhoseNamesAreNotUtf8) {
  write("\xFF.pol", pendulum);
  for (const std::string command : {"check", "run --time 0.1"}) {
    const Outcome outcome = shell("$P " + command + " --json $D/*.pol");
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_NE(outcome.text.find("\xEF\xBF\xBD.pol"), std::string::npos) << outcome.text;
  }
}

TEST_F(Shell, ChecksNoModelWhoseStartIsNoNumber) {
  const std::string body = R"((body "b" (mass 1) (inertia 1 1 1)))";
  for (const std::string& model : {
           std::string(R"((body "b" (mass 1) (inertia 1 1 1) (com 1e200 0 0)))"),
           std::string(R"((body "b" (mass 1) (inertia 1 1 1) (pose 1e308 1e308 1e308)))"),
           body + R"((joint prismatic "j" ground "b" (axis 1 0 0)) (initial ("j" 0 1e200)))",
           body + R"((velocity "b" (angular 1e300 0 0)))",
       }) {
    write("a.pol", "(system " + model + ")");
    const Outcome outcome = shell("$P check $D/a.pol 2>&1");
    EXPECT_EQ(outcome.status, 2) << model << outcome.text;
    EXPECT_NE(outcome.text.find("a.pol:1:9: body \"b\""), std::string::npos) << outcome.text;
  }
}

/// Lists and words, as the reader counts them; the names in a generated chain have no blanks.
std::size_t count_nodes(const std::string& text) {
  std::size_t nodes = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool word = std::isspace(static_cast<unsigned char>(c)) == 0 && c != '(' && c != ')';
    nodes += (word && !in_word) || c == '(' ? 1 : 0;
    in_word = word;
  }
  return nodes;
}

TEST_F(Shell, ReadsTheLongestChainThatItGenerates) {
  for (const std::string joint : {"revolute", "spherical"}) {
    const auto nodes = [&](const std::string& links) {
      return count_nodes(shell("$P generate chain --joint " + joint + " --links " + links).text);
    };
    const std::size_t per_hundred = nodes("200") - nodes("100");
    EXPECT_LT(1000 * per_hundred + 1000, format::max_nodes) << joint << " joints, 100000 links";
  }
}

}  // namespace
}  // namespace polhode::shell_test
