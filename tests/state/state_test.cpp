#include "polhode/state/state.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/random_mechanism.h"

namespace polhode {
namespace {

constexpr Stage all_stages[] = {Stage::instance, Stage::time,         Stage::position, Stage::velocity,
                                Stage::dynamics, Stage::acceleration, Stage::report};

class States : public ::testing::Test {
 protected:
  Mechanism mechanism = testing_support::random_mechanism(1, {.bodies = 6});
  State state{mechanism};
};

struct Setter {
  const char* name;
  Stage writes;  ///< the stage whose variables it changes: that one and those after it must go
  std::function<void(State&)> call;
};
const Setter setters[] = {
    {"set_time", Stage::time, [](State& s) { s.set_time(2); }},
    {"set_q of all", Stage::position, [](State& s) { s.set_q(std::vector<double>(s.q().begin(), s.q().end())); }},
    {"set_q of one", Stage::position, [](State& s) { s.set_q(0, 0.5); }},
    {"set_u of all", Stage::velocity, [](State& s) { s.set_u(std::vector<double>(s.u().size(), 1.0)); }},
    {"set_u of one", Stage::velocity, [](State& s) { s.set_u(0, 0.5); }},
    {"set_applied_forces", Stage::dynamics, [](State& s) { s.set_applied_forces(std::vector<double>(s.u().size(), 1.0)); }},
    {"set_applied_force", Stage::dynamics, [](State& s) { s.set_applied_force(0, 0.5); }},
    {"set_z of all", Stage::dynamics, [](State& s) { s.set_z(std::vector<double>(s.z().size(), 1.0)); }},
    {"lock", Stage::time, [](State& s) { s.lock(1); }},
    {"unlock", Stage::time, [](State& s) { s.unlock(1); }},
    {"set_motion_followed", Stage::time, [](State& s) { s.set_motion_followed(1, false); }},
};

TEST_F(States, SettersTakeBackTheirStageAndThoseAboveAndNoOther) {
  for (const Setter& setter : setters) {
    for (const Stage stage : all_stages) {
      state.mark_realized(stage);
      setter.call(state);
      const Stage kept = Stage(int(setter.writes) - 1);
      EXPECT_EQ(state.stage(), stage < kept ? stage : kept) << setter.name << " at stage " << name(stage);
    }
  }
}

struct Reader {
  const char* what;
  Stage needs;
  std::function<void(const State&)> call;
};
const Reader readers[] = {
    {"body poses", Stage::position, [](const State& s) { s.pose(1); }},
    {"body poses", Stage::position, [](const State& s) { s.frame_pose(1); }},
    {"potential energies", Stage::position, [](const State& s) { s.potential_energy(); }},
    {"body velocities", Stage::velocity, [](const State& s) { s.velocity(1); }},
    {"body velocities", Stage::velocity, [](const State& s) { s.frame_velocity(1); }},
    {"coordinate rates", Stage::velocity, [](const State& s) { s.q_dot(); }},
    {"kinetic energies", Stage::velocity, [](const State& s) { s.kinetic_energy(); }},
    {"kinetic energies", Stage::velocity, [](const State& s) { s.energy(); }},
    {"momenta", Stage::velocity, [](const State& s) { s.momentum(); }},
    {"generalized forces", Stage::dynamics, [](const State& s) { s.generalized_forces(); }},
    {"applied wrenches", Stage::dynamics, [](const State& s) { s.applied_wrench(1); }},
    {"accelerations", Stage::acceleration, [](const State& s) { s.u_dot(); }},
    {"auxiliary rates", Stage::dynamics, [](const State& s) { s.z_dot(); }},
    {"multipliers", Stage::acceleration, [](const State& s) { s.multipliers(); }},
    {"motion forces", Stage::acceleration, [](const State& s) { s.motion_forces(); }},
    {"body accelerations", Stage::acceleration, [](const State& s) { s.acceleration(1); }},
};

TEST_F(States, ResultsAreReadableFromTheirStageOnAndNamedBelowIt) {
  for (const Reader& reader : readers) {
    for (const Stage stage : all_stages) {
      SCOPED_TRACE(testing::Message() << reader.what << " at stage " << name(stage));
      state.mark_realized(stage);
      if (stage >= reader.needs) {
        EXPECT_NO_THROW(reader.call(state));
        continue;
      }
      try {
        reader.call(state);
        ADD_FAILURE() << "was readable";
      } catch (const StageError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find(reader.what), std::string::npos) << message;
        EXPECT_NE(message.find(std::string("need stage ") + name(reader.needs)), std::string::npos) << message;
        EXPECT_NE(message.find(std::string("at stage ") + name(stage)), std::string::npos) << message;
      }
    }
  }
}

TEST_F(States, StartsWithTheModelsValuesAndNothingComputed) {
  EXPECT_EQ(state.stage(), Stage::instance);
  EXPECT_EQ(state.time(), 0);
  EXPECT_EQ(std::vector<double>(state.q().begin(), state.q().end()), mechanism.initial_q());
  EXPECT_EQ(std::vector<double>(state.u().begin(), state.u().end()), mechanism.initial_u());
  for (const double f : state.applied_forces()) EXPECT_EQ(f, 0);
}

TEST_F(States, CopiesAreIndependent) {
  state.mark_realized(Stage::report);
  State copy = state;
  copy.set_q(0, 7);
  copy.set_time(3);
  copy.results().kinetic_energy = 5;
  EXPECT_EQ(state.stage(), Stage::report);
  EXPECT_EQ(copy.stage(), Stage::instance);
  EXPECT_NE(state.q()[0], 7);
  EXPECT_EQ(state.time(), 0);
  EXPECT_EQ(state.kinetic_energy(), 0);
}

TEST_F(States, OutlivesTheMechanismItWasMadeFrom) {
  auto* temporary = new Mechanism(testing_support::random_mechanism(2, {.bodies = 3}));
  State survivor(*temporary);
  const int bodies = temporary->num_bodies();
  delete temporary;
  EXPECT_EQ(survivor.mechanism().num_bodies(), bodies);
}

TEST_F(States, RefusesWrongSizesAndIndicesBySayingWhatThereIs) {
  const auto message_of = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  const std::vector<double> too_many(mechanism.num_q() + 5);
  const std::string given = std::to_string(too_many.size());
  EXPECT_NE(message_of([&] { state.set_q(too_many); }).find(given + " numbers given for " + std::to_string(mechanism.num_q())),
            std::string::npos);
  EXPECT_NE(message_of([&] { state.set_u(too_many); }).find(given + " numbers given for " + std::to_string(mechanism.num_u())),
            std::string::npos);
  EXPECT_NE(message_of([&] { state.set_applied_forces(too_many); }).find(given), std::string::npos);
  EXPECT_THROW(state.set_q(-1, 0), std::out_of_range);
  EXPECT_THROW(state.set_q(mechanism.num_q(), 0), std::out_of_range);
  EXPECT_THROW(state.set_u(mechanism.num_u(), 0), std::out_of_range);
  EXPECT_THROW(state.set_applied_force(mechanism.num_u(), 0), std::out_of_range);
}

TEST_F(States, LocksAndUnlocksJointsByNumber) {
  EXPECT_THROW(state.lock(0), std::out_of_range);  // Ground
  EXPECT_THROW(state.lock(mechanism.num_bodies()), std::out_of_range);
  EXPECT_THROW(state.lock(1, Drive::forces), std::invalid_argument);
  EXPECT_THROW(state.lock(1, Drive::fast), std::invalid_argument);
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Joint& joint = mechanism.joints()[std::size_t(b)];
    if (joint.nu == 0) continue;
    state.set_u(joint.first_u, 3);
    state.lock(b, Drive::velocity);
    EXPECT_EQ(state.u()[std::size_t(joint.first_u)], 3);
    state.lock(b);
    EXPECT_TRUE(state.is_locked(b));
    EXPECT_EQ(state.u()[std::size_t(joint.first_u)], 0);  // at rest, as a joint that is held must be
    for (int u = joint.first_u; u < joint.first_u + joint.nu; ++u) {
      EXPECT_EQ(state.drives()[std::size_t(u)], Drive::position);
      EXPECT_TRUE(state.locked_speeds()[std::size_t(u)]);
    }
    state.unlock(b);
    EXPECT_FALSE(state.is_locked(b));
    EXPECT_EQ(state.drives()[std::size_t(joint.first_u)], Drive::forces);
  }
}

TEST_F(States, RefusesBodiesAndFramesThatDoNotExist) {
  state.mark_realized(Stage::report);
  const int no_body = mechanism.num_bodies(), no_frame = int(mechanism.frames().size());
  EXPECT_THROW(state.pose(no_body), std::out_of_range);
  EXPECT_THROW(state.pose(-1), std::out_of_range);
  EXPECT_THROW(state.velocity(no_body), std::out_of_range);
  EXPECT_THROW(state.applied_wrench(no_body), std::out_of_range);
  EXPECT_THROW(state.acceleration(no_body), std::out_of_range);
  EXPECT_THROW(state.frame_pose(no_frame), std::out_of_range);
  EXPECT_THROW(state.frame_velocity(no_frame), std::out_of_range);
  try {
    state.frame_pose(-1);
  } catch (const std::out_of_range& error) {
    EXPECT_NE(std::string(error.what()).find("frame no. -1 was requested"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace polhode
