#include "polhode/tree/reactions.h"

#include <algorithm>

#include "polhode/tree/dynamics.h"
#include "polhode/tree/evaluators.h"

namespace polhode::tree {
namespace {

/// What it takes to move a body as it moves, less gravity: at its origin in Ground axes (Newton and Euler).
Wrench<double> inertia_force(const State& state, int b) {
  const MassProperties& mass = state.mechanism().bodies()[std::size_t(b)].mass;
  const Mat3<double>& R = state.pose(b).R;
  const Vec3<double> w = state.velocity(b).angular, alpha = state.acceleration(b).angular;
  const Vec3<double> c = R * mass.com;
  const Vec3<double> a_com = state.acceleration(b).linear + cross(alpha, c) + cross(w, cross(w, c));
  const auto times_inertia = [&](const Vec3<double>& x) { return R * (mass.inertia * transpose_times(R, x)); };
  const Vec3<double> force = mass.mass * (a_com - state.mechanism().gravity());
  return {times_inertia(alpha) + cross(w, times_inertia(w)) + cross(c, force), force};
}

/// What joints carry, by body, at the origins of frames M.
void sum_inward(const State& state, Workspace& w, std::vector<Wrench<double>>& F) {
  const Mechanism& m = state.mechanism();
  Evaluators& e = evaluators(w);
  const Constraints& constraints = e.constraints_of(state);
  const std::size_t bodies = std::size_t(m.num_bodies());
  F.assign(bodies, {});
  e.on_bodies.assign(bodies, {});
  e.on_speeds.assign(std::size_t(m.num_u()), 0.0);  // these act within the joints, and are part of what they carry
  positions(w, state.q());
  constraints.add_wrenches(w, state.time(), state.q(), state.multipliers(), e.on_bodies, e.on_speeds);
  // Inward: what a joint carries is what its body needs and has not got from elsewhere, and what the joints outboard take.
  for (int b = m.num_bodies() - 1; b > 0; --b) {
    Wrench<double>& need = F[std::size_t(b)];
    need += inertia_force(state, b) - state.applied_wrench(b) + e.on_bodies[std::size_t(b)];
    const int parent = m.bodies()[std::size_t(b)].parent;
    F[std::size_t(parent)] += shifted_back(need, state.pose(b).p - state.pose(parent).p);
  }
  for (int b = 1; b < m.num_bodies(); ++b)
    F[std::size_t(b)] = shifted_back(F[std::size_t(b)], -(state.pose(b).R * m.joints()[std::size_t(b)].X_BM.p));
}

/// The load of one element on the mechanism, -G^T lambda, into the evaluators' buffers. Gives the row after its last one.
int load_of_element(const State& state, Workspace& w, int first) {
  Evaluators& e = evaluators(w);
  const Constraints& constraints = *e.constraints;
  const std::span<const double> lambda = state.multipliers();
  std::fill(e.by_row.begin(), e.by_row.end(), 0.0);
  std::fill(e.on_bodies.begin(), e.on_bodies.end(), Wrench<double>{});
  std::fill(e.on_speeds.begin(), e.on_speeds.end(), 0.0);
  int last = first;
  for (; last < constraints.num_rows() && constraints.element(last) == constraints.element(first); ++last)
    e.by_row[std::size_t(last)] = -lambda[std::size_t(last)];
  constraints.add_wrenches(w, state.time(), state.q(), e.by_row, e.on_bodies, e.on_speeds);
  return last;
}

void prepare_elements(const State& state, Workspace& w) {
  Evaluators& e = evaluators(w);
  e.by_row.resize(std::size_t(e.constraints_of(state).num_rows()));
  e.on_bodies.resize(std::size_t(state.mechanism().num_bodies()));
  e.on_speeds.resize(std::size_t(state.mechanism().num_u()));
  positions(w, state.q());
}

void put(const Wrench<double>& F, double* six) {
  for (int i = 0; i < 3; ++i) {
    six[i] = F.force[i];
    six[i + 3] = F.moment[i];
  }
}

}  // namespace

std::vector<Wrench<double>> joint_reactions(const State& state, Workspace& w) {
  std::vector<Wrench<double>> F;
  sum_inward(state, w, F);
  return F;
}

std::vector<ConstraintReaction> constraint_reactions(const State& state, Workspace& w) {
  const Mechanism& m = state.mechanism();
  prepare_elements(state, w);
  const Evaluators& e = evaluators(w);
  std::vector<ConstraintReaction> out;
  for (int row = 0; row < e.constraints->num_rows();) {
    ConstraintReaction reaction{e.constraints->element(row), {}, {}};
    row = load_of_element(state, w, row);
    for (int b = 0; b < m.num_bodies(); ++b)
      if (const auto& F = e.on_bodies[std::size_t(b)]; norm(F.moment) + norm(F.force) > 0) reaction.on_bodies.push_back({b, F});
    for (int u = 0; u < m.num_u(); ++u)
      if (e.on_speeds[std::size_t(u)] != 0) reaction.on_speeds.push_back({u, e.on_speeds[std::size_t(u)]});
    out.push_back(std::move(reaction));
  }
  return out;
}

std::span<const double> joint_loads(const State& state, Workspace& w) {
  return state.on_request(RequestedNumber::joint_reactions, Stage::acceleration, "joint reactions",
                          [&](std::vector<double>& loads) {
                            const Mechanism& m = state.mechanism();
                            Evaluators& e = evaluators(w);
                            sum_inward(state, w, e.through_joints);
                            loads.assign(6 * std::size_t(m.num_bodies()), 0.0);
                            for (int b = 1; b < m.num_bodies(); ++b) {
                              Wrench<double> F = e.through_joints[std::size_t(b)];
                              const Joint& joint = m.joints()[std::size_t(b)];
                              if (joint.swapped) {  // action and reaction
                                const LoadPlace place = joint_load_place(m, b);
                                const Vec3<double> p_WM = state.pose(b) * joint.X_BM.p;
                                const Vec3<double> p_WF = state.pose(place.body) * place.point;
                                F = shifted_back(Wrench<double>{-F.moment, -F.force}, p_WM - p_WF);
                              }
                              put(F, &loads[6 * std::size_t(b)]);
                            }
                          });
}

LoadPlace joint_load_place(const Mechanism& m, int body) {
  const Joint& joint = m.joints()[std::size_t(body)];
  if (joint.swapped) return {m.bodies()[std::size_t(body)].parent, joint.X_PF.p};
  return {body, joint.X_BM.p};
}

std::optional<LoadPlace> constraint_load_place(const Mechanism& m, int element) {
  const int joints = int(m.loop_joints().size());
  if (element < joints) {
    const LoopJoint& joint = m.loop_joints()[std::size_t(element)];
    return LoadPlace{joint.child, joint.X_BM.p};
  }
  return std::visit(
      [&](const auto& model) -> std::optional<LoadPlace> {
        if constexpr (requires { model.frame_b; }) {
          const Frame& frame = m.frames()[std::size_t(model.frame_b)];
          return LoadPlace{frame.body, frame.X_BF.p};
        }
        return std::nullopt;
      },
      m.constraints()[std::size_t(element - joints)].model);
}

std::span<const double> constraint_loads(const State& state, Workspace& w) {
  return state.on_request(RequestedNumber::constraint_reactions, Stage::acceleration, "constraint reactions",
                          [&](std::vector<double>& loads) {
                            const Mechanism& m = state.mechanism();
                            loads.assign(6 * std::size_t(m.num_constraint_elements()), 0.0);
                            prepare_elements(state, w);
                            const Evaluators& e = evaluators(w);
                            for (int row = 0; row < e.constraints->num_rows();) {
                              const int element = e.constraints->element(row);
                              row = load_of_element(state, w, row);
                              const std::optional<LoadPlace> place = constraint_load_place(m, element);
                              if (!place) continue;
                              const Vec3<double> p_W = state.pose(place->body).R * place->point;
                              put(shifted_back(e.on_bodies[std::size_t(place->body)], -p_W), &loads[6 * std::size_t(element)]);
                            }
                          });
}

double multiplier(const State& state, Workspace& w, int element, int row_of_owner) {
  const std::span<const double> lambda = state.multipliers();
  Evaluators& e = evaluators(w);
  e.constraints_of(state);
  const int first = e.first_row[std::size_t(element)];
  return first < 0 ? 0.0 : lambda[std::size_t(first + row_of_owner)];
}

}  // namespace polhode::tree
