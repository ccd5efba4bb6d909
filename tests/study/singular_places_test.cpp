// Where coordinates or constraints lose their meaning: runs pass such places when the mechanism does, and stop with a message
// when it does not.
#include <fmt/format.h>

#include "tests/study/validation.h"

namespace polhode::study {
namespace {

State start_of_text(const std::string& text) { return start_of(format::read_model(text, "model.pol").mechanism); }

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr const char* gimbal = R"((system (gravity 0 0 0) (body "b" (mass 1) (inertia 0.1 0.15 0.2))
  (joint gimbal "g" ground "b" (at 0 0 0)) (torsion-spring "g.y" 1 0)
  (initial ("g.x" -1.9 1.8) ("g.y" -1.2 -2.9) ("g.z" -1.4 1.6))))";
constexpr const char* bushing = R"((system (gravity 0 0 0) (body "b" (mass 1) (inertia 0.1 0.15 0.2))
  (joint bushing "g" ground "b" (at 0 0 0)) (torsion-spring "g.angle_y" 1 0)
  (initial ("g.angle_x" -1.9 1.8) ("g.angle_y" -1.2 -2.9) ("g.angle_z" -1.4 1.6))))";

// The second angle comes within 12 degrees of a quarter turn, where the first and the third change by most of a half turn in a
// few steps. Angles are those of tree-projected, which are coordinates there, to the order of the method: two.
TEST(GimbalNearItsSingularPlace, HasTheAnglesOfTreeCoordinatesByMaximalMethods) {
  for (const char* model : {gimbal, bushing}) {
    const State start = start_of_text(model);
    const auto exact = run(start, projected(0.5, 1e-12)).end;
    const auto off = [&](SimulateOptions options) {
      options.time = 0.5;
      const auto outcome = run(start, options);
      double most = std::abs(outcome.summary.energy_end - outcome.summary.energy_start);
      for (int i = 0; i < 3; ++i) most = std::max(most, std::abs(outcome.end.q()[std::size_t(i)] - exact.q()[std::size_t(i)]));
      return most;
    };
    const double coarse = off({.method = "maximal-variational", .dt = 0.01}),
                 fine = off({.method = "maximal-variational", .dt = 0.005});
    EXPECT_LT(coarse, 0.1);
    EXPECT_LT(fine, coarse / 3);
    EXPECT_LT(off({.method = "maximal-projected", .options = {{"accuracy", 1e-9}}}), 1e-6);
  }
}

/// A wheel without spin falls over.
constexpr const char* falling_wheel = R"((system
  (body "disk" (mass 2) (inertia 0.02 0.02 0.04) (pose 0.5 0 0.1879385241571817 (rpy 0 (deg 70) 0)))
  (rolling-disk "disk" ground 0.2 (name "contact"))))";

// Nothing takes its energy before that, so that all of it is there when it stops, to the accuracy of the run: 1e-6 of speeds of
// some units in each of some hundred steps.
TEST(WheelThatFallsFlat, StopsProjectedRunsWithItsEnergyAndAMessage) {
  const State start = start_of_text(falling_wheel);
  for (const char* method : {"tree-projected", "maximal-projected"}) {
    const SimulateSummary summary = simulate(start, {.method = method, .time = 2});
    EXPECT_FALSE(summary.completed) << method;
    EXPECT_TRUE(says(summary.failure, "\"contact\"") && says(summary.failure, "flat")) << summary.failure;
    EXPECT_NEAR(summary.energy_end, summary.energy_start, 1e-3) << method;
    EXPECT_LT(summary.steps.steps, 10000) << method;
  }
}

// Advice for programs has the names of their options; the command line puts its own in their place.
TEST(WheelThatFallsFlat, IsExplainedWithoutTheCommandLine) {
  const State start = start_of_text(falling_wheel);
  for (const char* method : {"tree-projected", "maximal-projected"}) {
    const SimulateSummary summary = simulate(start, {.method = method, .time = 2, .dt = 0.004});
    EXPECT_TRUE(says(summary.failure, "dt = 0.001 s") && !says(summary.failure, "--")) << summary.failure;
  }
}

// One that leans and rolls in a circle never does.
TEST(WheelThatFallsFlat, IsNotSeenWhereItRolls) {
  const State start = start_of(load("rolling_disk"));
  for (const char* method : {"tree-projected", "maximal-projected"}) run(start, {.method = method, .time = 5});
}

/// Two bodies fall straight at each other and meet after pi/4 s (half a period of an ellipse of half axis 1/2 m, G M = 2).
constexpr const char* head_on = R"((system (gravity 0 0 0)
  (body "a" (mass 1) (inertia 0.1 0.1 0.1) (pose -0.5 0 0))
  (body "b" (mass 1) (inertia 0.1 0.1 0.1) (pose 0.5 0 0))
  (attraction 1)))";

TEST(BodiesThatMeet, CompleteNoRunWithAnEnergyThatWasNeverThere) {
  const State start = start_of_text(head_on);
  for (const std::string& method : method_names()) {
    const SimulateSummary summary = simulate(start, {.method = method, .time = 2});
    EXPECT_FALSE(summary.completed) << method;
    EXPECT_FALSE(summary.failure.empty()) << method;
  }
  // Whatever is reported later, the end is what counts.
  const SimulateSummary summary = simulate(start, {.method = "maximal-variational", .time = 2, .dt = 0.01, .interval = 2.0});
  EXPECT_FALSE(summary.completed);
  EXPECT_TRUE(says(summary.failure, "energy")) << summary.failure;
}

// A pendulum that starts level at height zero has no energy at all to begin with; that it has some later is no alarm.
TEST(BodiesThatMeet, AreNotSeenInAPendulumThatStartsWithoutEnergy) {
  const State start = start_of_text(R"((system (ry "a" (tx 1 (mass 1)))))");
  for (const std::string& method : method_names()) run(start, {.method = method, .time = 3});
}

// A planet falls into the sun, past it, or nearly so. Steps that fly by too long make it faster than any place explains.
TEST(BodiesThatMeet, DoNotPassForAnOrbitWhereStepsAreTooLong) {
  for (const double speed : {0.0, 0.01, 0.1})
    for (const double dt : {0.005, 0.01, 0.02})
      for (const char* method : {"tree-variational", "maximal-variational"}) {
        const State start = start_of_text(fmt::format(
            R"((system (gravity 0 0 0) (body "sun" (mass 1000) (inertia 1 1 1)) (joint weld "held" ground "sun")
              (body "planet" (mass 1) (pose 0.4 0 0)) (attraction 1e-3 "sun" "planet") (velocity "planet" (linear 0 {} 0))))",
            speed));
        double kinetic = 0, deepest = 0;
        const SimulateSummary summary = simulate(start, {.method = method, .time = 0.5, .dt = dt}, [&](const State& state) {
          deepest = std::max(deepest, -state.potential_energy());
          kinetic = state.kinetic_energy();
        });
        // From -2.5 J no more kinetic energy can come than the deepest place gives; four times as much is nonsense.
        if (summary.completed) {
          EXPECT_LT(kinetic, 4 * deepest) << method << ' ' << speed << ' ' << dt;
        }
      }
}

}  // namespace
}  // namespace polhode::study
