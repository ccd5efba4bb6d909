#include "polhode/tree/applied_forces.h"

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
void require_sizes(const Mechanism& m, Numbers q, Numbers u, std::size_t tau) {
  require_size(q.size(), m.num_q(), "coordinates");
  require_size(u.size(), m.num_u(), "speeds");
  require_size(tau, m.num_u(), "generalized forces");
}

/// A frame's origin and its velocity, in Ground.
struct Point {
  Vec3<double> p, v;
};
Point point_of(const Workspace& w, int frame) {
  const Frame& f = w.mechanism().frames()[frame];
  const Vec3<double> p_BF_W = w.X_WB[f.body].R * f.X_BF.p;
  return {w.X_WB[f.body].p + p_BF_W, shifted(w.V_WB[f.body], p_BF_W).linear};
}

void add_point_spring(const Workspace& w, const PointSpring& spring, AppliedForces& out) {
  const Point a = point_of(w, spring.frame_a), b = point_of(w, spring.frame_b);
  const Vec3<double> p_ab = b.p - a.p;
  const double length = norm(p_ab);
  if (length == 0) return;  // no direction; the force is taken as zero, as its average over directions is
  const Vec3<double> direction = (1 / length) * p_ab;
  const double tension = spring.stiffness * (length - spring.rest) + spring.damping * dot(direction, b.v - a.v);
  const Vec3<double> pull = tension * direction;
  out.add_force_at(w.mechanism().frames()[spring.frame_a].body, a.p, pull);
  out.add_force_at(w.mechanism().frames()[spring.frame_b].body, b.p, -pull);
}

void add_body_force(const Workspace& w, const BodyForce& f, AppliedForces& out) {
  const Transform<double>& X_WB = w.X_WB[f.body];
  const Vec3<double> force_W = f.in_ground ? f.force : X_WB.R * f.force;
  const Vec3<double> torque_W = f.in_ground ? f.torque : X_WB.R * f.torque;
  out.add_force_at(f.body, X_WB * w.mechanism().bodies()[f.body].mass.com, force_W);
  out.add_torque(f.body, torque_W);
}

/// Potentials are functions of configuration: they are shown no velocities, whatever the bodies do.
Configuration configuration_at_rest(const Workspace& w, double t, Numbers q) {
  return {w.mechanism(), t, q, w.no_speeds, w.X_WB, w.at_rest};
}

}  // namespace

void read_bodies(Workspace& w) {
  for (int b = 0; b < w.mechanism().num_bodies(); ++b) {
    w.X_WB[b] = pose(w, b);
    w.V_WB[b] = velocity(w, b);
  }
}

void add_applied_forces(Workspace& w, double t, Numbers q, Numbers u, NumbersOut tau, std::span<Wrench<double>> wrenches) {
  const Forces& forces = w.mechanism().forces();
  require_sizes(w.mechanism(), q, u, tau.size());
  for (const auto& f : forces.coordinate_forces) tau[f.u] += f.value;
  for (const auto& f : forces.coordinate_dampings) tau[f.u] -= f.damping * u[f.u];
  for (const auto& f : forces.coordinate_springs) tau[f.u] -= f.stiffness * (q[f.q] - f.rest);
  if (!forces.act_on_bodies()) return;

  require_size(wrenches.size(), w.mechanism().num_bodies(), "wrenches by body");
  AppliedForces out{tau, wrenches, w.X_WB};
  for (const auto& f : forces.body_forces) add_body_force(w, f, out);
  for (const auto& f : forces.point_springs) add_point_spring(w, f, out);
  const Configuration pose_only = configuration_at_rest(w, t, q);
  for (const auto& f : forces.potentials) f->add_forces(pose_only, out);
  const Configuration configuration{w.mechanism(), t, q, u, w.X_WB, w.V_WB};
  for (const auto& f : forces.elements) f->add_forces(configuration, out);
}

double potential_energy(Workspace& w, double t, Numbers q) {
  const Mechanism& m = w.mechanism();
  require_size(q.size(), m.num_q(), "coordinates");
  double energy = 0;
  for (int b = 1; b < m.num_bodies(); ++b)
    energy -= m.bodies()[b].mass.mass * dot(m.gravity(), w.X_WB[b] * m.bodies()[b].mass.com);
  for (const auto& f : m.forces().coordinate_springs) energy += 0.5 * f.stiffness * square(q[f.q] - f.rest);
  for (const auto& f : m.forces().point_springs)
    energy += 0.5 * f.stiffness * square(norm(point_of(w, f.frame_b).p - point_of(w, f.frame_a).p) - f.rest);
  const Configuration pose_only = configuration_at_rest(w, t, q);
  for (const auto& f : m.forces().potentials) energy += f->energy(pose_only);
  return energy;
}

void add_all_forces(Workspace& w, double t, Numbers q, Numbers u, NumbersOut tau) {
  const Forces& forces = w.mechanism().forces();
  if (!forces.act_on_bodies()) return add_applied_forces(w, t, q, u, tau, {});
  kinematics(w, q, u);
  read_bodies(w);
  std::fill(w.wrenches_B.begin(), w.wrenches_B.end(), Wrench<double>{});
  add_applied_forces(w, t, q, u, tau, w.wrenches_B);
  multiply_jacobian_transpose(w, w.wrenches_B, w.tau);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += w.tau[i];
}

void accelerations_under_all_forces(Workspace& w, double t, Numbers q, Numbers u, Numbers further_tau, NumbersOut u_dot) {
  const Forces& forces = w.mechanism().forces();
  require_sizes(w.mechanism(), q, u, further_tau.size());
  std::copy(further_tau.begin(), further_tau.end(), w.tau.begin());
  if (!forces.act_on_bodies()) {
    add_applied_forces(w, t, q, u, w.tau, {});
    forward_dynamics(w, q, u, w.tau, u_dot);
    return;
  }
  kinematics(w, q, u);
  read_bodies(w);
  std::fill(w.wrenches_B.begin(), w.wrenches_B.end(), Wrench<double>{});
  add_applied_forces(w, t, q, u, w.tau, w.wrenches_B);
  forward_dynamics_moved(w, w.tau, w.wrenches_B, u_dot);
}

}  // namespace polhode::tree
