#include "polhode/tree/realize.h"

#include <gtest/gtest.h>

#include <thread>

#include "polhode/tree/applied_forces.h"
#include "tests/oracle/oracle.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {
namespace {

using testing_support::near;
using testing_support::numbers;
using testing_support::Random;
using testing_support::random_mechanism;
using testing_support::random_state;

constexpr double rounding = 1e-12;  // as in dynamics_test

/// Every result that the state's stage lets one read, as one list.
std::vector<double> everything(const State& s) {
  std::vector<double> all;
  const auto add = [&](const std::vector<double>& part) { all.insert(all.end(), part.begin(), part.end()); };
  const int bodies = s.mechanism().num_bodies();
  if (s.stage() >= Stage::position) {
    for (int b = 0; b < bodies; ++b) add(numbers(s.pose(b)));
    add({s.potential_energy()});
  }
  if (s.stage() >= Stage::velocity) {
    for (int b = 0; b < bodies; ++b) add(numbers(s.velocity(b)));
    add(numbers(s.q_dot())), add(numbers(s.momentum())), add({s.kinetic_energy(), s.energy()});
  }
  if (s.stage() >= Stage::dynamics) {
    for (int b = 0; b < bodies; ++b) add(numbers(s.applied_wrench(b)));
    add(numbers(s.generalized_forces()));
  }
  if (s.stage() >= Stage::acceleration) {
    for (int b = 0; b < bodies; ++b) add(numbers(s.acceleration(b)));
    add(numbers(s.u_dot()));
  }
  return all;
}

State state_at(const Mechanism& mechanism, unsigned seed) {
  const auto s = random_state(mechanism, seed);
  State state(mechanism);
  state.set_q(s.q), state.set_u(s.u), state.set_applied_forces(s.tau);
  return state;
}

TEST(Realize, GivesWhatTheOracleSays) {
  const Mechanism mechanism = random_mechanism(21, {.forces = true});
  const auto s = random_state(mechanism, 21);
  State state = state_at(mechanism, 21);
  realize(state, Stage::acceleration);
  const std::vector<double> u_dot = numbers(state.u_dot());
  const auto bodies = oracle::motions(mechanism, s.q, s.u, u_dot);
  for (int b = 0; b < mechanism.num_bodies(); ++b) {
    EXPECT_TRUE(near(state.pose(b), bodies[b].X_WB, rounding));
    EXPECT_TRUE(near(state.velocity(b), bodies[b].V_WB, rounding, 1));
    EXPECT_TRUE(near(state.acceleration(b), bodies[b].A_WB, rounding, 1));
  }
  EXPECT_TRUE(near(state.potential_energy(), oracle::potential_energy(mechanism, s.q), rounding));
  EXPECT_TRUE(near(state.kinetic_energy(), oracle::kinetic_energy(mechanism, s.q, s.u), rounding));
  EXPECT_TRUE(near(state.momentum(), oracle::momentum(mechanism, s.q, s.u), rounding));

  // The accelerations need the user's forces and the elements': the residual is rounding of M du/dt, some 100 times larger.
  std::vector<double> needed = oracle::inverse_dynamics(mechanism, s.q, s.u, u_dot),
                      given = oracle::element_forces(mechanism, s.q, s.u);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] += s.tau[i];
  EXPECT_TRUE(near(needed, given, 1e-10));

  for (int f = 0; f < int(mechanism.frames().size()); ++f) {
    const Frame& frame = mechanism.frames()[f];
    EXPECT_TRUE(near(state.frame_pose(f), bodies[frame.body].X_WB * frame.X_BF, rounding));
    EXPECT_TRUE(
        near(state.frame_velocity(f), shifted(bodies[frame.body].V_WB, bodies[frame.body].X_WB.R * frame.X_BF.p), rounding, 1));
  }
}

TEST(Realize, StepByStepInASharedWorkspaceGivesTheSameBitsAsAtOnce) {
  const Mechanism mechanism = random_mechanism(22, {.forces = true});
  Workspace shared(mechanism);
  State states[] = {state_at(mechanism, 1), state_at(mechanism, 2)};
  Random random(22);
  for (int round = 0; round < 200; ++round) {
    State& state = states[random.index(2)];
    const auto s = random_state(mechanism, unsigned(random.index(1000)));
    switch (random.index(5)) {
      case 0: state.set_time(random.uniform(0, 9)); break;
      case 1: state.set_q(s.q); break;
      case 2: state.set_u(s.u); break;
      case 3: state.set_u(random.index(mechanism.num_u()), 0.3); break;
      default: state.set_applied_forces(s.tau);
    }
    const Stage stage = Stage(int(Stage::time) + random.index(6));
    realize(state, shared, stage);
    ASSERT_GE(state.stage(), stage);

    State fresh(mechanism);
    fresh.set_time(state.time()), fresh.set_q(state.q()), fresh.set_u(state.u()),
        fresh.set_applied_forces(state.applied_forces());
    realize(fresh, state.stage());
    ASSERT_EQ(everything(state), everything(fresh)) << "round " << round;
  }
}

TEST(Realize, DoesNotGoBack) {
  State state = state_at(random_mechanism(23), 23);
  realize(state, Stage::acceleration);
  realize(state, Stage::position);
  EXPECT_EQ(state.stage(), Stage::acceleration);
  EXPECT_NO_THROW(state.u_dot());
}

TEST(Realize, RefusesTheWorkspaceOfAnotherMechanism) {
  State state = state_at(random_mechanism(24), 24);
  Workspace other(random_mechanism(25));
  EXPECT_THROW(realize(state, other, Stage::position), std::invalid_argument);
}

TEST(Mechanism, IsSharedByThreadsThatEachHaveAState) {
  const Mechanism mechanism = random_mechanism(26, {.forces = true});
  constexpr int threads = 4, states = 30;
  const auto work = [&](std::vector<std::vector<double>>& out) {
    Workspace w(mechanism);
    for (int i = 0; i < states; ++i) {
      State state = state_at(mechanism, unsigned(i));
      realize(state, w, Stage::report);
      out.push_back(everything(state));
    }
  };
  std::vector<std::vector<double>> expected, found[threads];
  work(expected);
  std::vector<std::thread> running;
  for (auto& out : found) running.emplace_back([&] { work(out); });
  for (std::thread& thread : running) thread.join();
  for (const auto& out : found) EXPECT_EQ(out, expected);
}

/// A pendulum on a cart, and a stone that nothing holds.
MechanismBuilder cart_pendulum_and_stone() {
  MechanismBuilder builder;
  builder.add_body({.name = "cart", .mass = MassProperties::sphere(2, 0.2)});
  builder.add_body({.name = "bob", .mass = MassProperties::sphere(1, 0.1), .drawn_pose = at(0, 0, -1)});
  builder.add_body({.name = "stone", .mass = MassProperties::box(1, {1, 2, 3}), .drawn_pose = at(5, 0, 0)});
  builder.add_joint(
      {.name = "x", .model = Prismatic{}, .child = "cart", .placement = DrawnPlacement{.axis = Vec3<double>{1, 0, 0}}});
  builder.add_joint({.name = "pin",
                     .model = Revolute{},
                     .parent = "cart",
                     .child = "bob",
                     .placement = DrawnPlacement{.axis = Vec3<double>{0, 1, 0}}});
  return builder;
}

TEST(InitialVelocity, BecomesJointSpeedsThatGiveIt) {
  auto builder = cart_pendulum_and_stone();
  // About y with w, a bob one metre below the pin moves along -x relative to the cart.
  builder.set_velocity({"cart", {{}, {3, 0, 0}}});
  builder.set_velocity({"bob", {{0, 2, 0}, {3 - 2, 0, 0}}});
  const Motion<double> tumbling{{0.1, 0.2, 0.3}, {1, 2, 3}};
  builder.set_velocity({"stone", tumbling});
  const Mechanism mechanism = builder.build();
  State state = initial_state(mechanism);
  EXPECT_NEAR(state.u()[mechanism.speed("x'")], 3, 1e-14);
  EXPECT_NEAR(state.u()[mechanism.speed("pin'")], 2, 1e-14);
  realize(state, Stage::velocity);
  EXPECT_TRUE(near(state.velocity(mechanism.body("stone")), tumbling, 1e-14));
}

TEST(InitialVelocity, OfEveryBodyOfARandomTreeComesBack) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    MechanismBuilder builder = testing_support::random_description(seed);
    const Mechanism drawn = builder.build();
    const auto wanted = testing_support::random_state(drawn, seed);
    State moving(drawn);
    moving.set_q(wanted.q);
    moving.set_u(wanted.u);
    realize(moving, Stage::velocity);
    for (int i = 0; i < drawn.num_q(); ++i) builder.set_initial({drawn.coordinate_names()[i], wanted.q[i], {}, {}});
    for (int b = 1; b < drawn.num_bodies(); ++b) builder.set_velocity({drawn.bodies()[b].name, moving.velocity(b), {}});

    State found = initial_state(builder.build());
    realize(found, Stage::velocity);
    // Speeds of order one through some twenty joints, each with its least squares: a thousand roundings at most.
    for (int b = 1; b < drawn.num_bodies(); ++b)
      EXPECT_TRUE(near(found.velocity(b), moving.velocity(b), 1e-11)) << "seed " << seed << ", body " << drawn.bodies()[b].name;
  }
}

TEST(InitialState, ThatIsBeyondTheNumbersIsToldWithItsBody) {
  const auto message = [](const MechanismBuilder& builder) -> std::string {
    try {
      initial_state(builder.build());
    } catch (const ModelError& error) {
      return error.problems().at(0).message;
    }
    return "was taken";
  };
  auto far = cart_pendulum_and_stone(), fast = far, off_center = far;
  far.set_initial({"x", 1e308, {}, {}}).set_initial({"stone.x", 1e308, {}, {}});
  EXPECT_EQ(message(far), "was taken") << "where it is can still be told";
  fast.set_initial({"x", {}, 1e200, {}});
  EXPECT_NE(message(fast).find("\"cart\""), std::string::npos) << "its kinetic energy would be 1e400 J: " << message(fast);
  off_center.add_body({.name = "far", .mass = MassProperties::sphere(1, 1, {1e200, 0, 0})});
  EXPECT_NE(message(off_center).find("\"far\""), std::string::npos) << message(off_center);
}

TEST(InitialVelocity, KeepsSpeedsThatWereGivenToOtherJoints) {
  auto builder = cart_pendulum_and_stone();
  builder.set_initial({"x", {}, 4.0});
  builder.set_velocity({"bob", {{0, 2, 0}, {4 - 2, 0, 0}}});
  const Mechanism mechanism = builder.build();
  const State state = initial_state(mechanism);
  EXPECT_EQ(state.u()[mechanism.speed("x'")], 4);
  EXPECT_NEAR(state.u()[mechanism.speed("pin'")], 2, 1e-14);
}

TEST(InitialVelocity, ThatJointsCannotFollowIsToldWithBodyAndJoint) {
  auto builder = cart_pendulum_and_stone();
  builder.set_velocity({"cart", {{}, {1, 1, 0}}});        // off the rail
  builder.set_velocity({"bob", {{0, 0, 1}, {1, 0, 0}}});  // about another axis than the pin's
  try {
    initial_state(builder.build());
    FAIL() << "was taken";
  } catch (const ModelError& error) {
    ASSERT_EQ(error.problems().size(), 2u);
    EXPECT_NE(error.problems()[0].message.find("\"cart\""), std::string::npos);
    EXPECT_NE(error.problems()[0].message.find("\"x\""), std::string::npos);
    EXPECT_NE(error.problems()[1].message.find("\"bob\""), std::string::npos);
    EXPECT_NE(error.problems()[1].message.find("\"pin\""), std::string::npos);
  }
}

TEST(InitialState, RefusesAMotionThatNoInertiaResists) {
  // Two pins on one axis with nothing between: only the sum of their angles is determined, whatever the axes' common pose.
  for (const double tilt : {0.0, 0.3}) {
    MechanismBuilder builder;
    const Transform<double> tilted{rotation_x(tilt) * rotation_y(2 * tilt), {0.1, tilt, 0}};
    builder.add_body({.name = "nothing"}).add_body({.name = "disk", .mass = MassProperties::sphere(1, 0.2, {0.3, 0, 0})});
    builder.add_joint({.name = "a", .child = "nothing", .placement = LocalPlacement{tilted, tilted}});
    builder.add_joint({.name = "b", .parent = "nothing", .child = "disk", .placement = LocalPlacement{tilted, tilted}});
    const Mechanism mechanism = builder.build();
    try {
      initial_state(mechanism);
      FAIL() << "was taken";
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("joint \"a\""), std::string::npos) << error.what();
    }
  }
}

TEST(InitialState, AcceptsALongChainOfLightLinks) {
  // The whole chain's inertia is 1e12 times that of the first link: no reason to refuse it.
  MechanismBuilder builder;
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "link" + std::to_string(i);
    builder.add_body({.name = name, .mass = MassProperties::rod(1e-3, {1, 0, 0})});
    builder.add_joint({.name = "pin" + std::to_string(i),
                       .parent = i == 0 ? "ground" : "link" + std::to_string(i - 1),
                       .child = name,
                       .placement = LocalPlacement{at(i == 0 ? 0 : 1, 0, 0), {}}});
  }
  EXPECT_NO_THROW(initial_state(builder.build()));
}

}  // namespace
}  // namespace polhode::tree
