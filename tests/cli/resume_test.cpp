// polhode run --out FILE.h5, and --resume.
#include "polhode/format/runs/run_file.h"
#include "program.h"

namespace polhode::cli_test {
namespace {

class Resume : public Program {
 protected:
  /// A run of the double pendulum that was stopped, as a kill would, after its first second.
  std::string stopped(const std::string& method, const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments{
        "run", model("double_pendulum"), "--out", path("stopped.h5"), "--method", method, "--time", "1"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(polhode(arguments).status, 0);
    return path("stopped.h5");
  }
  static std::vector<double> numbers(const std::string& file) {
    const format::RunFile run(file);
    return run.read(0, run.rows());
  }
};

// A run of one second that goes on for another is, to rounding, a run of two: only the step that ends at one second may be cut
// short where steps do not meet it. The double pendulum from rest multiplies errors by less than 1e4 in two seconds.
TEST_F(Resume, GoesOnForAsLongAsAsked) {
  for (const std::string method : {"tree-variational", "maximal-variational"}) {
    SCOPED_TRACE(method);
    const std::string file = stopped(method, {"--track", "tip", "--every", "3"});
    EXPECT_EQ(polhode({"run", "--resume", file, "--time", "1"}).status, 0);
    EXPECT_EQ(polhode({"run", model("double_pendulum"), "--out", path("whole.h5"), "--method", method, "--time", "2", "--track",
                       "tip", "--every", "3"})
                  .status,
              0);
    const std::vector<double> resumed = numbers(file), whole = numbers(path("whole.h5"));
    ASSERT_EQ(resumed.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(resumed[i], whole[i], 1e-9);
    EXPECT_EQ(format::RunFile(file).record().time_end, 2);
  }
}

TEST_F(Resume, RefusesOptionsThatTheFileHasTheWordOn) {
  const std::string file = stopped("tree-variational");
  EXPECT_TRUE(refused(polhode({"run", model("pendulum"), "--resume", file}), {"MODEL", "--resume"}));
  EXPECT_TRUE(refused(polhode({"run", "--resume", file, "--dt", "0.1"}), {"--dt", "--resume"}));
  EXPECT_TRUE(refused(polhode({"run", "--resume", file, "--method", "tree-projected"}), {"--method"}));
  EXPECT_TRUE(refused(polhode({"run", "--resume", file, "--out", path("x.h5")}), {"--out"}));
  EXPECT_TRUE(refused(polhode({"run", "--resume", file, "--set", "a=1"}), {"--set"}));
  EXPECT_TRUE(refused(polhode({"run"}), {"MODEL", "--resume"}));
}

TEST_F(Resume, RefusesFilesThatCannotGoOn) {
  EXPECT_TRUE(refused(polhode({"run", "--resume", stopped("tree-variational")}), {"finished", "--time"}));
  EXPECT_TRUE(refused(polhode({"run", "--resume", path("none.h5")}), {"none.h5", "no such file"}));
  EXPECT_TRUE(refused(polhode({"run", "--resume", model("pendulum")}), {"not an HDF5 file"}));
}

TEST_F(Resume, TakesFilesThatTheModelNamesFromTheRunFile) {
  write("motion.csv", "0,0\n1,0.5\n2,0\n");
  const std::string pol = write("driven.pol", R"((system
    (kinematic "x" (file "motion.csv")) (tx "x" (ry "a" (tz -1 (mass 1))))))");
  EXPECT_EQ(polhode({"run", pol, "--out", path("run.h5"), "--time", "1"}).status, 0);
  EXPECT_EQ(polhode({"run", pol, "--out", path("whole.h5"), "--time", "2"}).status, 0);
  std::filesystem::remove(path("motion.csv"));
  std::filesystem::remove(pol);
  const Outcome resumed = polhode({"run", "--resume", path("run.h5"), "--time", "1"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  const std::vector<double> a = numbers(path("run.h5")), b = numbers(path("whole.h5"));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9);
}

/// Checksums find it; HDF5 must not try again for minutes whether the damage has gone.
TEST_F(Resume, OfADamagedFileEndsAtOnceAndNeverLeavesLess) {
  const std::string whole = read(stopped("tree-variational"));
  const std::size_t rows = format::RunFile(path("stopped.h5")).rows();
  for (std::size_t at = 600; at < whole.size(); at += whole.size() / 40) {
    std::string damaged = whole;
    damaged[at] = char(damaged[at] ^ 0x5a);
    const std::string file = write("damaged.h5", damaged);
    const Outcome outcome = polhode({"run", "--resume", file, "--time", "0.1", "--quiet"});
    SCOPED_TRACE(testing::Message() << "byte " << at << ": " << outcome.err);
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 1 || outcome.status == 2) << outcome.status;
    if (outcome.status == 0) {
      EXPECT_GT(format::RunFile(file).rows(), rows);
    } else {
      EXPECT_NE(outcome.err.find("damaged.h5"), std::string::npos);
    }
  }
}

TEST_F(Resume, SaysThatTheDiskIsFull) {
  std::filesystem::create_symlink("/dev/full", path("full.h5"));
  const Outcome outcome = polhode({"run", model("pendulum"), "--out", path("full.h5")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("No space left"), std::string::npos) << outcome.err;
}

TEST_F(Resume, NeverOverwritesTheModel) {
  const std::string pol = write("m.h5", R"((system (ry "a" (tz -1 (mass 1)))))");
  EXPECT_TRUE(refused(polhode({"run", pol, "--out", pol}), {"model itself"}));
}

}  // namespace
}  // namespace polhode::cli_test
