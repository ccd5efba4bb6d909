// polhode run --inputs TABLE.
#include "polhode/format/runs/run_file.h"
#include "polhode/format/runs/table.h"
#include "program.h"

namespace polhode::cli_test {
namespace {

class InputsOverTime : public Program {
 protected:
  /// A mass of 2 kg that an input pushes with 3 N a unit.
  const std::string cart = R"((system (gravity 0 0 0) (tx "x" (mass 2)) (input "push" 0.5) (input "other")
    (generalized-force "x" (* 3 push))))";
  double end_of(const std::string& file, const std::string& column) {
    const format::Table table = format::read_table(file);
    return table.at(table.rows() - 1, table.column(column));
  }
};

// 1.5 m/s^2 times the integral of the table, in every method. Half steps: 0.25 s at 1, 0.5 s at -1, the rest at 2.
TEST_F(InputsOverTime, AreHeldFromRowToRow) {
  const std::string pol = write("cart.pol", cart), table = write("push.csv", "t,other,push\n0,9,1\n0.25,9,-1\n0.75,9,2\n");
  for (const std::string method : {"tree-variational", "tree-projected", "maximal-variational", "maximal-projected"}) {
    SCOPED_TRACE(method);
    ASSERT_EQ(polhode({"run", pol, "--inputs", table, "--method", method, "--time", "1", "--out", path("cart.csv")}).status, 0);
    EXPECT_NEAR(end_of(path("cart.csv"), "x'"), 1.5 * (0.25 - 0.5 + 0.25 * 2), 1e-9);
  }
}

// A ramp from 0 to 2 in a second: x' = 1.5 t^2, exactly, since each step has the mean of the ramp.
TEST_F(InputsOverTime, MayGoStraightFromRowToRow) {
  const std::string pol = write("cart.pol", cart), table = write("push.csv", "t,push\n0,0\n1,2\n");
  for (const std::string method : {"tree-variational", "tree-projected"}) {
    SCOPED_TRACE(method);
    ASSERT_EQ(polhode({"run", pol, "--inputs", table, "--inputs-between", "linear", "--dt", "0.01", "--method", method,
                       "--time", "1", "--out", path("cart.csv")})
                  .status,
              0);
    EXPECT_NEAR(end_of(path("cart.csv"), "x'"), 1.5, 1e-9);
  }
  EXPECT_TRUE(
      refused(polhode({"run", pol, "--inputs", table, "--inputs-between", "linear", "--method", "tree-projected"}), {"dt"}));
}

TEST_F(InputsOverTime, AreRefusedWithTheirLine) {
  const std::string pol = write("cart.pol", cart);
  const auto refusal = [&](const std::string& table, const std::vector<std::string>& words) {
    return refused(polhode({"run", pol, "--inputs", write("push.csv", table)}), words);
  };
  EXPECT_TRUE(refusal("t,pusch\n0,1\n", {"pusch", "did you mean \"push\""}));
  EXPECT_TRUE(refusal("t,push\n0,1\n0,2\n", {"increase"}));
  EXPECT_TRUE(refusal("t,push\n0,1\n1,nan\n", {"push.csv", "line 3", "nan"}));
  EXPECT_TRUE(refusal("t,push\n0,1\n1\n", {"line 3"}));
  EXPECT_TRUE(refusal("t,push\n0,1\n1,\n", {"push"}));
  EXPECT_TRUE(refusal("t,push,push\n0,1,1\n", {"push"}));
  EXPECT_TRUE(refusal("t\n0\n", {"one column"}));
  EXPECT_TRUE(refusal("", {"push.csv"}));
  EXPECT_TRUE(refused(polhode({"run", pol, "--inputs", path("none.csv")}), {"none.csv"}));
  EXPECT_TRUE(refused(polhode({"run", pol, "--inputs-between", "hold"}), {"--inputs"}));
  EXPECT_TRUE(
      refused(polhode({"run", pol, "--inputs", write("push.csv", "t,push\n0,1\n"), "--inputs-between", "cubic"}), {"cubic"}));
}

// A run of half the time that goes on is the run of the whole time.
TEST_F(InputsOverTime, AreKeptInRunFiles) {
  const std::string pol = write("cart.pol", cart), table = write("push.csv", "t,push\n0,1\n0.55,-3\n1.5,2\n");
  ASSERT_EQ(polhode({"run", pol, "--inputs", table, "--time", "1", "--out", path("part.h5")}).status, 0);
  std::remove(table.c_str());
  ASSERT_EQ(polhode({"run", "--resume", path("part.h5"), "--time", "1", "--json"}).status, 0);
  const double expected = 1.5 * (0.55 - 3 * (1.5 - 0.55) + 2 * 0.5);
  const format::RunFile run(path("part.h5"));
  const std::vector<double> last = run.read(run.rows() - 1, 1);
  EXPECT_NEAR(last[2], expected, 1e-9);  // t, x, x'
}

}  // namespace
}  // namespace polhode::cli_test
