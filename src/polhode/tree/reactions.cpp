#include "polhode/tree/reactions.h"

#include "polhode/tree/dynamics.h"

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

}  // namespace

std::vector<Wrench<double>> joint_reactions(const State& state, Workspace& w) {
  const Mechanism& m = state.mechanism();
  const Constraints constraints(m, state.enabled());
  std::vector<Wrench<double>> from_constraints(std::size_t(m.num_bodies())), F(from_constraints.size());
  positions(w, state.q());
  std::vector<double> on_speeds(std::size_t(m.num_u()));  // these act within the joints, and are part of what they carry
  constraints.add_wrenches(w, state.time(), state.q(), state.multipliers(), from_constraints, on_speeds);
  // Inward: what a joint carries is what its body needs and has not got from elsewhere, and what the joints outboard take.
  for (int b = m.num_bodies() - 1; b > 0; --b) {
    Wrench<double>& need = F[std::size_t(b)];
    need += inertia_force(state, b) - state.applied_wrench(b) + from_constraints[std::size_t(b)];
    const int parent = m.bodies()[std::size_t(b)].parent;
    F[std::size_t(parent)] += shifted_back(need, state.pose(b).p - state.pose(parent).p);
  }
  for (int b = 1; b < m.num_bodies(); ++b)
    F[std::size_t(b)] = shifted_back(F[std::size_t(b)], -(state.pose(b).R * m.joints()[std::size_t(b)].X_BM.p));
  return F;
}

std::vector<ConstraintReaction> constraint_reactions(const State& state, Workspace& w) {
  const Mechanism& m = state.mechanism();
  const Constraints constraints(m, state.enabled());
  const std::span<const double> lambda = state.multipliers();
  std::vector<ConstraintReaction> out;
  std::vector<double> own(lambda.size()), on_speeds(std::size_t(m.num_u()));
  std::vector<Wrench<double>> on_bodies(std::size_t(m.num_bodies()));
  positions(w, state.q());
  for (int first = 0; first < constraints.num_rows();) {
    int last = first;
    std::fill(own.begin(), own.end(), 0.0);
    // The load on the mechanism is -G^T lambda.
    for (; last < constraints.num_rows() && constraints.element(last) == constraints.element(first); ++last)
      own[std::size_t(last)] = -lambda[std::size_t(last)];
    std::fill(on_bodies.begin(), on_bodies.end(), Wrench<double>{});
    std::fill(on_speeds.begin(), on_speeds.end(), 0.0);
    constraints.add_wrenches(w, state.time(), state.q(), own, on_bodies, on_speeds);
    ConstraintReaction reaction{constraints.element(first), {}, {}};
    for (int b = 0; b < m.num_bodies(); ++b)
      if (const auto& F = on_bodies[std::size_t(b)]; norm(F.moment) + norm(F.force) > 0) reaction.on_bodies.push_back({b, F});
    for (int u = 0; u < m.num_u(); ++u)
      if (on_speeds[std::size_t(u)] != 0) reaction.on_speeds.push_back({u, on_speeds[std::size_t(u)]});
    out.push_back(std::move(reaction));
    first = last;
  }
  return out;
}

}  // namespace polhode::tree
