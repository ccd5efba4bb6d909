#include "polhode/study/settle.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/study/events.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/assembly_memory.h"
#include "polhode/tree/driven_motion.h"
#include "polhode/tree/dynamics.h"

namespace polhode::study {
namespace {

template <class T>
bool same(std::span<const T> a, std::span<const T> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}
bool is_locked(const State& state, int u) { return state.locked_speeds()[std::size_t(u)] != 0; }

/// names: by index, a string or something that has a name.
template <class Names>
void require_finite(std::span<const double> values, const char* what, const Names& names) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    std::string name;
    if constexpr (requires { names[i].name; }) {
      name = names[i].name;
    } else {
      name = names[i];
    }
    throw EventFailure(fmt::format("its handler made {} \"{}\" {}, which is not a finite number", what, name, values[i]));
  }
}

void require_sound(const State& before, const State& state) {
  const Mechanism& m = state.mechanism();
  if (&m.bodies() != &before.mechanism().bodies()) throw EventFailure("its handler replaced the state by another mechanism's");
  if (state.time() != before.time())
    throw EventFailure(fmt::format("its handler changed the time to {} s, which only steps can do", state.time()));
  require_finite(state.q(), "coordinate", m.coordinate_names());
  require_finite(state.u(), "speed", m.speed_names());
  require_finite(state.applied_forces(), "the force on speed", m.speed_names());
  require_finite(state.inputs(), "input", m.inputs());
  require_finite(state.discrete(), "discrete variable", m.discrete_variables());
  require_finite(state.z(), "auxiliary state", m.z_names());
}

/// No joint is driven or held.
bool moves_by_forces(const State& state) {
  return std::all_of(state.drives().begin(), state.drives().end(), [](Drive drive) { return drive == Drive::forces; });
}

void follow_signals(State& state) {
  if (moves_by_forces(state)) return;
  const tree::DrivenMotion motion(state);
  if (!motion.any()) return;
  std::vector<double> q(state.q().begin(), state.q().end()), u(state.u().begin(), state.u().end());
  motion.prescribe_q(state.time(), q);
  motion.prescribe_u(state.time(), q, u);
  if (!same<double>(q, state.q())) state.set_q(q);
  if (!same<double>(u, state.u())) state.set_u(u);
}

void normalize(const State& before, State& state) {
  if (same(before.q(), state.q())) return;
  std::vector<double> q(state.q().begin(), state.q().end());
  for (const Joint& joint : state.mechanism().joints())
    if (!normalize_coordinates(joint.model, q.data() + joint.first_q))
      throw EventFailure(
          fmt::format("its handler left joint \"{}\" without an orientation: its quaternion is zero", joint.name));
  state.set_q(q);
}

/// Joints that were locked have stopped. The impulse that stops them acts along their own speeds only, so the momenta of all
/// speeds that forces move stay: M_ff u_f + M_fd u_d is what it was, where d are those that are driven or locked.
void stop_locked_joints(const State& before, State& state, tree::Workspace& w) {
  const int n = state.mechanism().num_u();
  Eigen::VectorXd u_before = Eigen::Map<const Eigen::VectorXd>(state.u().data(), n);
  bool any = false;
  for (int u = 0; u < n; ++u) {
    const bool stopped = is_locked(state, u) && !is_locked(before, u) && state.drives()[std::size_t(u)] == Drive::position;
    if (!stopped || before.u()[std::size_t(u)] == 0) continue;
    u_before[u] = before.u()[std::size_t(u)];
    any = true;
  }
  if (!any) return;
  std::vector<double> entries(std::size_t(n) * std::size_t(n));
  tree::mass_matrix(w, state.q(), entries);
  Eigen::MatrixXd M = Eigen::Map<Eigen::MatrixXd>(entries.data(), n, n);  // symmetric: the order of its entries is all one
  Eigen::VectorXd u = Eigen::Map<const Eigen::VectorXd>(state.u().data(), n);
  Eigen::VectorXd momentum = M * (u_before - u);
  for (int i = 0; i < n; ++i)
    if (state.drives()[std::size_t(i)] != Drive::forces) M.row(i).setZero(), M.col(i).setZero(), M(i, i) = 1, momentum[i] = 0;
  u += M.ldlt().solve(momentum);
  state.set_u(std::span<const double>(u.data(), std::size_t(n)));
}

/// What the handler set, by speed; and what is locked.
tree::Given given_by_handler(const State& before, const State& state) {
  const Mechanism& m = state.mechanism();
  const std::size_t n = std::size_t(m.num_u());
  tree::Given given{std::vector<char>(n, 0), std::vector<char>(n, 0)};
  for (const Joint& joint : m.joints()) {
    for (int i = 0; i < joint.nq; ++i) {
      const std::size_t q = std::size_t(joint.first_q + i);
      if (before.q()[q] == state.q()[q]) continue;
      for (int u = 0; u < joint.nu; ++u)
        if (joint.nq != joint.nu || u == i) given.coordinate[std::size_t(joint.first_u + u)] = 1;
    }
  }
  for (std::size_t u = 0; u < n; ++u) {
    given.speed[u] = before.u()[u] != state.u()[u];
    if (state.locked_speeds()[u] && state.drives()[u] == Drive::position) given.coordinate[u] = given.speed[u] = 1;
  }
  return given;
}

}  // namespace

bool differ_outside_only(const State& a, const State& b) {
  return same(a.q(), b.q()) && same(a.u(), b.u()) && same(a.z(), b.z()) && same(a.discrete(), b.discrete()) &&
         same(a.enabled(), b.enabled()) && same(a.drives(), b.drives()) && same(a.locked_speeds(), b.locked_speeds());
}

bool differ(const State& a, const State& b) {
  return !(differ_outside_only(a, b) && same(a.inputs(), b.inputs()) && same(a.applied_forces(), b.applied_forces()));
}

void settle(const State& before, State& state, tree::AssemblyMemory& memory) {
  require_sound(before, state);
  follow_signals(state);
  normalize(before, state);
  const bool moved = !(same(before.q(), state.q()) && same(before.u(), state.u()) && same(before.enabled(), state.enabled()) &&
                       same(before.drives(), state.drives()));
  const bool is_free = state.mechanism().num_constraint_elements() == 0 && moves_by_forces(before) && moves_by_forces(state);
  if (!moved || is_free) return;  // nothing to be brought back onto
  if (same(before.drives(), state.drives()) && tree::is_assembled(state, memory)) return;
  const tree::Given given = given_by_handler(before, state);
  stop_locked_joints(before, state, memory.workspace);
  const tree::Assembly assembly = tree::assemble(state, tree::AssembleOptions{.given = given}, memory);
  if (!assembly.assembled)
    throw EventFailure(fmt::format(
        "after its handler the state cannot be brought back onto its constraints: {} is still off by {:.3g} (from {:.3g})",
        assembly.worst, assembly.error_after, assembly.error_before));
}

}  // namespace polhode::study
