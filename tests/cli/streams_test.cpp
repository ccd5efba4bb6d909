#include "tests/cli/shell.h"

namespace polhode::shell_test {
namespace {

TEST_F(Shell, FailsWhenItsOutputCannotBeWritten) {
  for (const std::string command : {"check", "check --json", "print", "run --time 0.1"}) {
    const Outcome full = shell("$P " + command + " $MODELS/pendulum.pol 2>&1 >/dev/full");
    EXPECT_EQ(full.status, 1) << command;
    EXPECT_NE(full.text.find("standard output"), std::string::npos) << command << ": " << full.text;
    EXPECT_EQ(shell("$P " + command + " $MODELS/pendulum.pol >&- 2>/dev/null").status, 1) << command;
  }
  EXPECT_EQ(shell("$P --help >/dev/full 2>&1").status, 1);
}

// Small outputs fail when they are flushed at the end, large ones before.
TEST_F(Shell, SaysWhyItsOutputCannotBeWritten) {
  for (const std::string command : {"check $MODELS/pendulum.pol", "--help", "generate chain --links 3000"}) {
    const Outcome full = shell("$P " + command + " 2>&1 >/dev/full");
    EXPECT_EQ(full.status, 1) << command;
    EXPECT_NE(full.text.find("No space left on device"), std::string::npos) << command << ": " << full.text;
  }
}

TEST_F(Shell, ReturnsItsStatusWhenNobodyListensToItsMessages) {
  EXPECT_EQ(shell("$P check $D/missing.pol 2>&-").status, 2);
  EXPECT_EQ(shell("$P run $MODELS/pendulum.pol --time -1 2>&-").status, 2);
  EXPECT_EQ(shell("$P check $MODELS/closed_chain_device.pol 2>&- >/dev/null").status, 0) << "its model has a mere warning";
}

TEST_F(Shell, KeepsItsSummaryOutOfTheResultWhenStandardOutputIsClosed) {
  shell("$P run $MODELS/pendulum.pol --time 0.1 --out $D/a.csv >&- 2>&-");
  shell("$P run $MODELS/pendulum.pol --time 0.1 --out $D/b.csv");
  EXPECT_EQ(read("a.csv"), read("b.csv"));
}

}  // namespace
}  // namespace polhode::shell_test
