#include "polhode/mechanism/joint_model.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

namespace polhode {
namespace {

TEST(JointModel, EveryListedNameMakesTheTypeOfThatName) {
  for (const std::string_view name : joint_type_names()) {
    const auto joint = joint_from_type_name(name);
    ASSERT_TRUE(joint.has_value()) << name;
    EXPECT_EQ(type_name(*joint), name);
  }
}

TEST(JointModel, KnowsTheOtherNamesOfTheModelLanguage) {
  const std::pair<const char*, const char*> pairs[] = {
      {"pin", "revolute"},   {"slider", "prismatic"},      {"translational", "prismatic"},
      {"ball", "spherical"}, {"cartesian", "translation"}, {"cylinder", "cylindrical"}};
  for (const auto& [other, canonical] : pairs) {
    const auto joint = joint_from_type_name(other);
    ASSERT_TRUE(joint.has_value()) << other;
    EXPECT_EQ(type_name(*joint), canonical);
  }
}

TEST(JointModel, NamesDoNotMindTheCaseOfLetters) {
  EXPECT_EQ(joint_from_type_name("Bend-Stretch"), JointModel(BendStretch{}));
  EXPECT_EQ(joint_from_type_name("PIN"), JointModel(Revolute{}));
}

TEST(JointModel, UnknownNamesAndTypesMadeOfCodeGiveNothing) {
  for (const char* name : {"", "revolut", "pins", "custom", "function-based"})
    EXPECT_FALSE(joint_from_type_name(name).has_value()) << name;
}

TEST(JointModel, JointsWithDifferentParametersDiffer) {
  EXPECT_EQ(JointModel(Screw(0.1)), JointModel(Screw(0.1)));
  EXPECT_FALSE(JointModel(Screw(0.1)) == JointModel(Screw(0.2)));
  EXPECT_FALSE(JointModel(Ellipsoid{{1, 2, 3}}) == JointModel(Ellipsoid{{1, 2, 4}}));
  EXPECT_FALSE(JointModel(Revolute{}) == JointModel(Prismatic{}));
}

/// Counts that only a mistake would give.
struct Miscounted final : CustomJoint {
  std::string_view type_name() const override { return "miscounted"; }
  int nq() const override { return 2; }
  int nv() const override { return 3; }
  Transform<double> X_FM(const double*) const override { return {}; }
  void H_FM(const double*, Motion<double>*) const override {}
  Motion<double> Hdot_u(const double*, const double*) const override { return {}; }
};

std::string message_of(const auto& make) {
  try {
    make();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(CustomJoint, WithImpossibleCountsIsRefusedByName) {
  const std::string message = message_of([] { Custom(std::make_shared<Miscounted>()); });
  EXPECT_NE(message.find("\"miscounted\": 2 coordinates and 3 speeds"), std::string::npos) << message;
  EXPECT_NE(message_of([] { Custom(nullptr); }).find("null"), std::string::npos);
}

TEST(FunctionBased, NamesTheComponentWhoseFunctionDoesNotFit) {
  const auto linear = std::make_shared<Linear>();
  const auto too_few = message_of([&] { FunctionBased(1, {{{}, {}, {linear, {}}, {}, {}, {}}}); });
  EXPECT_NE(too_few.find("angle z: the function takes 1 argument but is given 0 coordinates"), std::string::npos) << too_few;
  const auto out_of_range = message_of([&] { FunctionBased(1, {{{}, {}, {}, {}, {linear, {1}}, {}}}); });
  EXPECT_NE(out_of_range.find("y: there is no coordinate 1"), std::string::npos) << out_of_range;
  EXPECT_NE(message_of([&] { FunctionBased(7, {}); }).find("7 coordinates"), std::string::npos);
}

// A function-based joint that turns about z alone is a pin.
TEST(FunctionBased, WithOneLinearTurnIsAPin) {
  const FunctionBased joint(1, {{{}, {}, {std::make_shared<Linear>(), {0}}, {}, {}, {}}});
  const double q = 0.7;
  EXPECT_EQ(joint.X_FM(&q), Revolute{}.X_FM(&q));
  EXPECT_EQ(joint.coordinate_suffix(0), "");
}

}  // namespace
}  // namespace polhode
