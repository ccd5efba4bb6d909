#include "polhode/study/inspect.h"

#include <fmt/format.h>

#include "tests/study/validation.h"

namespace polhode::study {
namespace {

Inspection inspection_of(const std::string& text) { return inspect(start_of(format::read_model(text, "model.pol").mechanism)); }

// All of the second hinge's rows follow from the first; computed, they are rounding of terms that cancel.
TEST(Inspect, CountsADoorOnTwoHingesOfOneSkewLineAsOneFreedom) {
  const Inspection r = inspection_of(R"((system (body "door" (mass 1) (inertia 0.02 0.03 0.025) (com 0.2 0 0))
    (joint revolute "left hinge" ground "door" (at 0 -0.2 -0.7) (axis 0 4 3))
    (joint revolute "right hinge" ground "door" (at 0 0.2 -0.4) (axis 0 4 3)) (initial ("left hinge" 0.4 1))))");
  EXPECT_EQ(r.degrees_of_freedom, 1);
  EXPECT_EQ(r.redundant_rows(), 5);
}

// Listing 1 of Johnson & Murphey is drawn with its loops open, where two of its rows happen to depend on others. Closed, it has
// the three freedoms of seven angles and four equations.
TEST(Inspect, CountsFreedomsWhereTheLoopsAreClosed) {
  const Inspection r = inspect(tree::initial_state(load("closed_chain_device")));
  EXPECT_EQ(r.degrees_of_freedom, 3);
  EXPECT_EQ(r.redundant_rows(), 0);
}

// A row of four-bars has one freedom however long it is, and tells of its progress.
TEST(Inspect, CountsLongRowsOfLoops) {
  constexpr int n = 300;
  std::string text = "(system ";
  for (int i = 0; i <= n; ++i)
    text += fmt::format(
        "(body \"arm{0}\" (mass 1) (inertia 0.1 0.1 0.1) (pose {0} 0 0))"
        "(joint revolute \"foot{0}\" ground \"arm{0}\" (at {0} 0 0) (axis 0 1 0))",
        i);
  for (int i = 1; i <= n; ++i)
    text += fmt::format(
        "(body \"bar{0}\" (mass 1) (inertia 0.1 0.1 0.1) (pose {1} 0 1))"
        "(joint revolute \"left{0}\" \"arm{1}\" \"bar{0}\" (at {1} 0 1) (axis 0 1 0))"
        "(joint revolute \"right{0}\" \"bar{0}\" \"arm{0}\" (at {0} 0 1) (axis 0 1 0))",
        i, i - 1);
  double told = -1;
  const Inspection r = inspect(start_of(format::read_model(text + ")", "model.pol").mechanism), [&](double done) {
    EXPECT_GE(done, told);
    told = done;
  });
  EXPECT_GT(told, 0.5);
  EXPECT_EQ(r.degrees_of_freedom, 1);
  EXPECT_EQ(r.redundant_rows(), 3 * n);  // a pin in space closes a planar loop by two of its five rows
}

}  // namespace
}  // namespace polhode::study
