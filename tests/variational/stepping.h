#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "polhode/format/language/model.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "polhode/variational/tree/tree_variational.h"
#include "tests/support/long_run.h"
#include "tests/support/paths.h"
#include "tests/support/random_mechanism.h"

/// What the tests of tree-variational share.
namespace polhode::variational {

using testing_support::last_seed;
using testing_support::long_run;

/// The joint types that steps are tested on.
inline bool takes_part(const JointModel& model) {
  return !std::holds_alternative<Custom>(model);  // the random ones have speeds that are not rates, which are refused
}
inline bool is_line(const JointModel& model) {
  return std::holds_alternative<LineOrientation>(model) || std::holds_alternative<FreeLine>(model);
}
inline testing_support::TreeOptions tested(testing_support::TreeOptions options = {}) {
  options.joints = takes_part;
  return options;
}
/// The same without line joints, whose lack of spin is no law of mechanics.
inline testing_support::TreeOptions without_lines(testing_support::TreeOptions options = {}) {
  options.joints = [](const JointModel& model) { return takes_part(model) && !is_line(model); };
  return options;
}

inline Mechanism load(const std::string& name) { return format::load_model(testing_support::model_path(name)).mechanism; }

inline State state_of(const Mechanism& mechanism, std::span<const double> q, std::span<const double> u) {
  State state(mechanism);
  state.set_q(q);
  state.set_u(u);
  return state;
}
inline State random_start(const Mechanism& mechanism, unsigned seed) {
  const auto s = testing_support::random_state(mechanism, seed);
  return state_of(mechanism, s.q, s.u);
}

/// Steps until a time; `after` sees the stepper after each one. False, and a failed test, when a step fails.
template <class AnyStepper, class After>
bool run(AnyStepper& stepper, double t_end, const After& after) {
  while (stepper.time() < t_end) {
    const StepReport report = stepper.step(t_end);
    if (!report.ok()) {
      ADD_FAILURE() << stepper.explain(report);
      return false;
    }
    after();
  }
  return true;
}
template <class AnyStepper>
bool run(AnyStepper& stepper, double t_end) {
  return run(stepper, t_end, [] {});
}

/// The stepper's state, realized to velocity.
template <class AnyStepper>
State reached(const AnyStepper& stepper, const Mechanism& mechanism) {
  State state(mechanism);
  stepper.get(state);
  tree::realize(state, Stage::velocity);
  return state;
}

inline TreeVariational started(const State& start, const TreeVariationalOptions& options) {
  TreeVariational stepper(start.mechanism(), options);
  stepper.set(start);
  return stepper;
}
/// The state at t_end of a run from `start`.
inline State end_of_run(const State& start, double t_end, const TreeVariationalOptions& options) {
  TreeVariational stepper = started(start, options);
  run(stepper, t_end);
  return reached(stepper, start.mechanism());
}

/// The chain of the benchmarks: n rods of 1 kg and 1 m, straight, turned by an angle from the vertical.
inline MechanismBuilder rods(int n, bool ball = false, double angle = 0.5) {
  MechanismBuilder builder;
  const Mat3<double> axes = ball ? Mat3<double>::identity() : Mat3<double>{{Vec3<double>{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
  for (int i = 1; i <= n; ++i) {
    const std::string name = "link" + std::to_string(i);
    builder.add_body({.name = name, .mass = {1, {0, 0, -0.5}, SymMat3<double>::diagonal({1.0 / 12, 1.0 / 12, 0.01})}});
    builder.add_joint({.name = "joint" + std::to_string(i),
                       .model = ball ? JointModel(Ball{}) : JointModel(Revolute{}),
                       .parent = i == 1 ? ground_name : "link" + std::to_string(i - 1),
                       .child = name,
                       .placement = LocalPlacement{{axes, {0, 0, i == 1 ? 0.0 : -1.0}}, {axes, {}}}});
  }
  if (ball) {
    builder.set_initial({.coordinate = "joint1.qw", .value = std::cos(0.5 * angle)});
    builder.set_initial({.coordinate = "joint1.qy", .value = std::sin(0.5 * angle)});
  } else {
    builder.set_initial({.coordinate = "joint1", .value = angle});
  }
  return builder;
}

}  // namespace polhode::variational
