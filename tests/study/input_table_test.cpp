// Inputs over the time of a run, from C++.
#include "polhode/study/input_table.h"

#include "polhode/study/simulation.h"

#include "tests/study/validation.h"

namespace polhode::study {
namespace {

Mechanism cart() {
  return format::read_model(R"((system (gravity 0 0 0) (tx "x" (mass 2)) (input "a" 0.5 (limits -1 1)) (input "b" 3)
    (generalized-force "x" (* a b))))",
                            "cart.pol")
      .mechanism;
}

TEST(InputSchedule, HoldsRowsAndSaysWhereTheyEnd) {
  const Mechanism m = cart();
  const InputTable table{.names = {"b"}, .times = {1, 2, 4}, .values = {{10, 20, 40}}};
  const InputSchedule schedule(m, table, std::nullopt);
  std::vector<double> inputs{7, 7};
  for (const auto& [t, b] :
       {std::pair{0.0, 10.0}, {1.0, 10.0}, {1.9, 10.0}, {2.0, 20.0}, {3.9, 20.0}, {4.0, 40.0}, {9.0, 40.0}}) {
    schedule.put(t, inputs);
    EXPECT_EQ(inputs[0], 7) << t;  // not in the table
    EXPECT_EQ(inputs[1], b) << t;
  }
  EXPECT_EQ(schedule.next_break(0), 1);
  EXPECT_EQ(schedule.next_break(1), 2);
  EXPECT_EQ(schedule.next_break(3), 4);
  EXPECT_EQ(schedule.next_break(4), std::numeric_limits<double>::infinity());
}

TEST(InputSchedule, TakesTheMiddleOfAStepWhereItIsLinear) {
  const Mechanism m = cart();
  const InputTable table{{"b"}, {1, 2, 4}, {{10, 20, 40}}, InputTable::Between::linear};
  const InputSchedule schedule(m, table, 0.5);
  std::vector<double> inputs{0, 0};
  for (const auto& [t, b] : {std::pair{0.2, 10.0}, {1.0, 12.5}, {1.5, 17.5}, {1.75, 18.75}, {2.0, 22.5}, {4.0, 40.0}}) {
    schedule.put(t, inputs);
    EXPECT_NEAR(inputs[1], b, 1e-12) << t;  // a step from 1.75 is cut at 2
  }
}

TEST(InputTable, IsRefusedInWords) {
  const Mechanism m = cart();
  const auto why = [&](InputTable table) { return objection(m, table); };
  const auto says = [&](InputTable table, const char* words) { return why(std::move(table)).find(words) != std::string::npos; };
  EXPECT_EQ(why({}), "");
  EXPECT_EQ(why({{"a"}, {0}, {{1}}}), "");
  EXPECT_TRUE(says({{"c"}, {0}, {{1}}}, "no input \"c\""));
  EXPECT_TRUE(says({{"a", "a"}, {0}, {{1}, {1}}}, "two columns"));
  EXPECT_TRUE(says({{"a"}, {}, {{}}}, "no rows"));
  EXPECT_TRUE(says({{"a"}, {0, 0}, {{1, 2}}}, "increase"));
  EXPECT_TRUE(says({{"a"}, {0, 1}, {{1}}}, "1 values"));
  EXPECT_TRUE(says({{"a"}, {0}, {{NAN}}}, "finite"));
  EXPECT_TRUE(says({{"a", "b"}, {0}, {{1}}}, "for each name"));
}

// 1.5 a with a beyond its limit of 1 counting as 1; a step ends where a row begins, also one of error control.
TEST(InputTable, IsWhatARunReads) {
  const State start = start_of(cart());
  const InputTable table{.names = {"a"}, .times = {0, 0.3}, .values = {{5, -0.5}}};
  for (const char* method : {"tree-variational", "tree-projected", "maximal-variational", "maximal-projected"}) {
    const Outcome r = run(start, {.method = method, .time = 1, .inputs = table});
    EXPECT_NEAR(speed(r.end, "x'"), 1.5 * (0.3 - 0.5 * 0.7), 1e-9) << method;
  }
  EXPECT_THROW(Simulation(start, {.inputs = table}), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::study
