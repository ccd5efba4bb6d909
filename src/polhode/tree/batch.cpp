#include "polhode/tree/batch.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "polhode/tree/kernels/kernels.h"

namespace polhode::tree {
namespace {

void require(const BatchWorkspace& w, std::size_t given, int per_copy, const char* what) {
  const std::size_t wanted = std::size_t(per_copy) * std::size_t(w.width());
  if (given != wanted)
    throw std::invalid_argument(
        fmt::format("{}: {} numbers given, {} needed ({} for each of {} copies)", what, given, wanted, per_copy, w.width()));
}
void require_q(const BatchWorkspace& w, std::size_t given) { require(w, given, w.mechanism().num_q(), "coordinates"); }
void require_u(const BatchWorkspace& w, std::size_t given, const char* what) { require(w, given, w.mechanism().num_u(), what); }

void require_copy(const BatchWorkspace& w, int copy) {
  if (copy < 0 || copy >= w.width())
    throw std::out_of_range(fmt::format("copy no. {} was requested, but a pack has {}, counted from 0", copy, w.width()));
}

void require_kinematics(const BatchWorkspace& w) {
  if (!w.has_kinematics) throw std::logic_error("this needs kinematics(w, q, u) first, with no dynamics in between");
}

BodyReading reading(BatchWorkspace& w, int body, int copy) {
  if (body < 0 || body >= w.mechanism().num_bodies())
    throw std::out_of_range(
        fmt::format("body no. {} was requested, but there are {}, Ground (no. 0) included", body, w.mechanism().num_bodies()));
  require_copy(w, copy);
  require_kinematics(w);
  BodyReading r;
  w.kernels().read_body(w.tree(), w.block(), body, copy, &r);
  return r;
}

constexpr int widest = 8;

}  // namespace

BatchWorkspace::BatchWorkspace(const Mechanism& mechanism) : Workspace(mechanism, tree::kernels().pack) {}
int BatchWorkspace::width() const { return kernels().width; }

void forward_dynamics(BatchWorkspace& w, Numbers q, Numbers u, Numbers tau, NumbersOut u_dot) {
  require_q(w, q.size());
  require_u(w, u.size(), "speeds");
  require_u(w, tau.size(), "generalized forces");
  require_u(w, u_dot.size(), "accelerations");
  w.has_kinematics = false;
  w.kernels().forward_dynamics(w.tree(), q.data(), u.data(), tau.data(), nullptr, w.block(), u_dot.data());
}

void inverse_dynamics(BatchWorkspace& w, Numbers q, Numbers u, Numbers u_dot, NumbersOut tau) {
  require_q(w, q.size());
  require_u(w, u.size(), "speeds");
  require_u(w, u_dot.size(), "accelerations");
  require_u(w, tau.size(), "generalized forces");
  w.has_kinematics = false;
  w.kernels().inverse_dynamics(w.tree(), q.data(), u.data(), u_dot.data(), nullptr, w.block(), tau.data());
}

void kinematics(BatchWorkspace& w, Numbers q, Numbers u) {
  require_q(w, q.size());
  require_u(w, u.size(), "speeds");
  w.kernels().kinematics(w.tree(), q.data(), u.data(), w.block());
  w.has_kinematics = true;
}

Transform<double> pose(BatchWorkspace& w, int body, int copy) {
  const BodyReading r = reading(w, body, copy);
  return r.X_WM * w.mechanism().joints()[body].X_MB;
}

Motion<double> velocity(BatchWorkspace& w, int body, int copy) {
  const BodyReading r = reading(w, body, copy);
  return shifted(r.V_WM, r.X_WM.R * w.mechanism().joints()[body].X_MB.p);
}

double kinetic_energy(BatchWorkspace& w, int copy) {
  require_copy(w, copy);
  std::array<TreeTotals, widest> t;
  require_kinematics(w);
  w.kernels().totals(w.tree(), w.block(), t.data());
  return t[copy].kinetic;
}

void mass_matrix(BatchWorkspace& w, Numbers q, NumbersOut M) {
  require_q(w, q.size());
  require(w, M.size(), w.mechanism().num_u() * w.mechanism().num_u(), "mass matrices");
  w.has_kinematics = false;
  w.kernels().mass_matrix(w.tree(), q.data(), w.block(), M.data());
}

void multiply_mass(BatchWorkspace& w, Numbers a, NumbersOut f) {
  require_u(w, a.size(), "accelerations");
  require_u(w, f.size(), "generalized forces");
  require_kinematics(w);
  w.kernels().multiply_mass(w.tree(), a.data(), w.block(), f.data());
}

void factor_mass(BatchWorkspace& w) {
  require_kinematics(w);
  w.kernels().factor_mass(w.tree(), w.block());
}

void solve_mass(BatchWorkspace& w, Numbers f, NumbersOut a) {
  require_u(w, f.size(), "generalized forces");
  require_u(w, a.size(), "accelerations");
  require_kinematics(w);
  w.kernels().solve_mass(w.tree(), f.data(), w.block(), a.data());
}

}  // namespace polhode::tree
