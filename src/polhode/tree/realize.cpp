#include "polhode/tree/realize.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>

#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/reversed_joint.h"
#include "polhode/tree/applied_forces.h"
#include "polhode/tree/constrained_dynamics.h"
#include "polhode/tree/evaluators.h"
#include "polhode/tree/kernels/kernels.h"

namespace polhode::tree {
namespace {

/// Poses and velocities of all bodies, which the first three stages read.
void read_motion(const State& state, Workspace& w) {
  kinematics(w, state.q(), state.u());
  read_bodies(w);
}

// These three need read_motion().

void realize_position(State& state, Workspace& w) {
  auto& r = state.results();
  std::copy(w.X_WB.begin(), w.X_WB.end(), r.X_WB.begin());
  r.potential_energy = potential_energy(w, state.time(), state.q());
}

void realize_velocity(State& state, Workspace& w) {
  auto& r = state.results();
  std::copy(w.V_WB.begin(), w.V_WB.end(), r.V_WB.begin());
  coordinate_rates(state.mechanism(), state.q(), state.u(), r.q_dot);
  TreeTotals totals;  // kinetic_energy() and momentum() in one sweep
  w.kernels().totals(w.tree(), w.block(), &totals);
  r.kinetic_energy = totals.kinetic;
  r.momentum = totals.momentum;
}

void realize_dynamics(State& state, Workspace& w) {
  auto& r = state.results();
  std::copy(state.applied_forces().begin(), state.applied_forces().end(), r.generalized_forces.begin());
  std::fill(r.wrenches.begin(), r.wrenches.end(), Wrench<double>{});
  const Now now{state.time(), state.inputs(), state.z(), state.discrete()};
  add_applied_forces(w, now, state.q(), state.u(), r.generalized_forces, r.wrenches);
  z_rates(w, now, state.q(), state.u(), r.z_dot);
}

bool moves_by_forces_alone(const State& state) {
  const auto on = [](char enabled) { return enabled != 0; };
  const auto driven = [](Drive drive) { return drive != Drive::forces; };
  return std::none_of(state.enabled().begin(), state.enabled().end(), on) &&
         std::none_of(state.drives().begin(), state.drives().end(), driven);
}

void realize_acceleration(State& state, Workspace& w) {
  auto& r = state.results();
  if (moves_by_forces_alone(state)) {
    forward_dynamics(w, state.q(), state.u(), r.generalized_forces, r.wrenches, r.u_dot);
    std::fill(r.motion_forces.begin(), r.motion_forces.end(), 0.0);
    r.multipliers.clear();
  } else {
    ConstrainedDynamics& dynamics = evaluators(w).dynamics_of(state);
    dynamics.evaluate(w, state.time(), state.q(), state.u(), state.z(), r.u_dot, r.z_dot);
    r.multipliers.assign(dynamics.multipliers().begin(), dynamics.multipliers().end());
    std::copy(dynamics.motion_forces().begin(), dynamics.motion_forces().end(), r.motion_forces.begin());
    kinematics(w, state.q(), state.u());
  }
  accelerations(w, r.u_dot);
  for (int b = 0; b < state.mechanism().num_bodies(); ++b) r.A_WB[b] = acceleration(w, b);
}

/// Least-squares speeds of one joint for a wanted relative velocity, and what is left of it. Prescribed ones stay as they are.
double fit_speeds(std::span<const Motion<double>> all_columns, std::span<const char> prescribed, Motion<double> wanted,
                  double* u) {
  std::vector<Motion<double>> columns;
  std::vector<double*> speeds;
  for (std::size_t k = 0; k < all_columns.size(); ++k) {
    if (prescribed[k]) {
      wanted = wanted - u[k] * all_columns[k];
    } else {
      columns.push_back(all_columns[k]);
      speeds.push_back(u + k);
    }
  }
  const int n = int(columns.size());
  Eigen::Matrix<double, 6, Eigen::Dynamic> H(6, n);
  Eigen::Matrix<double, 6, 1> V;
  for (int i = 0; i < 3; ++i) {
    V[i] = wanted.angular[i], V[i + 3] = wanted.linear[i];
    for (int k = 0; k < n; ++k) H(i, k) = columns[k].angular[i], H(i + 3, k) = columns[k].linear[i];
  }
  const Eigen::VectorXd best = n > 0 ? Eigen::VectorXd(H.completeOrthogonalDecomposition().solve(V)) : Eigen::VectorXd();
  for (int k = 0; k < n; ++k) *speeds[k] = best[k];
  return n > 0 ? (V - H * best).norm() : V.norm();
}

/// What each speed of a joint does to the velocity of its body's origin, in Ground axes.
std::vector<Motion<double>> velocities_per_speed(const Joint& joint, std::span<const double> q, const Transform<double>& X_WP,
                                                 const Transform<double>& X_WB) {
  std::vector<Motion<double>> columns(joint.nu);
  std::visit([&](const auto& model) { joint_hinge(model, joint.reversed, q.data() + joint.first_q, columns.data()); },
             joint.model);
  const Mat3<double> R_WF = X_WP.R * joint.X_PF.R;
  const Vec3<double> p_MB_W = X_WB.p - X_WB * joint.X_BM.p;
  for (Motion<double>& V : columns) V = shifted(Motion<double>{R_WF * V.angular, R_WF * V.linear}, p_MB_W);
  return columns;
}

/// The initial speeds with those of the joints whose bodies' velocities are asked for, from the base of the tree outwards.
std::vector<double> speeds_for_velocities(const State& state) {
  const Mechanism& mechanism = state.mechanism();
  std::vector<std::vector<const InitialVelocity*>> wishes(mechanism.num_bodies());
  for (const InitialVelocity& wish : mechanism.initial_velocities()) wishes[mechanism.body(wish.body)].push_back(&wish);

  Workspace w(mechanism);
  positions(w, state.q());
  std::vector<double> u(mechanism.initial_u());
  std::vector<Transform<double>> X_WB(mechanism.num_bodies());
  std::vector<Motion<double>> V_WB(mechanism.num_bodies());
  std::vector<char> known;  // by speed: not for the user to choose
  for (const Drive drive : mechanism.drives()) known.push_back(drive != Drive::forces && drive != Drive::acceleration);
  std::vector<Problem> problems;
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Joint& joint = mechanism.joints()[b];
    const int parent = mechanism.bodies()[b].parent;
    X_WB[b] = pose(w, b);
    const Motion<double> carried = shifted(V_WB[parent], X_WB[b].p - X_WB[parent].p);
    const auto columns = velocities_per_speed(joint, state.q(), X_WB[parent], X_WB[b]);
    for (const InitialVelocity* wish : wishes[b]) {
      const double scale = norm(wish->V_WB.angular) + norm(wish->V_WB.linear);
      const std::span<const char> prescribed(known.data() + joint.first_u, std::size_t(joint.nu));
      const double left = fit_speeds(columns, prescribed, wish->V_WB - carried, u.data() + joint.first_u);
      if (left > 1e-9 * (1 + scale))
        problems.push_back(
            {fmt::format("velocity of body \"{}\": its joint \"{}\" ({}) does not allow it; {:.3g} of it (norm over rad/s "
                         "and m/s) would be lost; give a velocity that the joint allows, or speeds in (initial ...)",
                         wish->body, joint.name, type_name(joint.model), left),
             wish->source});
    }
    V_WB[b] = carried;
    for (int k = 0; k < joint.nu; ++k) V_WB[b] += u[joint.first_u + k] * columns[k];
  }
  if (!problems.empty()) throw ModelError(std::move(problems));
  return u;
}

bool all_finite(std::initializer_list<Vec3<double>> vectors) {
  for (const Vec3<double>& v : vectors)
    if (!(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z))) return false;
  return true;
}

/// The first body whose place, motion, inertia or energy is beyond the numbers there are, or -1.
int first_body_beyond_numbers(const Workspace& w) {
  for (int b = 1; b < w.mechanism().num_bodies(); ++b) {
    const MassProperties& mass = w.mechanism().bodies()[b].mass;
    const Transform<double>& X = w.X_WB[b];
    const Motion<double>& V = w.V_WB[b];
    const double* const I = w.mechanism().flat()[b].inertia_about_origin;
    const Vec3<double> diagonal{I[0], I[1], I[2]}, products{I[3], I[4], I[5]};
    const Vec3<double> energies{mass.mass * dot(V.linear, V.linear), dot(V.angular, V.angular) * (I[0] + I[1] + I[2]),
                                mass.mass * dot(w.mechanism().gravity(), X * mass.com)};
    if (!all_finite({X.p, X.R.col[0], X.R.col[1], X.R.col[2], V.angular, V.linear, diagonal, products, energies})) return b;
  }
  return -1;
}

/// A start whose energy is no number is refused before anything is computed from it.
void require_finite(const State& state) {
  const Mechanism& mechanism = state.mechanism();
  Workspace w(mechanism);
  kinematics(w, state.q(), state.u());
  read_bodies(w);
  const int body = first_body_beyond_numbers(w);
  if (body < 0 && std::isfinite(kinetic_energy(w)) && std::isfinite(potential_energy(w, state.time(), state.q()))) return;
  constexpr const char* why =
      "too large for the numbers of this machine; are all lengths, masses, angles and speeds in SI units?";
  if (body < 0) throw ModelError({{fmt::format("the energy at the start is not a finite number, or {}", why), {}, {}, {}}});
  const std::string& name = mechanism.bodies()[body].name;
  const auto& specs = mechanism.description().bodies();
  const auto spec = std::find_if(specs.begin(), specs.end(), [&](const BodySpec& s) { return s.name == name; });
  throw ModelError({{fmt::format("body \"{}\": its place, velocity, inertia or energy at the start is {}", name, why),
                     spec == specs.end() ? Source{} : spec->source,
                     {},
                     {}}});
}

/// A motion that no inertia resists has no acceleration, only rounding. Builders find it at leaves; this finds the rest.
void require_determined(const State& state) {
  const Mechanism& m = state.mechanism();
  Workspace w(m);
  positions(w, state.q());
  std::vector<double> held(m.num_u()), free(m.num_u());
  hinge_inertias(w, held, free);
  constexpr double nothing = 1e-12;  // rounding leaves about 1e-15 of what cancels
  std::vector<Problem> problems;
  for (const Joint& joint : m.joints()) {
    for (int k = joint.first_u; k < joint.first_u + joint.nu; ++k) {
      if (m.driven_speeds()[std::size_t(k)] || free[k] > nothing * held[k]) continue;
      problems.push_back({fmt::format("joint \"{}\": at the start nothing that it moves resists speed \"{}\", so its motion is "
                                      "undetermined; give a mass or inertia to the bodies between, or start in another pose",
                                      joint.name, m.speed_names()[k]),
                          joint.source});
      break;
    }
  }
  if (!problems.empty()) throw ModelError(std::move(problems));
}

}  // namespace

void realize(State& state, Workspace& w, Stage stage) {
  if (&w.mechanism().bodies() != &state.mechanism().bodies())
    throw std::invalid_argument("the workspace was made for another mechanism than the state; make one from state.mechanism()");
  const Stage done = state.stage();
  if (done >= stage) return;
  if (stage >= Stage::position && done < Stage::dynamics) read_motion(state, w);
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
  if (!mechanism.initial_velocities().empty()) state.set_u(speeds_for_velocities(state));
  require_finite(state);
  require_determined(state);
  return state;
}

}  // namespace polhode::tree
