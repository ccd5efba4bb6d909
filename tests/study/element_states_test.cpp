// Force elements with states of their own, by every method.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/format/language/model.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/support/allocation_counter.h"

namespace polhode::study {
namespace {

/// A force -k z on one coordinate, with a state that follows motion and is followed by it:
///   dz/dt = (gain u + sin q - z) / lag
class Follower : public ForceElement {
 public:
  struct Law {
    double k, gain, lag;
  };
  Follower(std::string name, int q, int u, Law law)
      : name_(std::move(name)), q_(std::size_t(q)), u_(std::size_t(u)), law_(law) {}
  std::vector<double> initial_z() const override { return {0.3}; }
  std::vector<std::string> z_names() const override { return {name_}; }
  void add_forces(const Configuration& c, AppliedForces& forces) const override { forces.generalized[u_] -= law_.k * c.z[0]; }
  void z_rates(const Configuration& c, std::span<double> z_dot) const override {
    z_dot[0] = (law_.gain * c.u[u_] + std::sin(c.q[q_]) - c.z[0]) / law_.lag;
  }

 private:
  std::string name_;
  std::size_t q_, u_;
  Law law_;
};

/// Two links in space that hang from a turntable.
MechanismBuilder arm() {
  const std::string text = R"((system (body "base" (mass 1) (inertia 0.1 0.1 0.1))
      (body "upper" (mass 2) (inertia 0.06 0.06 0.01) (com 0 0 -0.3))
      (body "lower" (mass 1) (inertia 0.02 0.02 0.01) (com 0 0 -0.25) (pose 0 0 -0.6))
      (joint revolute "turntable" ground "base" (at 0 0 0) (axis 0 0 1))
      (joint revolute "shoulder" "base" "upper" (at 0 0 0) (axis 0 1 0))
      (joint revolute "elbow" "upper" "lower" (at 0 0 -0.6) (axis 0 1 0))
      (initial ("turntable" 0 0.7) ("shoulder" 0.4) ("elbow" 0.8))))";
  return format::read_model(text, "arm.pol").mechanism.description();
}
/// A crank that may go round and closes a loop.
MechanismBuilder four_bar() {
  const std::string text = R"((system (body "crank" (mass 1) (inertia 0.1 0.1 0.01) (com 0 0 0.25))
      (body "rod" (mass 1) (inertia 0.01 0.2 0.2) (com 0.5 0 0.1) (pose 0 0 0.5))
      (body "rocker" (mass 2) (inertia 0.1 0.1 0.01) (com 0 0 0.35) (pose 1 0 0))
      (joint revolute "shoulder" ground "crank" (at 0 0 0) (axis 0 1 0))
      (joint revolute "elbow" "crank" "rod" (at 0 0 0.5) (axis 0 1 0))
      (joint revolute "c" "rod" "rocker" (at 1 0 0.7) (axis 0 1 0)) (joint revolute "d" ground "rocker" (at 1 0 0) (axis 0 1 0))
      (initial ("shoulder" 0.3 1))))";
  return format::read_model(text, "four-bar.pol").mechanism.description();
}

Mechanism followed(MechanismBuilder builder, const Follower::Law& law) {
  for (const char* joint : {"shoulder", "elbow"})
    builder.add_force_element([=](const Mechanism& m) {
      return std::make_shared<Follower>(std::string(joint) + " state", m.coordinate(joint), m.speed(std::string(joint) + "'"),
                                        law);
    });
  return builder.build();
}
State start_of(const Mechanism& mechanism) {
  State start = tree::initial_state(mechanism);
  tree::assemble(start);
  return start;
}
/// Forces and states that act on each other strongly: k gain is a damper of 3 N m s that comes with a lag.
constexpr Follower::Law strong{6, 0.5, 0.2};

struct Way {
  std::string name;
  SimulateOptions options;
};
Way fixed(const char* method, int order, double dt) {
  return {fmt::format("{} of order {}", method, order), {.method = method, .dt = dt, .options = {{"order", order}}}};
}
std::vector<Way> all_ways(double dt) {
  std::vector<Way> ways{fixed("tree-variational", 2, dt),    fixed("tree-variational", 4, dt),
                        fixed("tree-variational", 6, dt),    fixed("maximal-variational", 1, dt),
                        fixed("maximal-variational", 2, dt), fixed("maximal-variational", 4, dt)};
  for (const char* integrator : {"rk5", "verlet", "cvode"})
    ways.push_back({integrator, {.method = "tree-projected", .options = {{"integrator", std::string(integrator)}}}});
  ways.push_back({"maximal-projected", {.method = "maximal-projected", .options = {{"accuracy", 1e-6}}}});
  return ways;
}

/// A state at an end time.
State run_to(const Way& way, const State& start, double time) {
  const auto stepper = make_stepper(start.mechanism(), way.options);
  stepper->set(start);
  while (stepper->time() < time) {
    const StepReport report = stepper->step(time);
    if (!report.ok()) {
      ADD_FAILURE() << way.name << ": " << stepper->explain(report);
      break;
    }
  }
  State end(start.mechanism());
  stepper->get(end);
  return end;
}
double distance(const State& a, const State& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.q().size(); ++i) squares += (a.q()[i] - b.q()[i]) * (a.q()[i] - b.q()[i]);
  for (std::size_t i = 0; i < a.u().size(); ++i) squares += (a.u()[i] - b.u()[i]) * (a.u()[i] - b.u()[i]);
  for (std::size_t i = 0; i < a.z().size(); ++i) squares += (a.z()[i] - b.z()[i]) * (a.z()[i] - b.z()[i]);
  return std::sqrt(squares);
}
Way exact() {
  return {"rk8", {.method = "tree-projected", .options = {{"integrator", std::string("rk8")}, {"accuracy", 1e-12}}}};
}

// Halving the step divides the error of motion and states by 2^order. The smallest errors, of order 6, are 1e4 times those of
// the reference.
TEST(StatesOfElements, AreOfTheOrderOfTheMethod) {
  const Mechanism m = followed(arm(), strong);
  const State start = start_of(m);
  const double time = 0.8;
  const State expected = run_to(exact(), start, time);
  const auto slope = [&](const char* method, int order, double dt) {
    const double coarse = distance(run_to(fixed(method, order, dt), start, time), expected);
    const double fine = distance(run_to(fixed(method, order, dt / 2), start, time), expected);
    return std::log2(coarse / fine);
  };
  EXPECT_NEAR(slope("tree-variational", 2, 0.01), 2, 0.1);
  EXPECT_NEAR(slope("tree-variational", 4, 0.02), 4, 0.3);
  EXPECT_NEAR(slope("tree-variational", 6, 0.04), 6, 0.6);
  EXPECT_NEAR(slope("maximal-variational", 2, 0.01), 2, 0.1);
  EXPECT_NEAR(slope("maximal-variational", 4, 0.02), 4, 0.3);
}

// The same with a loop, where the reference meets its constraints to 1e-12 of motion that is 1e4 times as much off.
TEST(StatesOfElements, AreOfThatOrderInLoopsToo) {
  const Mechanism m = followed(four_bar(), strong);
  const State start = start_of(m);
  const State expected = run_to(exact(), start, 0.5);
  for (const char* method : {"tree-variational", "maximal-variational"}) {
    const double coarse = distance(run_to(fixed(method, 2, 0.01), start, 0.5), expected);
    const double fine = distance(run_to(fixed(method, 2, 0.005), start, 0.5), expected);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << method;
  }
}

TEST(StatesOfElements, ErrorControlKeepsThem) {
  const Mechanism m = followed(arm(), strong);
  const State start = start_of(m);
  const State expected = run_to(exact(), start, 1);
  const Way maximal{"maximal-projected", {.method = "maximal-projected", .options = {{"accuracy", 1e-9}}}};
  const Way tree{"rk5", {.method = "tree-projected", .options = {{"integrator", std::string("rk5")}, {"accuracy", 1e-9}}}};
  // Some hundred steps, each with an error of 1e-9 at most.
  EXPECT_LT(distance(run_to(maximal, start, 1), expected), 3e-7);
  EXPECT_LT(distance(run_to(tree, start, 1), expected), 3e-7);
}

// A lag of 1e-4 s at steps of 1e-2 s: the state is where its rate vanishes but for what it starts with, which a symmetric rule
// swings about that; forces are as a damper's and a spring's without any lag. The step's own error is 1e-4 of motion.
TEST(StatesOfElements, FasterThanAStepNeitherStopNorBlowItUp) {
  const double lag = 1e-4;
  const Mechanism fast = followed(arm(), {4, 0.5, lag});
  State start = start_of(fast);
  for (int k = 0; k < 2; ++k) start.set_z(k, 0.5 * start.u()[std::size_t(k + 1)] + std::sin(start.q()[std::size_t(k + 1)]));
  const State expected = run_to(
      {"cvode", {.method = "tree-projected", .options = {{"integrator", std::string("cvode")}, {"accuracy", 1e-8}}}}, start, 1);
  for (const char* method : {"tree-variational", "maximal-variational"})
    for (const int order : {2, 4}) {
      const State end = run_to(fixed(method, order, 0.01), start, 1);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(end.q()[i], expected.q()[i], 2e-3) << method << order;
        EXPECT_NEAR(end.u()[i], expected.u()[i], 1e-2) << method << order;
      }
      for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(end.z()[k], expected.z()[k], 5e-2) << method << order;
    }
}

/// dz/dt = u cos z is the same backwards in time, with speeds turned round.
class Reversible : public Follower {
 public:
  Reversible(int q, int u) : Follower("z", q, u, {3, 0, 1}), u_(std::size_t(u)) {}
  void z_rates(const Configuration& c, std::span<double> z_dot) const override { z_dot[0] = c.u[u_] * std::cos(c.z[0]); }

 private:
  std::size_t u_;
};

// Symmetric rules lead back to where a motion came from, to rounding and Newton's tolerance: 1e-12 a step, grown by the motion.
TEST(StatesOfElements, GoBackTheWayTheyCame) {
  MechanismBuilder builder = arm();
  builder.add_force_element(
      [](const Mechanism& m) { return std::make_shared<Reversible>(m.coordinate("elbow"), m.speed("elbow'")); });
  const Mechanism m = builder.build();
  const State start = start_of(m);
  for (const char* method : {"tree-variational", "maximal-variational"})
    for (const int order : {2, 4}) {
      const Way way = fixed(method, order, 0.02);
      State there = run_to(way, start, 0.4);
      EXPECT_GT(std::abs(there.z()[0] - start.z()[0]), 0.05);
      there.set_time(0);
      for (int i = 0; i < 3; ++i) there.set_u(i, -there.u()[std::size_t(i)]);
      State back = run_to(way, there, 0.4);
      for (int i = 0; i < 3; ++i) back.set_u(i, -back.u()[std::size_t(i)]);
      EXPECT_LT(distance(back, start), 1e-9) << way.name;
    }
}

TEST(StatesOfElements, AllocateNothing) {
  const Mechanism m = followed(arm(), strong);
  for (const Way& way : all_ways(0.005)) {
    const auto stepper = make_stepper(m, way.options);
    State state = start_of(m);
    stepper->set(state);
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(stepper->step(10).ok()) << way.name;
    EXPECT_EQ(testing_support::allocations_in([&] {
                for (int k = 0; k < 5; ++k) {
                  stepper->step(10);
                  stepper->get(state);
                }
              }),
              0)
        << way.name;
  }
}

TEST(StatesOfElements, GoOnToTheLastBitAfterACheckpoint) {
  const Mechanism m = followed(arm(), strong);
  for (const Way& way : all_ways(0.005)) {
    if (way.name == "cvode") continue;  // starts anew at order one
    const auto run = [&](bool interrupted) {
      auto stepper = make_stepper(m, way.options);
      stepper->set(start_of(m));
      for (int k = 0; k < 6; ++k) {
        if (interrupted && k == 3) {
          Memory saved;
          stepper->remember(saved);
          stepper = make_stepper(m, way.options);
          Memory given(saved.bytes());
          stepper->remember(given);
        }
        EXPECT_TRUE(stepper->step(10).ok());
      }
      State end(m);
      stepper->get(end);
      return end;
    };
    const State expected = run(false), resumed = run(true);
    EXPECT_EQ(distance(resumed, expected), 0) << way.name;
  }
}

// A spring that is stiff within a step makes maximal-variational take forces at the middle of steps. At rest for fifty steps,
// the bob is then pushed by a signal: the work that its forces do is all the energy it has, and nothing to be suspicious of.
TEST(EnergyWatch, LetsSignalsPushWhatIsAtRest) {
  const Mechanism m = format::read_model(R"((system (gravity 0 0 0) (tx "x" (mass 1)) (tx "y" (mass 1))
      (torsion-spring "y" 1e6 0)
      (generalized-force "x" (samples (0 0) (0.5 0) (0.52 3) (2 3) (linear)))))",
                                         "pushed.pol")
                          .mechanism;
  const auto stepper = make_stepper(m, {.method = "maximal-variational", .dt = 0.01});
  stepper->set(tree::initial_state(m));
  while (stepper->time() < 1) {
    const StepReport report = stepper->step(1);
    ASSERT_TRUE(report.ok()) << stepper->explain(report);
  }
  EXPECT_EQ(stepper->statistics().steps, 100);  // none halved
}

/// Turns a rotor by a torque that is a discrete variable.
class Switched : public ForceElement {
 public:
  std::vector<double> initial_discrete() const override { return {2}; }
  std::vector<std::string> discrete_names() const override { return {"torque"}; }
  void add_forces(const Configuration& c, AppliedForces& forces) const override { forces.generalized[0] += c.discrete[0]; }
};

// Two seconds at 2 N m, one at -1 N m, on 0.5 kg m^2: 8 - 2 = 6 rad/s, and 8 + 8 - 1 = 15 rad.
TEST(StatesOfElements, EventsChangeDiscreteVariables) {
  const char* const rotor = R"((system (gravity 0 0 0) (rz "r" (mass 1 0.3 0.3 0.5))))";
  MechanismBuilder builder = format::read_model(rotor, "rotor.pol").mechanism.description();
  builder.add_force_element([](const Mechanism&) { return std::make_shared<Switched>(); });
  const Mechanism m = builder.build();
  const Event switched{"switch", AtTimes{{2}}, [](State& s) {
                         s.set_discrete(0, -1);
                         return EventAction{};
                       }};
  for (const Way& way : all_ways(0.01)) {
    if (way.name == "maximal-variational of order 1") continue;
    SimulateOptions options = way.options;
    options.time = 3;
    double q = 0, u = 0, torque = 0;
    simulate(start_of(m), options,
             [&](const State& state) {
               q = state.q()[0], u = state.u()[0];
               torque = state.discrete()[0];
             },
             {}, {switched});
    EXPECT_NEAR(u, 6, 1e-3) << way.name;
    EXPECT_NEAR(q, 15, 1e-2) << way.name;
    EXPECT_EQ(torque, -1) << way.name;
  }
}

/// A rate that jumps the wrong way at z = 1: from there no rule can tell where z goes.
class Stuck : public Follower {
 public:
  Stuck() : Follower("stuck", 0, 0, {0, 0, 1}) {}
  void z_rates(const Configuration& c, std::span<double> z_dot) const override { z_dot[0] = c.z[0] < 1 ? 1 : -1; }
};

TEST(StatesOfElements, RatesWithoutSolutionAreNamed) {
  MechanismBuilder builder = arm();
  builder.add_force_element([](const Mechanism&) { return std::make_shared<Stuck>(); });
  const Mechanism m = builder.build();
  for (const char* method : {"tree-variational", "maximal-variational"}) {
    const auto stepper = make_stepper(m, {.method = method, .dt = 0.01});
    stepper->set(start_of(m));
    StepReport report;
    do report = stepper->step(10);
    while (report.ok() && stepper->time() < 1);
    ASSERT_FALSE(report.ok()) << method;
    EXPECT_NEAR(stepper->time(), 0.7, 0.01);
    EXPECT_NE(stepper->explain(report).find("auxiliary state \"stuck\""), std::string::npos) << stepper->explain(report);
  }
}

}  // namespace
}  // namespace polhode::study
