#include "tests/support/random_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/maximal/tree_map.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"

namespace polhode::testing_support {
namespace {

/// All bodies where they are drawn, each with a velocity of its own that no joint was asked about.
maximal::Bodies drawn_bodies(const Mechanism& mechanism, const Sketch& sketch) {
  maximal::Bodies bodies(std::size_t(mechanism.num_bodies()));
  const Units& unit = sketch.units;
  std::vector<Transform<double>> drawn(mechanism.bodies().size());
  for (const BodySpec& spec : mechanism.description().bodies()) drawn[std::size_t(mechanism.body(spec.name))] = spec.drawn_pose;
  for (std::size_t b = 1; b < drawn.size(); ++b) {
    const Body& body = mechanism.bodies()[b];
    const Transform<double>& X_WB = drawn[body.part_of < 0 ? b : std::size_t(body.part_of)];
    bodies[b] = {.x = X_WB * body.mass.com,
                 .r = quaternion(X_WB.R),
                 .w = (1 / unit.time) * sketch.random.vec3(1),
                 .v = (unit.length / unit.time) * sketch.random.vec3(1)};
  }
  return bodies;
}

/// The largest angular speed, or speed over unit length, times the unit of time.
double pace_of(State& state, const Units& unit) {
  tree::realize(state, Stage::velocity);
  double largest = 0;
  for (int b = 1; b < state.mechanism().num_bodies(); ++b) {
    const Motion<double>& V = state.velocity(b);
    largest = std::max({largest, norm(V.angular) * unit.time, norm(V.linear) * unit.time / unit.length});
  }
  return largest;
}

bool moves_by_itself(const Mechanism& m) {
  if (!m.driven().empty()) return true;
  for (const InitialLock& lock : m.initial_locks())
    if (lock.level != Drive::position) return true;
  for (const ConstraintSpec& c : m.description().constraints())
    if (std::holds_alternative<MotionConstraintSpec>(c.model)) return true;
  return false;
}

/// Speeds that keep the constraints, of which the fastest is of order one.
void choose_speeds(State& state, std::vector<double> u, const Sketch& sketch) {
  const Mechanism& m = state.mechanism();
  for (int i = 0; i < m.num_u(); ++i)
    if (m.is_kinematic(i) || state.drives()[std::size_t(i)] != Drive::forces) u[std::size_t(i)] = state.u()[std::size_t(i)];
  state.set_u(u);
  const tree::Assembly assembly = tree::assemble(state);
  const double moved = assembly.moved / std::min(1.0, sketch.units.length);
  if (!assembly.assembled || moved > 1e-9)
    throw std::runtime_error(fmt::format("the drawing is not taken as assembled: error {} before, {} after, moved {}, worst {}",
                                         assembly.error_before, assembly.error_after, assembly.moved, assembly.worst));
  if (moves_by_itself(m)) return;
  const double pace = pace_of(state, sketch.units), wanted = 1.5;
  if (pace <= wanted) return;
  std::vector<double> slower(state.u().begin(), state.u().end());
  for (double& x : slower) x *= wanted / pace;
  state.set_u(slower);
}

}  // namespace

State drawn_start(const Sketch& sketch) {
  const Mechanism mechanism = sketch.builder.build();
  State state = tree::initial_state(mechanism);
  std::vector<double> q(state.q().begin(), state.q().end()), u(q.size());
  u.resize(std::size_t(mechanism.num_u()));
  if (sketch.bodies().empty()) {  // not drawn, but nested: every coordinate is a joint's
    for (double& x : q) x = sketch.random.uniform(-0.8, 0.8);
    for (double& x : u) x = sketch.random.uniform(-1, 1);
  } else {
    maximal::to_tree(mechanism, drawn_bodies(mechanism, sketch), q, u);
  }
  for (int i = 0; i < mechanism.num_q(); ++i) state.set_q(i, q[std::size_t(i)]);
  choose_speeds(state, u, sketch);
  return state;
}

State carried_over(const State& start, const Mechanism& to, const Transform<double>& X, const Renamed& names) {
  const Mechanism& from = start.mechanism();
  maximal::Bodies before, after(std::size_t(to.num_bodies()));
  maximal::to_bodies(from, start.q(), start.u(), before);
  after[0] = before[0];
  std::vector<int> counterpart(after.size());
  for (int b = 1; b < from.num_bodies(); ++b) {
    const Body& body = from.bodies()[std::size_t(b)];
    if (body.part_of >= 0) continue;
    const auto named = names.new_name.find(body.name);
    counterpart[std::size_t(to.body(named == names.new_name.end() ? body.name : named->second))] = b;
  }
  for (std::size_t b = 1; b < after.size(); ++b) {
    const Body& body = to.bodies()[b];
    const int old = counterpart[body.part_of < 0 ? b : std::size_t(body.part_of)];
    const maximal::BodyMotion& m = before[std::size_t(old)];
    const Mat3<double> R = rotation(m.r);
    // A body that is in a tree twice has a centre of mass of its own at either place.
    const Vec3<double> shift = body.mass.com - from.bodies()[std::size_t(old)].mass.com;
    after[b] = {.x = X * (m.x + R * shift), .r = quaternion(X.R * R), .w = m.w, .v = X.R * (m.v + R * cross(m.w, shift))};
  }
  State state = tree::initial_state(to);
  std::vector<double> q(state.q().begin(), state.q().end()), u(std::size_t(to.num_u()));
  maximal::to_tree(to, after, q, u);
  state.set_q(q);
  state.set_u(u);
  return state;
}

}  // namespace polhode::testing_support
