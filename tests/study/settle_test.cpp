#include "polhode/study/settle.h"

#include <gtest/gtest.h>

#include "polhode/format/language/model.h"
#include "polhode/tree/assembly_memory.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

State start_of(const std::string& text) { return tree::initial_state(format::read_model(text, "test.pol").mechanism); }

void settle(const State& before, State& state) {
  tree::AssemblyMemory memory(state.mechanism());
  study::settle(before, state, memory);
}

// Two links that float free and turn; locking the joint between them is an impact inside, so all momentum stays.
TEST(Settle, LockingAJointKeepsTheTotalMomentum) {
  const State before = start_of(R"((system (gravity 0 0 0)
    (body "a" (mass 1) (inertia 0.1 0.2 0.3)) (body "b" (mass 2) (inertia 0.2 0.2 0.1) (pose 1 0.2 0))
    (joint free "float" ground "a") (joint revolute "elbow" "a" "b" (at 0.5 0 0) (axis 1 2 3))
    (initial ("elbow" 0.4 3) ("float.wx" (speed 0.3)) ("float.wy" (speed -1)) ("float.vz" (speed 2)))))");
  State state = before;
  const int elbow = state.mechanism().joint("elbow");
  state.lock(elbow);
  settle(before, state);
  EXPECT_EQ(state.u()[std::size_t(state.mechanism().speed("elbow'"))], 0);
  State start = before;
  tree::realize(start, Stage::velocity);
  tree::realize(state, Stage::velocity);
  EXPECT_LT(norm(state.momentum().force - start.momentum().force), 1e-13);  // a dense solve of seven unknowns of order one
  EXPECT_LT(norm(state.momentum().moment - start.momentum().moment), 1e-13);
  EXPECT_LT(state.kinetic_energy(), start.kinetic_energy());
}

TEST(Settle, ScalesQuaternionsToUnitLengthAndKeepsSignals) {
  const State before = start_of(R"((system (body "top" (mass 1) (inertia 1 1 1)) (tz "lift" (mass 1))
    (kinematic "lift" (polynomial 0.5 2))))");
  State state = before;
  const Mechanism& m = state.mechanism();
  state.set_q(m.coordinate("top.qx"), 1);
  state.set_q(m.coordinate("lift"), 9);
  settle(before, state);
  EXPECT_DOUBLE_EQ(state.q()[std::size_t(m.coordinate("top.qw"))], std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(state.q()[std::size_t(m.coordinate("top.qx"))], std::sqrt(0.5));
  EXPECT_EQ(state.q()[std::size_t(m.coordinate("lift"))], 0.5);
}

// What the handler set stays where it was put, and the rest of the loop follows.
TEST(Settle, KeepsWhatWasSetOnALoop) {
  const State before = start_of("(system (rz \"a\" (mass 1 1 1 1)) (rz \"b\" (mass 1 1 1 1)) (gear \"a\" \"b\" 2))");
  State state = before;
  state.set_q(0, 0.5);
  state.set_u(0, 3);
  settle(before, state);
  EXPECT_EQ(state.q()[0], 0.5);
  EXPECT_NEAR(state.q()[1], 1, 1e-12);
  EXPECT_EQ(state.u()[0], 3);
  EXPECT_NEAR(state.u()[1], 6, 1e-12);
}

}  // namespace
}  // namespace polhode::study
