#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polhode/format/language/model.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/support/allocation_counter.h"

/// Inputs and applied forces that change from step to step, in every method (Stepper::set_inputs).
namespace polhode::study {
namespace {

/// A method with its options; where it controls its error, without a step.
struct Way {
  std::string name;
  SimulateOptions options;
  bool keeps_its_past = true;  ///< remember() goes on to the last bit
};
std::vector<Way> all_ways(double dt) {
  std::vector<Way> ways;
  const auto add = [&](std::string name, SimulateOptions options) { ways.push_back({std::move(name), std::move(options)}); };
  for (const char* method : {"tree-variational", "maximal-variational"})
    for (const int order : {2, 4})
      add(fmt::format("{} of order {}", method, order), {.method = method, .dt = dt, .options = {{"order", order}}});
  add("maximal-variational of order 1", {.method = "maximal-variational", .dt = dt, .options = {{"order", 1}}});
  for (const char* integrator : {"rk5", "rk8", "rk3", "rk2", "merson", "verlet", "euler", "semi-explicit-euler"}) {
    const std::string name = integrator;
    add(name, {.method = "tree-projected", .dt = dt, .options = {{"integrator", name}}});
    const bool low_order = name.find("euler") != std::string::npos;
    add(name + " with error control",
        {.method = "tree-projected", .options = {{"integrator", name}, {"accuracy", low_order ? 1e-4 : 1e-8}}});
  }
  add("cvode", {.method = "tree-projected", .options = {{"integrator", std::string("cvode")}, {"accuracy", 1e-8}}});
  ways.back().keeps_its_past = false;
  add("maximal-projected", {.method = "maximal-projected", .dt = dt});
  add("maximal-projected with error control", {.method = "maximal-projected", .options = {{"accuracy", 1e-8}}});
  return ways;
}

State start_of_text(const std::string& text) {
  State start = tree::initial_state(format::read_model(text, "inputs.pol").mechanism);
  tree::assemble(start);
  return start;
}

/// Two links in space that hang from a turntable, and a bar that closes a loop; what drives the elbow is left out.
std::string arm(const std::string& drive) {
  return R"((system (body "base" (mass 1) (inertia 0.1 0.1 0.1)) (body "upper" (mass 2) (inertia 0.06 0.06 0.01) (com 0 0 -0.3))
      (body "lower" (mass 1) (inertia 0.02 0.02 0.01) (com 0 0 -0.25) (pose 0 0 -0.6))
      (joint revolute "turntable" ground "base" (at 0 0 0) (axis 0 0 1))
      (joint revolute "shoulder" "base" "upper" (at 0 0 0) (axis 0 1 0))
      (joint revolute "elbow" "upper" "lower" (at 0 0 -0.6) (axis 0 1 0))
      (initial ("turntable" 0 0.7) ("shoulder" 0.4) ("elbow" 0.8)) )" +
         drive + ")";
}
/// Its crank can go round.
std::string four_bar(const std::string& drive) {
  return R"((system (body "crank" (mass 1) (inertia 0.1 0.1 0.01) (com 0 0 0.25))
      (body "rod" (mass 1) (inertia 0.01 0.2 0.2) (com 0.5 0 0.1) (pose 0 0 0.5))
      (body "rocker" (mass 2) (inertia 0.1 0.1 0.01) (com 0 0 0.35) (pose 1 0 0))
      (joint revolute "elbow" ground "crank" (at 0 0 0) (axis 0 1 0)) (joint revolute "b" "crank" "rod" (at 0 0 0.5) (axis 0 1 0))
      (joint revolute "c" "rod" "rocker" (at 1 0 0.7) (axis 0 1 0)) (joint revolute "d" ground "rocker" (at 1 0 0) (axis 0 1 0))
      (initial ("elbow" 0.3 1)) )" +
         drive + ")";
}
const std::vector<std::pair<const char*, std::string (*)(const std::string&)>> machines{{"arm", arm}, {"four-bar", four_bar}};

std::unique_ptr<Stepper> started(const Way& way, const State& start) {
  auto stepper = make_stepper(start.mechanism(), way.options);
  stepper->set(start);
  return stepper;
}
State reached(const Stepper& stepper, const State& like) {
  State state(like.mechanism());
  stepper.get(state);
  tree::realize(state, Stage::velocity);
  return state;
}
/// Steps to times k * hold, and before each such time says what acts until then.
template <class Act>
void run_holds(Stepper& stepper, int first, int last, double hold, Act act) {
  for (int k = first; k < last; ++k) {
    act(k);
    const double t_end = (k + 1) * hold;
    while (stepper.time() < t_end) {
      const StepReport report = stepper.step(t_end);
      ASSERT_TRUE(report.ok()) << stepper.explain(report);
    }
  }
}
std::vector<double> numbers(std::span<const double> x) { return {x.begin(), x.end()}; }
void expect_same_bits(const State& a, const State& b) {
  EXPECT_EQ(a.time(), b.time());
  EXPECT_EQ(numbers(a.q()), numbers(b.q()));
  EXPECT_EQ(numbers(a.u()), numbers(b.u()));
}
double distance(const State& a, const State& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.q().size(); ++i) most = std::max(most, std::abs(a.q()[i] - b.q()[i]));
  return most;
}

TEST(Inputs, HeldConstantActAsTheEqualConstantForceToTheLastBit) {
  const std::vector<double> set{1.5};
  for (const auto& [name, machine] : machines) {
    const State pushed = start_of_text(machine(R"((generalized-force "elbow" -3))"));
    const State by_default = start_of_text(machine(R"((motor "m" "elbow" (gear -2) (input "i")) (input "i" 1.5))"));
    const State by_stepper = start_of_text(machine(R"((motor "m" "elbow" (gear -2)))"));
    const State clipped = start_of_text(machine(R"((motor "m" "elbow" (gear -200) (force -3 1) (input "i")) (input "i" 1.5))"));
    for (const Way& way : all_ways(0.004)) {
      SCOPED_TRACE(fmt::format("{}, {}", name, way.name));
      const auto end = [&](const State& start, bool sets) {
        const auto stepper = started(way, start);
        if (sets) stepper->set_inputs(set);
        run_holds(*stepper, 0, 5, 0.04, [](int) {});
        return reached(*stepper, start);
      };
      const State expected = end(pushed, false);
      expect_same_bits(end(by_default, false), expected);
      expect_same_bits(end(by_stepper, true), expected);
      expect_same_bits(end(clipped, false), expected);
      EXPECT_EQ(end(by_stepper, true).inputs()[0], 1.5);
    }
  }
}

TEST(Inputs, AppliedForcesThroughTheStepperActAsThoseOfTheState) {
  for (const auto& [name, machine] : machines) {
    const State start = start_of_text(machine(""));
    State pushed = start;
    pushed.set_applied_force(start.mechanism().speed("elbow'"), 2.5);
    for (const Way& way : all_ways(0.004)) {
      SCOPED_TRACE(fmt::format("{}, {}", name, way.name));
      const auto expected = started(way, pushed), stepper = started(way, start);
      stepper->set_applied_forces(pushed.applied_forces());
      for (Stepper* each : {expected.get(), stepper.get()}) run_holds(*each, 0, 5, 0.04, [](int) {});
      // Invariants that maximal-projected imposes are chosen before it is known that something will push.
      EXPECT_LT(distance(reached(*stepper, start), reached(*expected, start)), 1e-9);
      EXPECT_EQ(numbers(reached(*stepper, start).applied_forces()), numbers(pushed.applied_forces()));
    }
  }
}

TEST(Inputs, SetToWhatTheyAreChangeNothingToTheLastBit) {
  for (const auto& [name, machine] : machines) {
    const State start = start_of_text(machine(R"((motor "m" "elbow" (input "i")) (input "i" 0.7))"));
    const std::vector<double> same{0.7}, none(start.u().size(), 0.0);
    for (const Way& way : all_ways(0.004)) {
      SCOPED_TRACE(fmt::format("{}, {}", name, way.name));
      const auto expected = started(way, start), stepper = started(way, start);
      for (int k = 0; k < 40; ++k) {
        stepper->set_inputs(same);
        stepper->set_applied_forces(none);
        ASSERT_TRUE(stepper->step(0.1).ok());
        ASSERT_TRUE(expected->step(0.1).ok());
        if (stepper->time() == 0.1) break;
      }
      expect_same_bits(reached(*stepper, start), reached(*expected, start));
      EXPECT_EQ(stepper->statistics().evaluations, expected->statistics().evaluations);
    }
  }
}

TEST(Inputs, InAControlLoopTakeNoMemory) {
  for (const auto& [name, machine] : machines) {
    const State start = start_of_text(machine(R"((motor "m" "elbow"))"));
    for (const Way& way : all_ways(1e-3)) {
      SCOPED_TRACE(fmt::format("{}, {}", name, way.name));
      const auto stepper = started(way, start);
      State state = start;
      std::vector<double> input(1), forces(start.u().size(), 0.0);
      bool ok = true;
      const auto loop = [&](int from, int to) {
        for (int k = from; k < to; ++k) {
          stepper->get(state);
          input[0] = -state.q()[1] - 0.1 * state.u()[1];
          forces[0] = -0.1 * state.u()[0];
          stepper->set_inputs(input);
          stepper->set_applied_forces(forces);
          while (ok && stepper->time() < (k + 1) * 1e-3) ok = stepper->step((k + 1) * 1e-3).ok();
        }
      };
      loop(0, 20);
      EXPECT_EQ(testing_support::allocations_in([&] { loop(20, 120); }), 0);
      EXPECT_TRUE(ok);
    }
  }
}

// m x'' = F, held: exact for methods whose formulas are exact for quadratic motion.
TEST(Inputs, HeldOnACartGiveItsClosedForm) {
  const State start = start_of_text(R"((system (gravity 0 0 0) (tx "x" (mass 2)) (motor "m" "x") (initial ("x" 0.1 0.2))))");
  const double hold = 0.05;
  const auto force = [](int k) { return 3 * std::sin(1.7 * k) + (k % 3 == 0 ? 5 : -4); };
  double x = 0.1, u = 0.2;
  const int holds = 60;
  for (int k = 0; k < holds; ++k) x += hold * u + hold * hold / 2 * force(k) / 2, u += hold * force(k) / 2;
  for (const Way& way : all_ways(hold / 4)) {
    SCOPED_TRACE(way.name);
    if (way.name == "maximal-variational of order 1" || way.name.find("euler") != std::string::npos) continue;
    const auto stepper = started(way, start);
    std::vector<double> input(1);
    run_holds(*stepper, 0, holds, hold, [&](int k) {
      input[0] = force(k);
      stepper->set_inputs(input);
    });
    const State end = reached(*stepper, start);
    const double tolerance = way.name.find("variational") != std::string::npos ? 1e-12 : way.name == "cvode" ? 1e-5 : 1e-10;
    EXPECT_NEAR(end.q()[0], x, tolerance);
    EXPECT_NEAR(end.u()[0], u, tolerance);
  }
}

double wave(int k) { return 4 * std::sin(2.1 * k) + (k % 2 == 0 ? 2 : -3); }

/// Coordinates of a run whose input changes twenty times, at each of these times.
std::vector<double> path_of_holds(const Way& way, const State& start) {
  const auto stepper = started(way, start);
  std::vector<double> input(1), path;
  const auto note = [&] {
    const std::vector<double> q = numbers(reached(*stepper, start).q());
    path.insert(path.end(), q.begin(), q.end());
  };
  run_holds(*stepper, 0, 20, 0.05, [&](int k) {
    note();
    input[0] = wave(k);
    stepper->set_inputs(input);
  });
  note();
  return path;
}
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = a.size() == b.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(Inputs, ThatJumpLeaveTheOrderOfEachMethod) {
  for (const auto& [name, machine] : machines) {
    const State start = start_of_text(machine(R"((motor "m" "elbow"))"));
    const std::vector<double> exact = path_of_holds(
        {"reference", {.method = "tree-projected", .options = {{"integrator", std::string("rk8")}, {"accuracy", 1e-12}}}},
        start);
    const std::vector<Way> coarse = all_ways(0.05 / 16), fine = all_ways(0.05 / 32);
    for (std::size_t i = 0; i < coarse.size(); ++i) {
      SCOPED_TRACE(fmt::format("{}, {}", name, coarse[i].name));
      const double error = largest_difference(path_of_holds(coarse[i], start), exact);
      const bool first_order =
          coarse[i].name.find("euler") != std::string::npos || coarse[i].name.find("order 1") != std::string::npos;
      if (!coarse[i].options.dt) {
        EXPECT_LT(error, first_order ? 0.3 : 1e-5);
        continue;
      }
      if (error < 1e-8) continue;  // the reference is good to 1e-11
      const double ratio = error / largest_difference(path_of_holds(fine[i], start), exact);
      EXPECT_GT(ratio, first_order ? 1.6 : 3.2) << error;
      if (coarse[i].name.find("of order 2") != std::string::npos) {
        EXPECT_LT(ratio, 4.8) << error;
      }
    }
  }
}

TEST(Inputs, WorkIsTheChangeOfEnergyToSecondOrder) {
  const State start = start_of_text(arm(R"((motor "m" "elbow"))"));
  const auto missing = [&](double dt) {
    const auto stepper = started({"", {.method = "tree-variational", .dt = dt}}, start);
    State state = reached(*stepper, start);
    const double before = state.energy();
    double work = 0;
    run_holds(*stepper, 0, 20, 0.05, [&](int k) {
      stepper->get(state);
      const double q = state.q()[2];
      stepper->set_inputs(std::vector{wave(k)});
      while (stepper->time() < (k + 1) * 0.05) ASSERT_TRUE(stepper->step((k + 1) * 0.05).ok());
      stepper->get(state);
      work += wave(k) * (state.q()[2] - q);
    });
    return std::abs(reached(*stepper, start).energy() - before - work);
  };
  const double coarse = missing(0.005), fine = missing(0.0025);
  EXPECT_LT(coarse, 1e-2);
  EXPECT_NEAR(coarse / fine, 4, 0.4);
}

// Newton's guesses, momenta and all else are as without the calls.
TEST(Inputs, ThatStayZeroLeaveTheEnergyOfALongRunAlone) {
  const State start = start_of_text(arm(R"((motor "m" "elbow"))"));
  const Way way{"", {.method = "tree-variational", .dt = 0.01}};
  const auto stepper = started(way, start), expected = started(way, start);
  const std::vector<double> zero{0};
  const double energy = reached(*stepper, start).energy();
  double most = 0;
  for (int k = 0; k < 100000; ++k) {
    stepper->set_inputs(zero);
    ASSERT_TRUE(stepper->step(1e9).ok());
    ASSERT_TRUE(expected->step(1e9).ok());
    if (k % 100 == 0) most = std::max(most, std::abs(reached(*stepper, start).energy() - energy));
  }
  expect_same_bits(reached(*stepper, start), reached(*expected, start));
  EXPECT_LT(most, 1);  // of some 20 J that swing
}

TEST(Inputs, OfARunThatIsResumedGoOnToTheLastBit) {
  for (const auto& [name, machine] : machines) {
    const State start = start_of_text(machine(R"((motor "m" "elbow"))"));
    for (const Way& way : all_ways(0.004)) {
      SCOPED_TRACE(fmt::format("{}, {}", name, way.name));
      std::vector<double> input(1), forces(start.u().size());
      const auto go = [&](Stepper& stepper, int from, int to) {
        run_holds(stepper, from, to, 0.02, [&](int k) {
          input[0] = wave(k), forces[0] = k % 2;
          stepper.set_inputs(input);
          stepper.set_applied_forces(forces);
        });
      };
      const auto stepper = started(way, start), resumed = started(way, start);
      go(*stepper, 0, 5);
      // Changed, but not yet acted upon.
      input[0] = 0.5;
      stepper->set_inputs(input);
      Memory kept;
      EXPECT_EQ(stepper->remember(kept), way.keeps_its_past);
      Memory given(kept.bytes());
      resumed->remember(given);
      EXPECT_EQ(reached(*resumed, start).inputs()[0], 0.5);
      if (!way.keeps_its_past) continue;
      for (Stepper* each : {stepper.get(), resumed.get()}) {
        ASSERT_TRUE(each->step(0.11).ok());
        while (each->time() < 0.12) ASSERT_TRUE(each->step(0.12).ok());
        go(*each, 6, 10);
      }
      expect_same_bits(reached(*resumed, start), reached(*stepper, start));
    }
  }
}

TEST(Inputs, ThatAreNoneAreRefusedAndLeaveTheStepperAsItWas) {
  const State start = start_of_text(arm(R"((motor "m" "elbow") (input "spare" 0.5 (limits 0 1)))"));
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const Way& way : all_ways(0.004)) {
    SCOPED_TRACE(way.name);
    const auto stepper = started(way, start), expected = started(way, start);
    const auto refusal = [](const auto& set) -> std::string {
      try {
        set();
      } catch (const std::invalid_argument& error) {
        return error.what();
      }
      return "taken";
    };
    EXPECT_EQ(refusal([&] { stepper->set_inputs(std::vector{1.0}); }), "1 numbers given for 2 inputs");
    EXPECT_EQ(refusal([&] { stepper->set_inputs(std::vector{0.3, nan}); }), "input \"m\" must be a finite number, not nan");
    EXPECT_EQ(refusal([&] {
                stepper->set_inputs(std::vector{infinity, 0.0});
              }),
              "input \"spare\" must be a finite number, not inf");
    EXPECT_EQ(refusal([&] { stepper->set_applied_forces(std::vector{1.0}); }), "1 numbers given for 3 forces by speed");
    EXPECT_EQ(refusal([&] {
                stepper->set_applied_forces(std::vector{0.0, nan, 0.0});
              }),
              "the force on speed \"shoulder'\" must be a finite number, not nan");
    EXPECT_EQ(numbers(reached(*stepper, start).inputs()), (std::vector{0.5, 0.0}));
    for (Stepper* each : {stepper.get(), expected.get()}) run_holds(*each, 0, 1, 0.02, [](int) {});
    expect_same_bits(reached(*stepper, start), reached(*expected, start));
    stepper->set_inputs(std::vector{7.0, 0.0});
    EXPECT_EQ(reached(*stepper, start).inputs()[0], 1) << "beyond its limits";
  }
}

// What is shown of the last step is that of the forces that acted in it.
TEST(Inputs, ThatChangeAfterAStepLeaveWhatIsReadInsideOfIt) {
  const State start = start_of_text(arm(R"((motor "m" "elbow"))"));
  for (const Way& way : all_ways(0.01)) {
    SCOPED_TRACE(way.name);
    const auto stepper = started(way, start), expected = started(way, start);
    for (Stepper* each : {stepper.get(), expected.get()}) ASSERT_TRUE(each->step(0.01).ok());
    stepper->set_inputs(std::vector{50.0});
    State inside(start), as_expected(start);
    stepper->interpolate(0.6 * stepper->time(), inside);
    expected->interpolate(0.6 * expected->time(), as_expected);
    expect_same_bits(inside, as_expected);
  }
}

// A body at rest is pushed at once by a large force: nothing that watches a step takes that for a failure.
TEST(Inputs, ThatSetABodyAtRestInMotionAreNoFailure) {
  const State start =
      start_of_text(R"((system (gravity 0 0 0) (body "a" (mass 1) (inertia 1 1 1)) (body "b" (mass 1) (inertia 1 1 1))
      (joint prismatic "x" ground "a" (axis 1 0 0)) (joint revolute "turn" "a" "b" (axis 0 0 1) (at 0.1 0 0))
      (motor "push" "x") (motor "spin" "turn")))");
  for (const Way& way : all_ways(0.001)) {
    SCOPED_TRACE(way.name);
    const auto stepper = started(way, start);
    run_holds(*stepper, 0, 40, 0.01, [&](int k) {
      const double push = k < 5 ? 0 : k % 2 == 0 ? 300 : -200;
      stepper->set_inputs(std::vector{push, -0.5 * push});
    });
    EXPECT_EQ(stepper->statistics().halved, 0);
  }
}

/// A user's motor.
class OwnMotor final : public ForceElement {
 public:
  OwnMotor(int speed, int input) : speed_(speed), input_(input) {}
  void add_forces(const Configuration& c, AppliedForces& out) const override {
    out.generalized[std::size_t(speed_)] += c.input(input_);
  }

 private:
  int speed_, input_;
};

TEST(Inputs, AreSeenByUsersElements) {
  const State start = start_of_text(arm(R"((motor "m" "elbow"))"));
  MechanismBuilder builder = format::read_model(arm(R"((input "m"))"), "inputs.pol").mechanism.description();
  builder.add_force_element([](const Mechanism& m) { return std::make_shared<OwnMotor>(m.speed("elbow'"), m.input("m")); });
  State own = tree::initial_state(builder.build());
  for (const Way& way : all_ways(0.004)) {
    SCOPED_TRACE(way.name);
    const auto expected = started(way, start), stepper = started(way, own);
    for (Stepper* each : {expected.get(), stepper.get()})
      run_holds(*each, 0, 4, 0.05, [&](int k) { each->set_inputs(std::vector{wave(k)}); });
    EXPECT_LT(distance(reached(*stepper, own), reached(*expected, start)), 1e-9);
  }
  own.set_input(0, 1.5);
  tree::realize(own, Stage::dynamics);
  EXPECT_EQ(own.generalized_forces()[2], 1.5);
}

/// A potential that asks for what it must not depend on.
struct GreedyPotential final : Potential {
  double energy(const Configuration& c) const override { return c.input(0); }
  void add_forces(const Configuration&, AppliedForces&) const override {}
};

TEST(Inputs, AreNotSeenByPotentials) {
  MechanismBuilder builder = format::read_model(arm(R"((input "m"))"), "inputs.pol").mechanism.description();
  builder.add_potential([](const Mechanism&) { return std::make_shared<GreedyPotential>(); });
  State state(builder.build());
  EXPECT_THROW(tree::realize(state, Stage::position), std::out_of_range);
}

TEST(InputEvents, LeaveTheMethodAsItIs) {
  const State start = start_of_text(four_bar(R"((motor "m" "elbow") (discrete "n" 0))"));
  const auto run = [&](bool changes, bool restarts) {
    std::vector<Event> events;
    if (changes)
      events.push_back({"controller", EveryPeriod{0.03, 0}, [restarts](State& s) {
                          s.set_input(0, s.inputs()[0] > 0 ? -1e-13 : 1e-13);
                          if (restarts) s.set_discrete(0, 1 - s.discrete()[0]);
                          return EventAction{};
                        }});
    const SimulateSummary summary = simulate(start, {.time = 100, .dt = 0.01, .interval = 0.5}, {}, {}, events);
    EXPECT_TRUE(summary.completed) << summary.failure;
    return summary;
  };
  const SimulateSummary alone = run(false, false), held = run(true, false), restarted = run(true, true);
  EXPECT_LT(held.energy_most - held.energy_least, 1.5 * (alone.energy_most - alone.energy_least));
  EXPECT_LT(double(held.steps.newton_iterations), 1.02 * double(alone.steps.newton_iterations));
  EXPECT_GT(double(restarted.steps.newton_iterations), 1.05 * double(held.steps.newton_iterations));
}

TEST(InputEvents, ThatComeWithinAStepTurnBackToTheirTime) {
  const State start = start_of_text(R"((system (gravity 0 0 0) (tx "x" (mass 1)) (motor "m" "x") (initial ("x" 0 1))))");
  for (const Way& way : all_ways(0.03)) {
    SCOPED_TRACE(way.name);
    const Event brake{"brake", Trigger{[](const State& s) { return s.q()[0] - 0.5; }}, [](State& s) {
                        s.set_input(0, -2);
                        return EventAction{};
                      }};
    SimulateOptions options = way.options;
    options.time = 0.8;
    double x = 0;
    const SimulateSummary summary = simulate(start, options, [&](const State& s) { x = s.q()[0]; }, {}, {brake});
    ASSERT_TRUE(summary.completed) << summary.failure;
    const bool first_order = way.name.find("euler") != std::string::npos || way.name.find("order 1") != std::string::npos;
    EXPECT_NEAR(x, 0.5 + 0.3 - 0.3 * 0.3, first_order ? 0.02 : 1e-5);  // x = x0 + t - t^2 after half a second
  }
}

}  // namespace
}  // namespace polhode::study
