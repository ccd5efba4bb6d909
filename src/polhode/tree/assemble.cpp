#include "polhode/tree/assemble.h"

#include <algorithm>
#include <cmath>

#include "polhode/mechanism/builder.h"
#include "polhode/tree/applied_forces.h"
#include "polhode/tree/assembler.h"
#include "polhode/tree/chart_move.h"

namespace polhode::tree {
namespace {

std::string name_of(const UnmetRow& row) { return row.owner + " row " + std::to_string(row.row + 1); }

void note_unmet(Assembler& assembler, const std::vector<double>& q, double tolerance, Assembly& out) {
  out.unmet = assembler.unmet(q, tolerance);
  const auto worst = std::max_element(out.unmet.begin(), out.unmet.end(), [](const UnmetRow& a, const UnmetRow& b) {
    return std::abs(a.error) < std::abs(b.error);
  });
  if (worst != out.unmet.end()) out.worst = name_of(*worst);
}

void note_changes(const State& state, const std::vector<double>& q, const std::vector<char>& given,
                  const std::vector<double>& scales, Assembly& out) {
  const std::vector<int> speeds = speeds_of_coordinates(state.mechanism());
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (q[i] == state.q()[i]) continue;
    const int u = speeds[i];
    out.changes.push_back({int(i), state.q()[i], q[i], u >= 0 && !given.empty() && given[std::size_t(u)] != 0,
                           u >= 0 ? scales[std::size_t(u)] : 1.0});
    out.moved = std::max(out.moved, std::abs(q[i] - state.q()[i]));
  }
}

double kinetic_energy_of(const State& state, Workspace& w) {
  kinematics(w, state.q(), state.u());
  read_bodies(w);
  return kinetic_energy(w);
}

/// Goals that draw the given coordinates back to where they were.
Goals stay(const State& state, const std::vector<char>& given) {
  Goals goals;
  const std::vector<int> speeds = speeds_of_coordinates(state.mechanism());
  for (int q = 0; q < state.mechanism().num_q(); ++q)
    if (speeds[q] >= 0 && given[speeds[q]] != 0) goals.coordinates.push_back({q, state.q()[q]});
  return goals;
}

/// Constraints alone, with what is given kept where it can be.
bool meet(Assembler& assembler, const State& state, const AssembleOptions& o, std::vector<double>& q, bool& given_kept) {
  const std::vector<char>& given = o.given.coordinate;
  const bool any_given = std::find_if(given.begin(), given.end(), [](char c) { return c != 0; }) != given.end();
  if (any_given) {
    assembler.hold(given);
    if (assembler.meet_constraints(q, false)) return true;
    q.assign(state.q().begin(), state.q().end());
    assembler.hold({});
  }
  const bool assembled = assembler.meet_constraints(q);
  given_kept = !any_given;
  if (!assembled || !any_given) return assembled;
  AssemblerOptions back = o.positions;
  back.goals = stay(state, given);
  Assembler(state, back).approach_goals(q, 0);
  given_kept = std::all_of(back.goals.coordinates.begin(), back.goals.coordinates.end(), [&](const CoordinateGoal& goal) {
    return std::abs(q[std::size_t(goal.q)] - goal.target) <= o.positions.tolerance;
  });
  return true;
}

constexpr double velocity_tolerance = 1e-9;  // [m/s], [rad/s]

bool has_goals(const VelocityGoals& goals) { return !goals.frames.empty() || !goals.speeds.empty(); }

bool is_nothing_to_do(const Mechanism& mechanism, const AssembleOptions& o) {
  return mechanism.num_constraint_elements() == 0 && o.positions.goals.empty() && !has_goals(o.velocities);
}

}  // namespace

Given given_by_model(const Mechanism& mechanism) {
  Given given{std::vector<char>(mechanism.num_u()), std::vector<char>(mechanism.num_u())};
  const auto index_in = [](const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : int(found - names.begin());
  };
  for (const InitialValue& initial : mechanism.description().initial_values()) {
    int u = index_in(mechanism.speed_names(), initial.coordinate);  // a speed by its own name
    const int q = index_in(mechanism.coordinate_names(), initial.coordinate);
    for (const Joint& joint : mechanism.joints())
      if (joint.nq == joint.nu && q >= joint.first_q && q < joint.first_q + joint.nq) u = joint.first_u + q - joint.first_q;
    if (u < 0) continue;  // part of a quaternion
    if (q >= 0 && initial.value) given.coordinate[u] = 1;
    if (initial.speed) given.speed[u] = 1;
  }
  return given;
}

Assembly assemble(State& state, const AssembleOptions& o) {
  if (is_nothing_to_do(state.mechanism(), o)) return {};
  AssemblyMemory memory(state.mechanism());
  return assemble(state, o, memory);
}

Assembly assemble(State& state, const AssembleOptions& o, AssemblyMemory& memory) {
  Assembly result;
  if (is_nothing_to_do(state.mechanism(), o)) return result;

  Assembler assembler(state, o.positions, memory);
  std::vector<double> q(state.q().begin(), state.q().end());
  result.error_before = assembler.largest_error(q);
  result.goal_before = assembler.goal(q);
  if (assembler.has_goals()) {
    result.assembled = assembler.meet_constraints(q);
    if (result.assembled) assembler.approach_goals(q, o.positions.goal_restarts);
  } else {
    result.assembled = meet(assembler, state, o, q, result.given_kept);
  }
  result.error_after = assembler.largest_error(q);
  result.goal_after = assembler.goal(q);
  if (!result.assembled) {
    note_unmet(assembler, q, o.positions.tolerance, result);
    return result;
  }
  note_changes(state, q, o.given.coordinate, assembler.scales(), result);
  if (result.moved > 0) state.set_q(q);

  const bool speeds_given = !o.given.speed.empty() && !has_goals(o.velocities);
  const std::vector<char>& locked = o.positions.locked;
  std::vector<char> held = speeds_given ? o.given.speed : locked;
  for (std::size_t k = 0; k < locked.size(); ++k) held[k] = held[k] || locked[k];
  result.kinetic_before = kinetic_energy_of(state, memory.workspace);
  result.velocities = analyse_velocities(state, o.velocities, held, velocity_tolerance, memory);
  if (!result.velocities.met && speeds_given) {
    result.velocities = analyse_velocities(state, o.velocities, locked, velocity_tolerance, memory);
    result.given_kept = false;
  }
  result.speed_changed = result.velocities.changed;
  result.kinetic_after = result.speed_changed > 0 ? kinetic_energy_of(state, memory.workspace) : result.kinetic_before;
  return result;
}

bool is_assembled(const State& state, AssemblyMemory& memory) {
  Constraints& constraints = memory.constraints;
  constraints.set_active(state.enabled());
  const NumbersOut errors = NumbersOut(memory.errors).first(std::size_t(constraints.num_rows()));
  const auto all_within = [&](double allowed) {
    return std::all_of(errors.begin(), errors.end(), [&](double error) { return std::abs(error) <= allowed; });
  };
  kinematics(memory.workspace, state.q(), state.u());
  constraints.errors(memory.workspace, state.time(), state.q(), errors);
  if (!all_within(Assembler::exact)) return false;
  constraints.velocity_errors(memory.workspace, state.time(), state.q(), state.u(), errors);
  return all_within(exact_rates);
}

Assembly assemble(State& state, const Given& given) { return assemble(state, AssembleOptions{.given = given}); }

}  // namespace polhode::tree
