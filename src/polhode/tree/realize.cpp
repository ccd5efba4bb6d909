#include "polhode/tree/realize.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <stdexcept>

#include "polhode/tree/applied_forces.h"

namespace polhode::tree {
namespace {

void realize_position(State& state, Workspace& w) {
  auto& r = state.results();
  // Velocities are computed along with poses: they cost little, and force elements that only need poses may still ask.
  kinematics(w, state.q(), state.u());
  read_bodies(w);
  std::copy(w.X_WB.begin(), w.X_WB.end(), r.X_WB.begin());
  r.potential_energy = potential_energy(w, state.time(), state.q());
}

void realize_velocity(State& state, Workspace& w) {
  auto& r = state.results();
  kinematics(w, state.q(), state.u());
  read_bodies(w);
  std::copy(w.V_WB.begin(), w.V_WB.end(), r.V_WB.begin());
  coordinate_rates(state.mechanism(), state.q(), state.u(), r.q_dot);
  r.kinetic_energy = kinetic_energy(w);
  r.momentum = momentum(w);
}

void realize_dynamics(State& state, Workspace& w) {
  auto& r = state.results();
  kinematics(w, state.q(), state.u());
  read_bodies(w);
  std::copy(state.applied_forces().begin(), state.applied_forces().end(), r.generalized_forces.begin());
  std::fill(r.wrenches.begin(), r.wrenches.end(), Wrench<double>{});
  add_applied_forces(w, state.time(), state.q(), state.u(), r.generalized_forces, r.wrenches);
}

void realize_acceleration(State& state, Workspace& w) {
  auto& r = state.results();
  forward_dynamics(w, state.q(), state.u(), r.generalized_forces, r.wrenches, r.u_dot);
  accelerations(w, r.u_dot);
  for (int b = 0; b < state.mechanism().num_bodies(); ++b) r.A_WB[b] = acceleration(w, b);
}

/// Least-squares speeds of one joint for a wanted relative velocity, and what is left of it.
double fit_speeds(std::span<const Motion<double>> columns, const Motion<double>& wanted, double* u) {
  const int n = int(columns.size());
  Eigen::Matrix<double, 6, Eigen::Dynamic> H(6, n);
  Eigen::Matrix<double, 6, 1> V;
  for (int i = 0; i < 3; ++i) {
    V[i] = wanted.angular[i], V[i + 3] = wanted.linear[i];
    for (int k = 0; k < n; ++k) H(i, k) = columns[k].angular[i], H(i + 3, k) = columns[k].linear[i];
  }
  const Eigen::VectorXd best = n > 0 ? Eigen::VectorXd(H.completeOrthogonalDecomposition().solve(V)) : Eigen::VectorXd();
  for (int k = 0; k < n; ++k) u[k] = best[k];
  return n > 0 ? (V - H * best).norm() : V.norm();
}

}  // namespace

void realize(State& state, Workspace& w, Stage stage) {
  if (&w.mechanism().bodies() != &state.mechanism().bodies())
    throw std::invalid_argument("the workspace was made for another mechanism than the state; make one from state.mechanism()");
  const Stage done = state.stage();
  if (done >= stage) return;
  if (done < Stage::position && stage >= Stage::position) realize_position(state, w);
  if (done < Stage::velocity && stage >= Stage::velocity) realize_velocity(state, w);
  if (done < Stage::dynamics && stage >= Stage::dynamics) realize_dynamics(state, w);
  if (done < Stage::acceleration && stage >= Stage::acceleration) realize_acceleration(state, w);
  state.mark_realized(stage);
}

void realize(State& state, Stage stage) {
  if (state.stage() >= stage) return;
  Workspace w(state.mechanism());
  realize(state, w, stage);
}

State initial_state(const Mechanism& mechanism) {
  State state(mechanism);
  if (mechanism.initial_velocities().empty()) return state;

  Workspace w(mechanism);
  const int n = mechanism.num_u();
  std::vector<double> u(mechanism.initial_u()), J(std::size_t(6) * n);
  std::vector<Problem> problems;
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    for (const InitialVelocity& wish : mechanism.initial_velocities()) {
      if (mechanism.body(wish.body) != b) continue;
      const Joint& joint = mechanism.joints()[b];
      std::fill_n(u.begin() + joint.first_u, joint.nu, 0.0);
      kinematics(w, state.q(), u);
      frame_jacobian(w, b, J);
      std::vector<Motion<double>> columns(joint.nu);
      for (int k = 0; k < joint.nu; ++k)
        for (int i = 0; i < 3; ++i) {
          columns[k].angular[i] = J[std::size_t(i) * n + joint.first_u + k];
          columns[k].linear[i] = J[std::size_t(i + 3) * n + joint.first_u + k];
        }
      const double scale = norm(wish.V_WB.angular) + norm(wish.V_WB.linear);
      const double left = fit_speeds(columns, wish.V_WB - velocity(w, b), &u[joint.first_u]);
      if (left > 1e-9 * (1 + scale))
        problems.push_back(
            {fmt::format("velocity of body \"{}\": its joint \"{}\" ({}) does not allow it; {:.3g} of it (norm over rad/s "
                         "and m/s) would be lost; give a velocity that the joint allows, or speeds in (initial ...)",
                         wish.body, joint.name, type_name(joint.model), left),
             wish.source});
    }
  }
  if (!problems.empty()) throw ModelError(std::move(problems));
  state.set_u(u);
  return state;
}

}  // namespace polhode::tree
