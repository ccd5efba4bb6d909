// What a run records: forces in joints, by every method, against closed forms.
#include <fmt/format.h>

#include "polhode/study/quantity.h"
#include "tests/study/validation.h"
#include "tests/support/allocation_counter.h"

namespace polhode::study {
namespace {

constexpr std::array methods{"tree-variational", "maximal-variational", "tree-projected", "maximal-projected"};

Mechanism model(const std::string& text) { return format::read_model(text, "test.pol").mechanism; }

/// What the pins of models/engine.pol carry: the piston's inertia, along the rod, which has no mass. On the piston.
Vec3<double> pin_force(double t) {
  constexpr double m = 0.5, r = 0.05, l = 0.15, w = 50 * pi;
  const double s = r * std::sin(w * t), c = r * std::cos(w * t);
  const double height = std::sqrt(l * l - s * s);  // of the rod along x
  const double height_rate = -s * c * w / height;
  const double height_acceleration = -(w * w * (c * c - s * s) + height_rate * height_rate) / height;
  const double force = m * (-w * w * c + height_acceleration);
  return {force, 0, -force * s / height};
}

TEST(EnginePins, CarryWhatThePistonNeeds) {
  const Mechanism engine = load("engine");
  EXPECT_NEAR(pin_force(0).x, -250.0 / 3 * pi * pi, 1e-11);    // m r w^2 (1 + r/l) = 822.467 N
  EXPECT_NEAR(pin_force(0.02).x, 125.0 / 3 * pi * pi, 1e-11);  // m r w^2 (1 - r/l)
  // The crank follows its signal, so that all follows from the constraints of one instant: a method's own error is what it
  // leaves in them, times the stiffest thing there is: w^2 of a place, w of a speed.
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const std::vector<Quantity> pins = Quantity::select(engine, {"reactions:crank pin", "reactions:wrist pin"});
    SimulateOptions options{.method = method, .time = 0.04, .interval = 0.001, .record = {"reactions"}};
    if (method.ends_with("variational")) {
      options.dt = 1e-4;
    } else {
      options.options.set("accuracy", 1e-9);
    }
    // All follows the crank, so error control sees no error and takes steps of half a turn: too long to tell which way the rod
    // goes.
    if (method == "tree-projected") options.options.set("largest step", 1e-3);
    if (method == "maximal-projected") options.options.set("invariant", std::string("none"));
    int states = 0;
    const auto check = [&](const State& state) {
      ++states;
      const Vec3<double> F = pin_force(state.time());
      for (const Quantity& pin : pins) {
        const double expected = pin.name().ends_with("force.x") ? F.x : pin.name().ends_with("force.z") ? F.z : 0.0;
        EXPECT_NEAR(pin(state), expected, 1e-9 * 822) << pin.name() << " at " << state.time();
      }
    };
    const SimulateSummary summary = simulate(start_of(engine), options, check);
    EXPECT_TRUE(summary.completed) << summary.failure;
    EXPECT_EQ(states, 41);
    for (const RecordedRange& range : summary.recorded)
      if (range.name == "wrist pin.force.x") {
        EXPECT_NEAR(range.least, -822.467033424, 1e-6);
      }
  }
}

// Declared from the outside inward, the tree has the joint the other way round; the force is on the child all the same.
TEST(Reactions, AreOnTheChildAsDeclared) {
  const auto weight_on = [](const char* joint) {
    const Mechanism m = model(fmt::format(R"((system (body "bob" (mass 2) (inertia 1 1 1) (pose 0.3 0 -1) (com 0.1 0 0))
        (joint weld "arm" {} (at 0.5 0 0))))",
                                          joint));
    State state(m);
    tree::realize(state, Stage::acceleration);
    std::vector<double> six;
    for (const Quantity& quantity : Quantity::select(m, {"reactions:arm"})) six.push_back(quantity(state));
    return six;
  };
  const double weight = 2 * standard_gravity;
  const std::vector<double> on_bob = weight_on("ground \"bob\""), on_ground = weight_on("\"bob\" ground");
  ASSERT_EQ(on_bob.size(), 6u);
  // The bob's centre of mass is 0.1 m behind the joint along x: the joint turns it upward about y.
  const std::vector<double> expected{0, 0, weight, 0, 0.1 * weight, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(on_bob[i], expected[i], 1e-13) << i;
    EXPECT_NEAR(on_ground[i], -expected[i], 1e-13) << i;
  }
}

TEST(Quantities, OfAMassOnASpringAndARod) {
  const Mechanism m = model(R"((system
    (tx "x" (name "mass") (mass 2)) (frame "wall" ground (pose -1 0 0))
    (spring "wall" "mass" 50 0.5 3) (generalized-force "x" 4)
    (body "bob" (mass 3) (pose 0 0 -2)) (frame "hook" ground (pose 0 0 0)) (wire "hook" "bob" 2)
    (discrete "count" 7) (input "throttle" 0.25)
    (initial ("x" 0.2 0.5))
    (event "far" (when "x" rises 1))))");
  State state(m);
  tree::realize(state, Stage::acceleration);
  const double tension = 50 * 0.7 + 3 * 0.5, weight = 3 * standard_gravity;
  const std::vector<std::pair<std::string, double>> expected{
      {"spring 1.force", tension},
      {"generalized-force 1.force", 4},
      {"spring 1.power", -tension * 0.5},
      {"generalized-force 1.power", 2},
      {"gravity.power", 0},
      {"x''", (4 - tension) / 2},
      {"mass.ax", (4 - tension) / 2},
      {"mass.vx", 0.5},
      {"mass.qw", 1},
      {"wire 1.multiplier", weight},
      {"wire 1.force.z", weight},
      {"wire 1.error", 0},
      {"constraint", 0},
      {"count", 7},
      {"throttle", 0.25},
      {"far.trigger", -0.8},
      {"momentum.x", 1},
      {"energy", 0.25 - 2 * weight + 25 * 0.49},
  };
  for (const auto& [name, value] : expected) EXPECT_NEAR(Quantity(m, name)(state), value, 1e-12) << name;
}

TEST(Quantities, AreRefusedByNameWithWhatIsNear) {
  const Mechanism m = load("double_pendulum");
  const auto why = [&](const std::string& request) {
    try {
      Quantity::select(m, {request});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(why("reaction").find("did you mean \"reactions\""), std::string::npos) << why("reaction");
  EXPECT_NE(why("reactions:nothing").find("there are no reactions of \"nothing\""), std::string::npos);
  EXPECT_NE(why("multipliers").find("the model has no multipliers"), std::string::npos);
  EXPECT_NE(why("").find("there is no quantity \"\""), std::string::npos);
  EXPECT_NE(why("reactions:").find("there are no reactions of \"\""), std::string::npos);
}

TEST(Quantities, HaveNamesThatAreTakenOnce) {
  const Mechanism m = model(R"((system (body "b" (mass 1) (inertia 1 1 1)) (input "b.vx") (input "gravity.power")))");
  std::set<std::string> names;
  const QuantityList list(m);
  for (const QuantityFacts& facts : list.all()) EXPECT_TRUE(names.insert(facts.name).second) << facts.name;
  EXPECT_TRUE(names.contains("inputs.gravity.power"));
  EXPECT_TRUE(names.contains("velocities.b.wx"));  // a free joint's own speed is called b.wx
}

TEST(Quantities, AreReadWithoutAllocating) {
  const Mechanism m = load("slider_crank");
  const std::vector<Quantity> all = Quantity::select(m, {"reactions", "power", "multipliers", "accelerations", "forces"});
  State state = start_of(m);
  tree::Workspace w(m);
  double sum = 0;
  const auto read = [&](double t) {
    state.set_time(t);
    tree::realize(state, w, Stage::acceleration);
    for (const Quantity& quantity : all) sum += quantity(state);
  };
  read(0.001);
  EXPECT_EQ(testing_support::allocations_in([&] { read(0.002); }), 0);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(Recording, DoesNotDisturbTheRun) {
  const State start = start_of(load("slider_crank"));
  for (const std::string method : methods) {
    const SimulateOptions options{.method = method, .time = 0.05};
    SimulateOptions recorded = options;
    recorded.record = {"reactions", "power", "work", "accelerations"};
    EXPECT_EQ(simulate(start, options).energy_end, simulate(start, recorded).energy_end) << method;
  }
}

/// Two links with a spring, a damper and a torque: all that gives or takes energy has a work.
const char* const driven = R"((system
  (body "upper" (mass 2) (inertia 0.06 0.06 0.002) (com 0 0 -0.3))
  (body "lower" (mass 1) (inertia 0.02 0.02 0.001) (com 0 0 -0.25) (pose 0 0 -0.6))
  (joint revolute "shoulder" ground "upper" (at 0 0 0) (axis 0 1 0))
  (joint revolute "elbow" "upper" "lower" (at 0 0 -0.6) (axis 0 1 0))
  (frame "hand" "lower" (pose 0 0 -0.5)) (frame "wall" ground (pose 0.4 0 0))
  (spring "wall" "hand" 30 0.5 1) (damping "elbow" 0.2) (generalized-force "shoulder" (sine 3 4))
  (kinematic "elbow" (sine 0.5 3)) (initial ("shoulder" 0.4))))";

/// What is missing between all work and the change of the kinetic energy.
double missing_work(const State& start, const SimulateOptions& options) {
  double first = 0, kinetic = 0;
  long reports = 0;
  const SimulateSummary summary = simulate(start, options, [&](const State& state) {
    kinetic = state.kinetic_energy();
    if (reports++ == 0) first = kinetic;
  });
  EXPECT_TRUE(summary.completed) << summary.failure;
  double work = 0;
  for (const RecordedRange& range : summary.recorded) work += range.last;
  EXPECT_GE(summary.recorded.size(), 5u);
  return std::abs(work - (kinetic - first));
}

// The work-energy theorem, to the order of the method: halving the step divides what is missing by 4 for the variational
// methods, and by about 16 for rk5, whose interpolants are of fourth order.
TEST(Work, IsTheChangeOfTheKineticEnergy) {
  const State start = start_of(model(driven));
  const auto ratio = [&](SimulateOptions options, double h) {
    options.time = 1;
    options.record = {"work"};
    options.dt = h;
    const double coarse = missing_work(start, options);
    options.dt = h / 2;
    return coarse / missing_work(start, options);
  };
  EXPECT_NEAR(ratio({.method = "tree-variational"}, 0.01), 4, 0.4);
  EXPECT_NEAR(ratio({.method = "maximal-variational"}, 0.02), 4, 0.2);
  SimulateOptions rk5{.method = "tree-projected"};
  rk5.options.set("integrator", std::string("rk5"));
  EXPECT_GT(ratio(rk5, 0.02), 10);
}

// The crank's motion takes ten long steps a turn, a third of a turn the longest; what it gives to the piston comes back.
TEST(Work, OfAFullTurnIsNothingHoweverLongTheSteps) {
  const State start = start_of(load("engine"));
  const SimulateSummary summary = simulate(start, {.method = "tree-projected", .time = 0.04, .record = {"main.motion-work"}});
  ASSERT_EQ(summary.recorded.size(), 1u);
  EXPECT_GT(summary.recorded[0].greatest, 1);
  EXPECT_NEAR(summary.recorded[0].last, 0, 1e-4);  // accuracy 1e-6 of the energy of 35 J
}

// It does not matter where the reports are, but for what Simpson's rule does not see: nothing beside 1e-7 J here.
TEST(Work, IsTheSameWhereverReportsAre) {
  const State start = start_of(model(driven));
  SimulateOptions options{.method = "tree-projected", .time = 1, .dt = 0.005, .record = {"work"}};
  const SimulateSummary by_step = simulate(start, options);
  options.interval = 0.0123;
  const SimulateSummary by_interval = simulate(start, options);
  ASSERT_EQ(by_step.recorded.size(), by_interval.recorded.size());
  for (std::size_t i = 0; i < by_step.recorded.size(); ++i)
    EXPECT_NEAR(by_step.recorded[i].last, by_interval.recorded[i].last, 1e-7) << by_step.recorded[i].name;
}

}  // namespace
}  // namespace polhode::study
