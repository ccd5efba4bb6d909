// Events that watch what a run can record, at the exact place, by every method.
#include "polhode/study/quantity.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

constexpr std::array methods{"tree-variational", "maximal-variational", "tree-projected", "maximal-projected"};

Mechanism model(const std::string& text) { return format::read_model(text, "test.pol").mechanism; }

SimulateOptions with_small_steps(const std::string& method, double time) {
  SimulateOptions options{.method = method, .time = time};
  if (method.ends_with("variational")) {
    options.dt = 0.001;
  } else {
    options.options.set("accuracy", 1e-9);
  }
  return options;
}

// A pendulum that falls from the horizontal pulls its pivot with 3 m g cos(angle), of which the share along z is 3 m g cos^2:
// it reaches 2 m g where cos^2 = 2/3. The variational methods are off by part of
// (dt w)^2 = 16e-6, w being the angular speed there.
TEST(QuantityEvents, AJointLetsKnowWhenItCarriesTooMuch) {
  const Mechanism pendulum = model(R"((system
    (body "bob" (mass 1) (inertia 1e-9 1e-9 1e-9) (pose 0 0 -1))
    (joint revolute "pin" ground "bob" (at 0 0 0) (axis 0 1 0))
    (initial ("pin" 1.5707963267948966))
    (event "overload" (when (quantity "pin.force.z") rises 19.62) (stop) (say "too much"))))");
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const Outcome outcome = run(start_of(pendulum), with_small_steps(method, 2));
    ASSERT_EQ(outcome.summary.event_counts.front().count, 1) << outcome.summary.failure;
    EXPECT_NEAR(std::pow(std::cos(outcome.end.q()[0]), 2), 2.0 / 3, 1e-5);
  }
}

// A force of 2 N has done 3 J of work where the mass has gone 1.5 m.
TEST(QuantityEvents, WorkCanBeWatched) {
  const Mechanism mass = model(R"((system (gravity 0 0 0) (tx "x" (mass 4)) (generalized-force "x" 2)
    (event "spent" (when (quantity "generalized-force 1.work") rises 3) (stop))))");
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    SimulateOptions options = with_small_steps(method, 5);
    if (options.dt) options.dt = 0.01;  // the motion of a constant force has no error
    const Outcome outcome = run(start_of(mass), options);
    ASSERT_EQ(outcome.summary.event_counts.front().count, 1) << outcome.summary.failure;
    EXPECT_NEAR(outcome.end.q()[0], 1.5, 1e-8);
  }
}

TEST(QuantityEvents, ThoseOfNothingAreRefusedWhereTheyStand) {
  const auto why = [](const std::string& witness) {
    try {
      model("(system (tx \"x\" (mass 1))\n  (event \"e\" (when " + witness + " rises 1)))");
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(why("(quantity \"x.forc\")").find("test.pol:2"), std::string::npos) << why("(quantity \"x.forc\")");
  EXPECT_NE(why("(quantity \"kinetics\")").find("did you mean \"kinetic\""), std::string::npos);
  EXPECT_NE(why("(quantity \"e.trigger\")").find("what an event watches itself"), std::string::npos);
  EXPECT_NE(why("(quantity)").find("quantity"), std::string::npos);
  EXPECT_NE(why("(quantity \"\")").find("quantity"), std::string::npos);
}

// From C++ a witness is a function, and a Quantity is one.
TEST(QuantityEvents, ProgramsWatchQuantitiesToo) {
  const Mechanism pendulum = load("pendulum");
  const Quantity energy(pendulum, "kinetic");
  Event event{.name = "fast",
              .when = Trigger{.witness = [energy](const State& s) { return energy(s) - 1e-3; }, .stage = energy.stage()},
              .handle = {}};
  const SimulateSummary summary = simulate(start_of(pendulum), {.time = 1}, {}, {}, {event});
  EXPECT_GE(summary.event_counts.front().count, 1);
}

}  // namespace
}  // namespace polhode::study
