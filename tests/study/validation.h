#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "polhode/format/language/model.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/support/paths.h"

/// What the tests of published problems share: loading, running to an end, reading what came out.
namespace polhode::study {

inline constexpr double pi = 3.14159265358979323846, standard_gravity = 9.81;

/// Long runs are shortened where sanitizers slow everything down.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POLHODE_SANITIZED
#endif
#endif
#if defined(POLHODE_SANITIZED) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

inline Mechanism load(const std::string& name) { return format::load_model(testing_support::model_path(name)).mechanism; }

/// The model's start, brought onto its constraints.
inline State start_of(const Mechanism& mechanism) {
  State state = tree::initial_state(mechanism);
  EXPECT_TRUE(tree::assemble(state, tree::given_by_model(mechanism)).assembled);
  return state;
}

inline SimulateOptions projected(double time, double accuracy, const std::string& integrator = "rk8") {
  SimulateOptions options{.method = "tree-projected", .time = time, .options = {{"accuracy", accuracy}}};
  options.options.set("integrator", integrator);
  return options;
}
inline SimulateOptions variational(double time, double dt, int order = 2) {
  return {.method = "tree-variational", .time = time, .dt = dt, .options = {{"order", order}}};
}

struct Outcome {
  State end;
  SimulateSummary summary;
};
/// Runs to the end; `report` sees states at the options' interval.
inline Outcome run(const State& start, SimulateOptions options, const Reporter& report = {}) {
  Outcome out{start, {}};
  if (!report) options.interval = options.time;
  out.summary = simulate(start, options, [&](const State& state) {
    out.end = state;
    if (report) report(state);
  });
  EXPECT_TRUE(out.summary.completed) << out.summary.failure;
  tree::realize(out.end, Stage::velocity);
  return out;
}

inline double coordinate(const State& state, const std::string& name) {
  return state.q()[std::size_t(state.mechanism().coordinate(name))];
}
inline double speed(const State& state, const std::string& name) {
  return state.u()[std::size_t(state.mechanism().speed(name))];
}
inline Vec3<double> place(const State& state, const std::string& frame) {
  return state.frame_pose(state.mechanism().frame(frame)).p;
}
inline Vec3<double> velocity(const State& state, const std::string& frame) {
  return state.frame_velocity(state.mechanism().frame(frame)).linear;
}

}  // namespace polhode::study
