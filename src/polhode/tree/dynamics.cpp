#include "polhode/tree/dynamics.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/tree/kernels/kernels.h"

namespace polhode::tree {
namespace {

void require_size(std::size_t given, int wanted, const char* what) {
  if (given != std::size_t(wanted))
    throw std::invalid_argument(fmt::format("{}: {} numbers given, {} needed", what, given, wanted));
}
void require_q(const Workspace& w, std::size_t size) { require_size(size, w.mechanism().num_q(), "coordinates"); }
void require_u(const Workspace& w, std::size_t size, const char* what) { require_size(size, w.mechanism().num_u(), what); }
void require_bodies(const Workspace& w, std::size_t size) {
  require_size(size, w.mechanism().num_bodies(), "wrenches or velocities by body");
}

BodyReading reading(Workspace& w, int body) {
  if (body < 0 || body >= w.mechanism().num_bodies())
    throw std::out_of_range(
        fmt::format("body no. {} was requested, but there are {}, Ground (no. 0) included", body, w.mechanism().num_bodies()));
  BodyReading r;
  w.kernels().read_body(w.tree(), w.block(), body, 0, &r);
  return r;
}

/// From the kernels' frame M to the body's own B.
Vec3<double> p_MB_W(const BodyReading& r, const Joint& joint) { return r.X_WM.R * joint.X_MB.p; }

/// The same wrenches at the origins of the M frames.
const Wrench<double>* at_kernel_frames(Workspace& w, std::span<const Wrench<double>> wrenches) {
  for (int b = 1; b < w.mechanism().num_bodies(); ++b)
    w.wrenches_M[b] = shifted_back(wrenches[b], p_MB_W(reading(w, b), w.mechanism().joints()[b]));
  return w.wrenches_M.data();
}

void mirror_lower_triangle(int n, double* M) {
  constexpr int block = 16;  // so that both the rows read and the rows written stay in cache
  for (int i0 = 0; i0 < n; i0 += block)
    for (int j0 = 0; j0 <= i0; j0 += block)
      for (int i = i0; i < std::min(i0 + block, n); ++i)
        for (int j = j0; j < std::min(j0 + block, i); ++j) M[std::size_t(j) * n + i] = M[std::size_t(i) * n + j];
}

TreeTotals totals(Workspace& w) {
  TreeTotals t;
  w.kernels().totals(w.tree(), w.block(), &t);
  return t;
}

}  // namespace

void positions(Workspace& w, Numbers q) {
  require_q(w, q.size());
  w.kernels().positions(w.tree(), q.data(), w.block());
}

void kinematics(Workspace& w, Numbers q, Numbers u) {
  require_q(w, q.size());
  require_u(w, u.size(), "speeds");
  w.kernels().kinematics(w.tree(), q.data(), u.data(), w.block());
}

void accelerations(Workspace& w, Numbers u_dot) {
  require_u(w, u_dot.size(), "accelerations");
  w.kernels().accelerations(w.tree(), u_dot.data(), w.block());
}

Transform<double> pose(Workspace& w, int body) {
  const BodyReading r = reading(w, body);
  return r.X_WM * w.mechanism().joints()[body].X_MB;
}

Motion<double> velocity(Workspace& w, int body) {
  const BodyReading r = reading(w, body);
  return shifted(r.V_WM, p_MB_W(r, w.mechanism().joints()[body]));
}

Motion<double> acceleration(Workspace& w, int body) {
  const BodyReading r = reading(w, body);
  const Vec3<double> p = p_MB_W(r, w.mechanism().joints()[body]);
  const Vec3<double>& omega = r.V_WM.angular;
  Motion<double> A = shifted(r.A_WM, p);
  A.linear += cross(omega, cross(omega, p));
  return A;
}

void coordinate_rates(const Mechanism& mechanism, Numbers q, Numbers u, NumbersOut q_dot) {
  require_size(q.size(), mechanism.num_q(), "coordinates");
  require_size(u.size(), mechanism.num_u(), "speeds");
  require_size(q_dot.size(), mechanism.num_q(), "coordinate rates");
  const std::span<const FlatBody> flat = mechanism.flat();
  for (std::size_t b = 1; b < flat.size(); ++b) {
    if (flat[b].kind == FlatBody::Kind::revolute || flat[b].kind == FlatBody::Kind::prismatic) {
      q_dot[std::size_t(flat[b].first_q)] = u[std::size_t(flat[b].first_u)];
      continue;
    }
    const Joint& joint = mechanism.joints()[b];
    const double *const joint_q = q.data() + joint.first_q, *const joint_u = u.data() + joint.first_u;
    std::visit([&](const auto& model) { model.template N<double>(joint_q, joint_u, q_dot.data() + joint.first_q); },
               joint.model);
  }
}

void speeds_of_rates(const Mechanism& mechanism, Numbers q, Numbers q_dot, NumbersOut u) {
  require_size(q.size(), mechanism.num_q(), "coordinates");
  require_size(q_dot.size(), mechanism.num_q(), "coordinate rates");
  require_size(u.size(), mechanism.num_u(), "speeds");
  for (const Joint& joint : mechanism.joints()) {
    const double *const joint_q = q.data() + joint.first_q, *const rates = q_dot.data() + joint.first_q;
    std::visit([&](const auto& model) { model.template N_inverse<double>(joint_q, rates, u.data() + joint.first_u); },
               joint.model);
  }
}

void forward_dynamics(Workspace& w, Numbers q, Numbers u, Numbers tau, NumbersOut u_dot) {
  require_q(w, q.size());
  require_u(w, u.size(), "speeds");
  require_u(w, tau.size(), "generalized forces");
  require_u(w, u_dot.size(), "accelerations");
  w.kernels().forward_dynamics(w.tree(), q.data(), u.data(), tau.data(), nullptr, w.block(), u_dot.data());
}

void forward_dynamics(Workspace& w, Numbers q, Numbers u, Numbers tau, std::span<const Wrench<double>> wrenches,
                      NumbersOut u_dot) {
  kinematics(w, q, u);
  forward_dynamics_moved(w, tau, wrenches, u_dot);
}

void forward_dynamics_moved(Workspace& w, Numbers tau, std::span<const Wrench<double>> wrenches, NumbersOut u_dot) {
  require_u(w, tau.size(), "generalized forces");
  require_u(w, u_dot.size(), "accelerations");
  if (!wrenches.empty()) require_bodies(w, wrenches.size());
  const Wrench<double>* const F = wrenches.empty() ? nullptr : at_kernel_frames(w, wrenches);
  w.kernels().forward_dynamics_moved(w.tree(), tau.data(), F, w.block(), u_dot.data());
}

void forward_dynamics_driven(Workspace& w, Numbers tau, std::span<const Wrench<double>> wrenches, std::span<const char> driven,
                             NumbersOut u_dot, NumbersOut motion_forces) {
  require_u(w, tau.size(), "generalized forces");
  require_u(w, driven.size(), "marks of driven speeds");
  require_u(w, u_dot.size(), "accelerations");
  require_u(w, motion_forces.size(), "motion forces");
  if (!wrenches.empty()) require_bodies(w, wrenches.size());
  const Wrench<double>* const F = wrenches.empty() ? nullptr : at_kernel_frames(w, wrenches);
  w.kernels().forward_dynamics_driven(w.tree(), tau.data(), F, driven.data(), w.block(), u_dot.data(), motion_forces.data());
}

void inverse_dynamics(Workspace& w, Numbers q, Numbers u, Numbers u_dot, NumbersOut tau) {
  require_q(w, q.size());
  require_u(w, u.size(), "speeds");
  require_u(w, u_dot.size(), "accelerations");
  require_u(w, tau.size(), "generalized forces");
  w.kernels().inverse_dynamics(w.tree(), q.data(), u.data(), u_dot.data(), nullptr, w.block(), tau.data());
}

void inverse_dynamics(Workspace& w, Numbers q, Numbers u, Numbers u_dot, std::span<const Wrench<double>> wrenches,
                      NumbersOut tau) {
  require_u(w, u.size(), "speeds");
  require_u(w, u_dot.size(), "accelerations");
  require_u(w, tau.size(), "generalized forces");
  require_bodies(w, wrenches.size());
  positions(w, q);
  const Wrench<double>* const F = at_kernel_frames(w, wrenches);
  w.kernels().inverse_dynamics(w.tree(), q.data(), u.data(), u_dot.data(), F, w.block(), tau.data());
}

void bias_forces(Workspace& w, Numbers q, Numbers u, NumbersOut tau) {
  std::fill(w.tau.begin(), w.tau.end(), 0.0);
  inverse_dynamics(w, q, u, w.tau, tau);
}

void multiply_mass(Workspace& w, Numbers a, NumbersOut f) {
  require_u(w, a.size(), "accelerations");
  require_u(w, f.size(), "generalized forces");
  w.kernels().multiply_mass(w.tree(), a.data(), w.block(), f.data());
}

void factor_mass(Workspace& w) { w.kernels().factor_mass(w.tree(), w.block()); }

void factor_mass(Workspace& w, std::span<const char> driven) {
  if (driven.empty()) return factor_mass(w);
  require_u(w, driven.size(), "marks of driven speeds");
  w.kernels().factor_mass_driven(w.tree(), driven.data(), w.block());
}

void hinge_inertias(Workspace& w, NumbersOut held, NumbersOut free) {
  require_u(w, held.size(), "inertias");
  require_u(w, free.size(), "inertias");
  w.kernels().hinge_inertias(w.tree(), w.block(), w.mechanism().driven_speeds().data(), held.data(), free.data());
}

void solve_mass_eight(Workspace& w, std::span<const BodyRange> trees, Numbers f, NumbersOut a) {
  w.kernels().solve_mass_eight(w.tree(), trees, f.data(), w.block(), a.data());
}

void solve_mass(Workspace& w, Numbers f, NumbersOut a) {
  require_u(w, f.size(), "generalized forces");
  require_u(w, a.size(), "accelerations");
  w.kernels().solve_mass(w.tree(), f.data(), w.block(), a.data());
}

void multiply_jacobian(Workspace& w, Numbers u, std::span<Motion<double>> V) {
  require_u(w, u.size(), "speeds");
  require_bodies(w, V.size());
  w.kernels().multiply_jacobian(w.tree(), u.data(), w.block(), V.data());
  for (int b = 1; b < w.mechanism().num_bodies(); ++b) V[b] = shifted(V[b], p_MB_W(reading(w, b), w.mechanism().joints()[b]));
}

void multiply_jacobian_transpose(Workspace& w, std::span<const Wrench<double>> F, NumbersOut tau) {
  require_bodies(w, F.size());
  require_u(w, tau.size(), "generalized forces");
  w.kernels().multiply_jacobian_transpose(w.tree(), at_kernel_frames(w, F), w.block(), tau.data());
}

void mass_matrix(Workspace& w, Numbers q, NumbersOut M, Triangle triangle) {
  const int n = w.mechanism().num_u();
  require_q(w, q.size());
  require_size(M.size(), n * n, "mass matrix");
  w.kernels().mass_matrix(w.tree(), q.data(), w.block(), M.data());
  if (triangle == Triangle::both) mirror_lower_triangle(n, M.data());
}

void inverse_mass_matrix(Workspace& w, NumbersOut M_inverse) {
  const int n = w.mechanism().num_u();
  require_size(M_inverse.size(), n * n, "inverse mass matrix");
  factor_mass(w);
  for (int i = 0; i < n; ++i) {
    const NumbersOut row = M_inverse.subspan(std::size_t(i) * n, n);
    std::fill(w.tau.begin(), w.tau.end(), 0.0);
    w.tau[i] = 1;
    solve_mass(w, w.tau, row);
  }
}

void point_jacobian(Workspace& w, int body, const Vec3<double>& p_BQ, NumbersOut J) {
  const int n = w.mechanism().num_u();
  require_size(J.size(), 6 * n, "Jacobian");
  const Vec3<double> p_BQ_W = pose(w, body).R * p_BQ;
  // Row i is J^T of a unit wrench at the point.
  std::fill(w.wrenches_B.begin(), w.wrenches_B.end(), Wrench<double>{});
  for (int i = 0; i < 6; ++i) {
    Wrench<double> unit{};
    (i < 3 ? unit.moment[i] : unit.force[i - 3]) = 1;
    w.wrenches_B[body] = shifted_back(unit, p_BQ_W);
    multiply_jacobian_transpose(w, w.wrenches_B, J.subspan(std::size_t(i) * n, n));
  }
}

void frame_jacobian(Workspace& w, int frame, NumbersOut J) {
  const auto& frames = w.mechanism().frames();
  if (frame < 0 || frame >= int(frames.size()))
    throw std::out_of_range(fmt::format("frame no. {} was requested, but there are {}", frame, frames.size()));
  point_jacobian(w, frames[frame].body, frames[frame].X_BF.p, J);
}

double kinetic_energy(Workspace& w) { return totals(w).kinetic; }

Wrench<double> momentum(Workspace& w) { return totals(w).momentum; }

Vec3<double> center_of_mass(Workspace& w) {
  const TreeTotals t = totals(w);
  const Vec3<double>& mc = t.first_moment;
  return t.mass > 0 ? Vec3<double>{mc.x / t.mass, mc.y / t.mass, mc.z / t.mass} : Vec3<double>{};
}

}  // namespace polhode::tree
