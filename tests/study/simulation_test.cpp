// A program that steps by itself gets what a whole run gives, from the same start.
#include "polhode/study/simulation.h"

#include "polhode/study/start.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

Mechanism read(const std::string& text) { return format::read_model(text, "model.pol").mechanism; }

const char* const swing = R"((system (ry "pin" (tz -1 (mass 1))) (initial ("pin" 1))))";

std::string refusal(const std::function<void()>& of) {
  try {
    of();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

// The four-bar's start gives the crank's speed only; the loop's other speeds are for the assembly to find.
TEST(Simulation, StartsAndEndsWhereAWholeRunDoes) {
  const Mechanism four_bar = load("four_bar");
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const SimulateOptions options{.method = method, .time = 0.2, .dt = 0.01};
    std::vector<double> q_end, u_end;
    const SimulateSummary whole = simulate(tree::initial_state(four_bar), options, [&](const State& state) {
      q_end.assign(state.q().begin(), state.q().end()), u_end.assign(state.u().begin(), state.u().end());
    });
    ASSERT_TRUE(whole.completed);

    Simulation simulation(four_bar, options);
    EXPECT_EQ(simulation.method(), method);
    EXPECT_DOUBLE_EQ(simulation.energy(), whole.energy_start);
    while (simulation.time() < 0.1) EXPECT_TRUE(simulation.step());
    EXPECT_TRUE(simulation.advance_to(0.2));
    EXPECT_EQ(simulation.statistics().steps, whole.steps.steps);
    EXPECT_EQ(std::vector<double>(simulation.state().q().begin(), simulation.state().q().end()), q_end);
    EXPECT_EQ(std::vector<double>(simulation.state().u().begin(), simulation.state().u().end()), u_end);
    EXPECT_LT(simulation.constraint_error(), 1e-9);  // the loosest method's tolerance is 1e-10
    EXPECT_TRUE(simulation.warnings().empty());
  }
}

TEST(Simulation, SetsAndReadsByName) {
  Simulation simulation(read(swing));
  EXPECT_EQ(simulation.coordinate("pin"), 1);
  simulation.set_coordinate("pin", 0.5);
  simulation.set_speed("pin'", 2);
  EXPECT_EQ(simulation.coordinate("pin"), 0.5);
  EXPECT_EQ(simulation.speed("pin'"), 2);
  EXPECT_NEAR(simulation.energy(), 0.5 * 2 * 2 - 9.81 * std::cos(0.5), 1e-12);  // m l^2 u^2 / 2 - m g l cos q
}

// A force m g l sin q holds the pendulum; without it, it falls.
TEST(Simulation, AppliesForcesUntilTheyAreSetAgain) {
  Simulation simulation(read(swing));
  simulation.set_applied_force("pin'", 9.81 * std::sin(1.0));
  simulation.advance_to(0.2);
  EXPECT_NEAR(simulation.coordinate("pin"), 1, 1e-10);
  simulation.set_applied_force("pin'", 0);
  simulation.advance_to(0.4);
  EXPECT_LT(simulation.coordinate("pin"), 0.9);
}

TEST(Simulation, SetsInputsWithoutStartingAnew) {
  const Mechanism mechanism = read(R"((system (ry "pin" (tz -1 (mass 1))) (motor "drive" "pin") (input "spare" 0.2 (limits 0 1))
    (initial ("pin" 1))))");
  Simulation simulation(mechanism, {.dt = 0.01});
  const auto stepper = make_stepper(mechanism, {.dt = 0.01});
  stepper->set(simulation.state());
  std::vector<double> inputs{0.2, 0};
  for (int k = 0; k < 50; ++k) {
    inputs[1] = std::sin(k);
    stepper->set_inputs(inputs);
    simulation.set_input("drive", inputs[1]);
    ASSERT_TRUE(stepper->step(1).ok());
    simulation.step();
  }
  State state(mechanism);
  stepper->get(state);
  EXPECT_EQ(simulation.coordinate("pin"), state.q()[0]);
  EXPECT_EQ(simulation.speed("pin'"), state.u()[0]);
  simulation.set_input("spare", 3);
  EXPECT_EQ(simulation.input("spare"), 1);
  EXPECT_THROW(simulation.set_input("drive", std::nan("")), std::invalid_argument);
  EXPECT_THROW(simulation.set_applied_force("pin'", INFINITY), std::invalid_argument);
  EXPECT_THROW(simulation.set_input("drives", 1), ModelError);
  EXPECT_EQ(simulation.input("drive"), inputs[1]);
}

// What a program sets counts as given: the other side of the loop moves.
TEST(Simulation, AssemblesAroundWhatWasSet) {
  Simulation simulation(read(R"((system
    (ry "a" (tz -1 (mass 1) (name "end a"))) (tx 1 (ry "b" (tz -1 (mass 1) (name "end b"))))
    (wire "end a" "end b" 1) (initial ("a" 0.1) ("b" 0.1))))"));
  simulation.set_coordinate("b", 0.3);
  EXPECT_EQ(simulation.coordinate("b"), 0.3);
  EXPECT_LT(simulation.constraint_error(), 1e-9);
  EXPECT_NEAR(simulation.coordinate("a"), 0.3, 1e-8);  // a parallelogram, to the assembly's tolerance
}

TEST(Simulation, LetsTheModelsEventsHappen) {
  Simulation simulation(read(R"((system (tz "height" (mass 1)) (initial ("height" 1))
    (event "ground" (when "height" falls 0) (stop))))"));
  EXPECT_FALSE(simulation.advance_to(10));
  EXPECT_NE(simulation.stopped_by().find("ground"), std::string::npos) << simulation.stopped_by();
  EXPECT_NEAR(simulation.time(), std::sqrt(2 / 9.81), 1e-6);
  EXPECT_NEAR(simulation.coordinate("height"), 0, 1e-6);
  EXPECT_TRUE(simulation.advance_to(0.5));  // on, and through the ground
  EXPECT_LT(simulation.coordinate("height"), -0.1);
}

// A start that a program changes in between must not make an event of that very time happen twice.
TEST(Simulation, LetsScheduledEventsHappenOnce) {
  Simulation simulation(read(R"((system (tx "x" (mass 1)) (discrete "count" 0)
    (event "tick" (at 0.1) (add-discrete "count" 1))))"));
  simulation.advance_to(0.1);
  EXPECT_EQ(simulation.state().discrete()[0], 1);
  simulation.set_speed("x'", 1);
  simulation.advance_to(0.2);
  EXPECT_EQ(simulation.state().discrete()[0], 1);
}

TEST(Simulation, RefusesInWords) {
  Simulation simulation(read(swing));
  EXPECT_NE(refusal([&] { simulation.set_coordinate("pim", 1); }).find("\"pin\""), std::string::npos);
  EXPECT_NE(refusal([&] { simulation.speed("pin"); }).find("pin'"), std::string::npos);
  simulation.advance_to(1);
  EXPECT_NE(refusal([&] { simulation.advance_to(0.5); }).find("0.5 s"), std::string::npos);
  EXPECT_NE(refusal([] { Simulation(read(swing), {.interval = 0.1}); }).find("interval"), std::string::npos);
  EXPECT_NE(refusal([] { Simulation(read(swing), {.method = "tree"}); }).find("tree-variational"), std::string::npos);
  Simulation driven(read(R"((system (tx (kinematic "x" (polynomial 0 1)) (mass 1))))"));
  EXPECT_NE(refusal([&] { driven.set_coordinate("x", 1); }).find("\"x\" follows"), std::string::npos);
  EXPECT_NE(refusal([&] { driven.set_speed("x'", 1); }).find("follows"), std::string::npos);
}

// The bob cannot come nearer to the hook than 5 m.
TEST(Simulation, RefusesAStartThatCannotBeAssembled) {
  Simulation simulation(read(R"((system (tz 5 (name "hook")) (tx "x" (mass 1) (name "bob"))
    (wire "hook" "bob" 1 (name "string")) (initial ("x" 1))))"));
  EXPECT_NE(refusal([&] { simulation.step(); }).find("string"), std::string::npos);
}

}  // namespace
}  // namespace polhode::study
