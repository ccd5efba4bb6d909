#include "polhode/tree/applied_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/mechanism/applied_forces.h"
#include "polhode/tree/kernels/kernels.h"

namespace polhode::tree {
namespace {

void require_size(std::size_t given, int wanted, const char* what) {
  if (given != std::size_t(wanted))
    throw std::invalid_argument(fmt::format("{}: {} numbers given, {} needed", what, given, wanted));
}
void require_sizes(const Mechanism& m, Numbers q, Numbers u, std::size_t tau) {
  require_size(q.size(), m.num_q(), "coordinates");
  require_size(u.size(), m.num_u(), "speeds");
  require_size(tau, m.num_u(), "generalized forces");
}

/// Everything that moves, and what `now` has.
Configuration configuration_of(const Workspace& w, const Now& now, Numbers q, Numbers u) {
  return {w.mechanism(), now.t, q, u, w.X_WB, w.V_WB, now.z, now.discrete, now.inputs};
}

/// Potentials are functions of configuration: they are shown no velocities, whatever the bodies do.
Configuration configuration_at_rest(const Workspace& w, const Now& now, Numbers q) {
  return {w.mechanism(), now.t, q, w.no_speeds, w.X_WB, w.at_rest, now.z, now.discrete, now.inputs};
}

}  // namespace

void read_bodies(Workspace& w) {
  for (int b = 0; b < w.mechanism().num_bodies(); ++b) {
    BodyReading r;
    w.kernels().read_body(w.tree(), w.block(), b, 0, &r);
    const Transform<double>& X_MB = w.mechanism().joints()[b].X_MB;
    w.X_WB[b] = r.X_WM * X_MB;
    w.V_WB[b] = shifted(r.V_WM, r.X_WM.R * X_MB.p);
  }
}

void add_applied_forces(Workspace& w, const Now& given, Numbers q, Numbers u, NumbersOut tau,
                        std::span<Wrench<double>> wrenches) {
  const Forces& forces = w.mechanism().forces();
  const Now now = w.mechanism().completed(given);
  require_sizes(w.mechanism(), q, u, tau.size());
  add_forces_on_coordinates(forces, now, q, u, tau);
  if (!forces.act_on_bodies()) return;

  require_size(wrenches.size(), w.mechanism().num_bodies(), "wrenches by body");
  AppliedForces out{tau, wrenches, w.X_WB};
  add_forces_on_bodies(configuration_of(w, now, q, u), configuration_at_rest(w, now, q), w.scratches, out);
}

void z_rates(Workspace& w, const Now& now, Numbers q, Numbers u, NumbersOut z_dot) {
  require_size(z_dot.size(), w.mechanism().num_z(), "rates of auxiliary states");
  if (!z_dot.empty()) auxiliary_rates(configuration_of(w, w.mechanism().completed(now), q, u), w.scratches, z_dot);
}

namespace {

/// What the elements of a state see, the workspace being swept for it; and memory for their loads, zeros at the time.
struct ElementViews {
  Configuration at, at_rest;
  AppliedForces none;
};
ElementViews element_views(const State& state, Workspace& w) {
  kinematics(w, state.q(), state.u());
  read_bodies(w);
  std::fill(w.wrenches_B.begin(), w.wrenches_B.end(), Wrench<double>{});
  std::fill(w.tau.begin(), w.tau.end(), 0.0);
  const Now now{state.time(), state.inputs(), state.z(), state.discrete()};
  return {configuration_of(w, now, state.q(), state.u()), configuration_at_rest(w, now, state.q()),
          AppliedForces{w.tau, w.wrenches_B, w.X_WB}};
}

}  // namespace

Numbers element_forces(const State& state, Workspace& w) {
  return state.on_request(RequestedNumber::element_forces, Stage::dynamics, "forces of elements",
                          [&](std::vector<double>& forces) {
                            ElementViews views = element_views(state, w);
                            forces.clear();
                            read_element_forces(views.at, views.at_rest, w.scratches, views.none, forces);
                          });
}

Numbers element_powers(const State& state, Workspace& w) {
  return state.on_request(RequestedNumber::element_powers, Stage::dynamics, "powers of elements",
                          [&](std::vector<double>& powers) {
                            ElementViews views = element_views(state, w);
                            powers.clear();
                            read_element_powers(views.at, views.at_rest, w.scratches, views.none, powers);
                          });
}

std::vector<CacheEntry> cache_entries(const Mechanism& mechanism) {
  std::vector<CacheEntry> all;
  const auto add = [&](const auto& forces) {
    for (const auto& f : forces)
      for (CacheEntry& entry : f.element->cache_entries()) all.push_back(std::move(entry));
  };
  add(mechanism.forces().of<UsersPotential>());
  add(mechanism.forces().of<UsersForce>());
  return all;
}

Stage stage_of(const CacheEntry& entry) {
  if (entry.depends_on == DependsOn::position) return Stage::position;
  return entry.depends_on == DependsOn::velocity ? Stage::velocity : Stage::dynamics;
}

Numbers cache_entry(const State& state, Workspace& w, int entry) {
  const std::vector<CacheEntry> all = cache_entries(state.mechanism());
  if (entry < 0 || entry >= int(all.size()))
    throw std::out_of_range(
        fmt::format("cache entry no. {} was requested, but there are {}, counted from 0", entry, all.size()));
  const CacheEntry& asked = all[std::size_t(entry)];
  return state.on_request(RequestedNumber::users + entry, stage_of(asked), fmt::format("\"{}\"", asked.name).c_str(),
                          [&](std::vector<double>& values) {
                            const ElementViews views = element_views(state, w);
                            compute_cache_entry(entry, views.at, views.at_rest, w.scratches, values);
                          });
}

double potential_energy(Workspace& w, double t, Numbers q) {
  require_size(q.size(), w.mechanism().num_q(), "coordinates");
  return polhode::potential_energy(configuration_at_rest(w, w.mechanism().initial_now(t), q), w.scratches);
}

void add_all_forces(Workspace& w, const Now& now, Numbers q, Numbers u, NumbersOut tau) {
  const Forces& forces = w.mechanism().forces();
  if (!forces.act_on_bodies()) return add_applied_forces(w, now, q, u, tau, {});
  kinematics(w, q, u);
  read_bodies(w);
  std::fill(w.wrenches_B.begin(), w.wrenches_B.end(), Wrench<double>{});
  add_applied_forces(w, now, q, u, tau, w.wrenches_B);
  multiply_jacobian_transpose(w, w.wrenches_B, w.tau);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += w.tau[i];
}

void accelerations_under_all_forces(Workspace& w, const Now& now, Numbers q, Numbers u, Numbers further_tau, NumbersOut u_dot) {
  const Forces& forces = w.mechanism().forces();
  require_sizes(w.mechanism(), q, u, further_tau.size());
  std::copy(further_tau.begin(), further_tau.end(), w.tau.begin());
  if (!forces.act_on_bodies()) {
    add_applied_forces(w, now, q, u, w.tau, {});
    forward_dynamics(w, q, u, w.tau, u_dot);
    return;
  }
  kinematics(w, q, u);
  read_bodies(w);
  std::fill(w.wrenches_B.begin(), w.wrenches_B.end(), Wrench<double>{});
  add_applied_forces(w, now, q, u, w.tau, w.wrenches_B);
  forward_dynamics_moved(w, w.tau, w.wrenches_B, u_dot);
}

}  // namespace polhode::tree
