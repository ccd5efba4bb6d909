#include "polhode/study/column_names.h"

#include <gtest/gtest.h>

#include <set>

#include "polhode/format/language/model.h"
#include "polhode/study/quantity.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

Mechanism mechanism_of(const std::string& text) { return format::read_model(text, "names.pol").mechanism; }

/// A pin for each name, side by side.
std::string pins(const std::vector<std::string>& names) {
  std::string text = "(system ";
  for (const std::string& name : names) text += "(ry \"" + name + "\" (tz -1 (name \"tip of " + name + "\") (mass 1)))";
  return text + ")";
}

TEST(ColumnNames, GiveWayToBuiltInOnes) {
  const ColumnNames names(mechanism_of(pins({"t", "kinetic", "potential", "energy", "constraint", "pin"})));
  EXPECT_EQ(names.coordinates(), (std::vector<std::string>{"coordinate.t", "coordinate.kinetic", "coordinate.potential",
                                                           "coordinate.energy", "coordinate.constraint", "pin"}));
  EXPECT_EQ(names.speeds(), (std::vector<std::string>{"t'", "kinetic'", "potential'", "energy'", "constraint'", "pin'"}));
}

// Whatever a name looks like, even like one that was made for another, each stands for one column.
TEST(ColumnNames, AreDistinct) {
  const Mechanism m = mechanism_of(R"((system
    (rx "energy" (mass 1 1 1 1)
      (ry "coordinate.energy" (mass 1 1 1 1) (tx "a" (name "a") (mass 1) (ty "a.x" (name "frame.a") (mass 1)
        (tz "frame.a.x" (mass 1) (rz "a''" (mass 1 1 1 1) (name "momentum")
          (rx "speed.momentum.x" (mass 1 1 1 1)))))))))
    )");
  const ColumnNames names(m);
  std::multiset<std::string> all;
  for (const auto* list : {&names.coordinates(), &names.speeds(), &names.accelerations()})
    all.insert(list->begin(), list->end());
  for (int f = 0; f < int(m.frames().size()); ++f)
    for (int axis = 0; axis < 3; ++axis) all.insert(names.frame(f, axis));
  for (const std::string& name : all) {
    EXPECT_EQ(all.count(name), 1u) << name;
    EXPECT_FALSE(ColumnNames::is_built_in(name)) << name;
    EXPECT_TRUE(names.find(name)) << name;
  }
  EXPECT_EQ(names.find("a.x")->kind, ColumnNames::Kind::coordinate);
  EXPECT_EQ(names.find("frame.frame.a.x")->kind, ColumnNames::Kind::frame);
}

TEST(ColumnNames, SayWhichAreChangedAndWhy) {
  const Mechanism m = mechanism_of(pins({"energy", "pin"}));
  const auto notes = ColumnNames(m).notes(m, {});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0],
            "coordinate \"energy\" is the column \"coordinate.energy\", because a built-in column is called \"energy\"");
}

TEST(Quantity, OfTheEnergyIsNotACoordinateOfThatName) {
  State state = tree::initial_state(mechanism_of(pins({"energy"})));
  state.set_q(0, 0.5);
  tree::realize(state, Stage::velocity);
  EXPECT_EQ(Quantity(state.mechanism(), "energy")(state), state.energy());
  EXPECT_EQ(Quantity(state.mechanism(), "coordinate.energy")(state), 0.5);
}

TEST(Measure, TakesAWholeNameWithColonsInIt) {
  const Mechanism m = mechanism_of(pins({"a:max", "b:c"}));
  EXPECT_EQ(Measure::parse("a:max", m).quantity, "a:max");
  EXPECT_EQ(Measure::parse("b:c", m).quantity, "b:c");
  EXPECT_EQ(Measure::parse("b:c:min", m).quantity, "b:c");
  EXPECT_EQ(Measure::parse("b:c:min", m).keep, Measure::Keep::least);
  EXPECT_EQ(Measure::parse(Measure::parse("a:max", m).name(), m).quantity, "a:max");
}

}  // namespace
}  // namespace polhode::study
