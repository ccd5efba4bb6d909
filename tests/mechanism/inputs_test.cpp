#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/conservation.h"
#include "polhode/state/state.h"

/// Numbers from outside, and motors that they command.
namespace polhode {
namespace {

MechanismBuilder cart() {
  MechanismBuilder builder;
  builder.add_body({.name = "cart", .mass = MassProperties::particle(1, {})});
  builder.add_joint({.name = "x", .model = Prismatic{}, .child = "cart", .placement = DrawnPlacement{.axis = x_axis}});
  return builder;
}
MotorSpec motor(const std::string& name, const std::string& input = {}) {
  return {.name = name, .coordinate = "x", .gear = 2, .input = input};
}

/// All that work() is told to be wrong.
template <class Work>
std::string error_text(const Work& work) {
  std::string text;
  try {
    work();
  } catch (const ModelError& error) {
    for (const Problem& problem : error.problems()) text += (text.empty() ? "" : "; ") + problem.message;
  }
  return text;
}

TEST(Inputs, AreThoseOfTheModelThenThoseOfItsMotors) {
  const Mechanism m = cart()
                          .add_force({motor("first")})
                          .add_input({"shared", 0.5, {-1, 2}})
                          .add_force({motor("second", "shared")})
                          .add_force({motor("third")})
                          .build();
  ASSERT_EQ(m.inputs().size(), 3u);
  EXPECT_EQ(m.input("shared"), 0);
  EXPECT_EQ(m.input("first"), 1);
  EXPECT_EQ(m.input("third"), 2);
  EXPECT_EQ(m.inputs()[0].limits, (Range{-1, 2}));
  EXPECT_EQ(m.initial_inputs(), (std::vector<double>{0.5, 0, 0}));
  const auto& motors = m.forces().of<CoordinateMotor>();
  ASSERT_EQ(motors.size(), 3u);
  EXPECT_EQ(motors[1].input.index, 0);
  EXPECT_EQ(motors[2].input.index, 2);
}

TEST(Inputs, AreLookedUpByNameWithSuggestions) {
  const Mechanism m = cart().add_input({"throttle"}).build();
  const std::string error = error_text([&] { m.input("throtle"); });
  EXPECT_EQ(error, "input \"throtle\" is not defined; did you mean \"throttle\"? (inputs: throttle)");
}

TEST(Inputs, OfAStateStartAsTheModelSaysAndStayWithinLimits) {
  State state(cart().add_input({"a", 0.5, {-1, 1}}).add_input({"b"}).build());
  EXPECT_EQ(state.inputs()[0], 0.5);
  state.set_inputs(std::vector<double>{3, 7});
  EXPECT_EQ(state.inputs()[0], 1);
  EXPECT_EQ(state.inputs()[1], 7);
  state.set_input(0, -3);
  EXPECT_EQ(state.inputs()[0], -1);
  EXPECT_THROW(state.set_input(2, 0), std::out_of_range);
  EXPECT_THROW(state.set_inputs(std::vector<double>{1}), std::invalid_argument);
}

TEST(Inputs, TakeBackWhatForcesDoAndNoMore) {
  State state(cart().add_input({"a"}).build());
  state.mark_realized(Stage::acceleration);
  state.set_input(0, 1);
  EXPECT_EQ(state.stage(), Stage::velocity);
  state.mark_realized(Stage::acceleration);
  state.set_inputs(std::vector<double>{1});
  EXPECT_EQ(state.stage(), Stage::velocity);
}

TEST(Inputs, AreRememberedWithTheState) {
  const Mechanism m = cart().add_input({"a"}).build();
  State state(m), again(m);
  state.set_input(0, 0.25);
  Memory kept;
  state.remember(kept);
  Memory given(kept.bytes());
  again.remember(given);
  EXPECT_EQ(again.inputs()[0], 0.25);
  State other(cart().build());
  Memory wrong(kept.bytes());
  EXPECT_THROW(other.remember(wrong), std::runtime_error);
}

TEST(Inputs, ThatAreWrongAreToldInOneReport) {
  const double nan = std::nan("");
  const auto error = [](MechanismBuilder builder) { return error_text([&] { builder.build(); }); };
  EXPECT_EQ(error(cart().add_input({""})), "an input has no name; give it one");
  EXPECT_EQ(error(cart().add_input({"a"}).add_input({"a"})),
            "input \"a\" is already defined; give one of the two another name");
  EXPECT_EQ(error(cart().add_input({"a", nan})), "input \"a\": start must be a finite number, not nan");
  EXPECT_EQ(error(cart().add_input({"a", 0, {1, -1}})),
            "input \"a\": limits 1 and -1 are the wrong way round; give the lower one first");
  EXPECT_EQ(error(cart().add_input({"a", 0, {nan, 1}})), "input \"a\": limits must be numbers, not nan and 1");
  EXPECT_EQ(error(cart().add_input({"a", 5, {-1, 1}})), "input \"a\" starts as 5, which is not within its limits, -1 to 1");
}

TEST(Motors, ThatAreWrongAreToldInOneReport) {
  const auto error = [](MechanismBuilder builder) { return error_text([&] { builder.build(); }); };
  EXPECT_EQ(error(cart().add_force({motor("")})), "a motor has no name; give it one");
  EXPECT_EQ(error(cart().add_force({motor("m", "throtle")}).add_input({"throttle"})),
            "motor \"m\": input \"throtle\" is not defined; did you mean \"throttle\"? (inputs: throttle)");
  EXPECT_EQ(error(cart().add_force({motor("m", "a")})), "motor \"m\": input \"a\" is not defined; add (input \"a\")");
  EXPECT_EQ(error(cart().add_force({motor("m")}).add_force({motor("m")})),
            "motor \"m\" is already defined; give one of the two another name");
  EXPECT_EQ(error(cart().add_force({motor("m")}).add_input({"m"})),
            "motor \"m\" would bring an input of its own name, which is already defined; name the one that commands it, as in "
            "(input \"m\")");
  MotorSpec wrong = motor("m");
  wrong.gear = std::nan("");
  EXPECT_EQ(error(cart().add_force({wrong})), "motor \"m\": gear must be a finite number, not nan");
  wrong = motor("m");
  wrong.range = {2, 1};
  EXPECT_EQ(error(cart().add_force({wrong})), "motor \"m\": force 2 and 1 are the wrong way round; give the lower one first");
  wrong = motor("m");
  wrong.coordinate = "y";
  EXPECT_NE(error(cart().add_force({wrong})).find("\"y\" is not defined"), std::string::npos);
}

TEST(Motors, AreNamedWhereTheirCoordinateIsNotThere) {
  MotorSpec lost = motor("hoist");
  lost.coordinate = "z";
  const std::string error = error_text([&] { cart().add_force({lost}).build(); });
  EXPECT_NE(error.find("motor \"hoist\": coordinate \"z\" is not defined"), std::string::npos) << error;
}

TEST(Motors, FeedEnergyEvenWhileTheyAreCommandedToDoNothing) {
  EXPECT_TRUE(keeps_energy(cart().build()));
  EXPECT_FALSE(keeps_energy(cart().add_force({motor("m")}).build()));
}

}  // namespace
}  // namespace polhode
