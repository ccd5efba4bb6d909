#include "polhode/mechanism/applied_forces.h"

#include <cmath>

namespace polhode {
namespace {

/// What a user's element sees: everything that moves, and its own z and discrete variables.
Configuration view_of(std::size_t element, const Configuration& all) {
  const ElementStates& own = all.mechanism.forces().element_states[element];
  Configuration view = all;
  view.z = all.z.subspan(std::size_t(own.first_z), std::size_t(own.nz));
  view.discrete = all.discrete.subspan(std::size_t(own.first_discrete), std::size_t(own.ndiscrete));
  return view;
}

/// A frame's origin and its velocity, in Ground.
struct Point {
  Vec3<double> p, v;
};
Point point_of(const Configuration& at, int frame) {
  const Frame& f = at.mechanism.frames()[frame];
  const Vec3<double> p_BF_W = at.X_WB[f.body].R * f.X_BF.p;
  return {at.X_WB[f.body].p + p_BF_W, shifted(at.V_WB[f.body], p_BF_W).linear};
}

double tension_of(const PointSpring& spring, double extension) { return spring.stiffness * extension; }
double tension_of(const NonlinearSpring& spring, double extension) { return spring.law.force(extension); }
double energy_of(const PointSpring& spring, double extension) { return 0.5 * spring.stiffness * square(extension); }
double energy_of(const NonlinearSpring& spring, double extension) { return spring.law.energy(extension); }

template <class Spring>
double spring_energy(const Configuration& at, const Spring& spring) {
  return energy_of(spring, norm(point_of(at, spring.frame_b).p - point_of(at, spring.frame_a).p) - spring.rest);
}

template <class Spring>
void add_spring(const Configuration& at, const Spring& spring, AppliedForces& out) {
  const Point a = point_of(at, spring.frame_a), b = point_of(at, spring.frame_b);
  const Vec3<double> p_ab = b.p - a.p;
  const double length = norm(p_ab);
  if (length == 0) return;  // no direction; the force is taken as zero, as its average over directions is
  const Vec3<double> direction = (1 / length) * p_ab;
  const double tension = tension_of(spring, length - spring.rest) + spring.damping * dot(direction, b.v - a.v);
  const Vec3<double> pull = tension * direction;
  out.add_force_at(at.mechanism.frames()[spring.frame_a].body, a.p, pull);
  out.add_force_at(at.mechanism.frames()[spring.frame_b].body, b.p, -pull);
}

void add_body_force(const Configuration& at, const BodyForce& f, AppliedForces& out) {
  const Transform<double>& X_WB = at.X_WB[f.body];
  const Vec3<double> force_W = f.in_ground ? f.force : X_WB.R * f.force;
  const Vec3<double> torque_W = f.in_ground ? f.torque : X_WB.R * f.torque;
  out.add_force_at(f.body, X_WB * at.mechanism.bodies()[f.body].mass.com, force_W);
  out.add_torque(f.body, torque_W);
}

/// tau = J^T F for a wrench in the components that it is given in (Johnson & Murphey, section IV-E1).
void add_frame_wrench(const Configuration& at, const FrameWrench& f, AppliedForces& out) {
  const Frame& frame = at.mechanism.frames()[f.frame];
  Vec3<double> force{f.force[0].value(at.t), f.force[1].value(at.t), f.force[2].value(at.t)};
  Vec3<double> torque{f.torque[0].value(at.t), f.torque[1].value(at.t), f.torque[2].value(at.t)};
  const Transform<double> X_WF = at.X_WB[frame.body] * frame.X_BF;
  if (f.components == WrenchComponents::body) force = X_WF.R * force, torque = X_WF.R * torque;
  out.add_force_at(frame.body, f.components == WrenchComponents::spatial ? Vec3<double>{} : X_WF.p, force);
  out.add_torque(frame.body, torque);
}

Vec3<double> center_of_body(const Configuration& at, int body) { return at.X_WB[body] * at.mechanism.bodies()[body].mass.com; }

/// Calls pair(a, b, G m_a m_b, p_ab) for every two bodies that attract each other.
template <class Pair>
void for_each_pair(const Configuration& at, const MutualAttraction& f, Pair pair) {
  for (std::size_t i = 0; i < f.bodies.size(); ++i) {
    const int a = f.bodies[i];
    const Vec3<double> p_a = center_of_body(at, a);
    for (std::size_t j = i + 1; j < f.bodies.size(); ++j) {
      const int b = f.bodies[j];
      pair(a, b, f.constant * f.masses[i] * f.masses[j], center_of_body(at, b) - p_a);
    }
  }
}

void add_attraction(const Configuration& at, const MutualAttraction& f, AppliedForces& out) {
  for_each_pair(at, f, [&](int a, int b, double strength, const Vec3<double>& p_ab) {
    const double r = norm(p_ab);
    const Vec3<double> pull = (strength / (r * r * r)) * p_ab;
    out.add_force_at(a, center_of_body(at, a), pull);
    out.add_force_at(b, center_of_body(at, b), -pull);
  });
}

double attraction_energy(const Configuration& at, const MutualAttraction& f) {
  double energy = 0;
  for_each_pair(at, f, [&](int, int, double strength, const Vec3<double>& p_ab) { energy -= strength / norm(p_ab); });
  return energy;
}

}  // namespace

void add_forces_on_coordinates(const Forces& forces, double t, std::span<const double> q, std::span<const double> u,
                               std::span<double> tau) {
  for (const auto& f : forces.coordinate_forces) tau[f.u] += f.value;
  for (const auto& f : forces.coordinate_inputs) tau[f.u] += f.signal.value(t);
  for (const auto& f : forces.coordinate_dampings) tau[f.u] -= (f.damping + f.quadratic * std::abs(u[f.u])) * u[f.u];
  add_potential_forces_on_coordinates(forces, q, tau);
}

void add_potential_forces_on_coordinates(const Forces& forces, std::span<const double> q, std::span<double> tau) {
  for (const auto& f : forces.coordinate_springs) tau[f.u] -= f.stiffness * (q[f.q] - f.rest);
  for (const auto& f : forces.nonlinear_coordinate_springs) tau[f.u] -= f.law.force(q[f.q] - f.rest);
}

void add_forces_on_bodies(const Configuration& at, const Configuration& at_rest, AppliedForces& out) {
  const Forces& forces = at.mechanism.forces();
  for (const auto& f : forces.body_forces) add_body_force(at, f, out);
  for (const auto& f : forces.frame_wrenches) add_frame_wrench(at, f, out);
  for (const auto& f : forces.point_springs) add_spring(at, f, out);
  for (const auto& f : forces.nonlinear_springs) add_spring(at, f, out);
  for (const auto& f : forces.lifts) out.add_force_at(f.body, center_of_body(at, f.body), f.force);
  for (const auto& f : forces.attractions) add_attraction(at, f, out);
  for (const auto& f : forces.potentials) f->add_forces(at_rest, out);
  for (std::size_t i = 0; i < forces.elements.size(); ++i) forces.elements[i]->add_forces(view_of(i, at), out);
}

void add_potential_forces_on_bodies(const Configuration& at_rest, AppliedForces& out) {
  const Forces& forces = at_rest.mechanism.forces();
  // At rest springs do not damp.
  for (const auto& f : forces.point_springs) add_spring(at_rest, f, out);
  for (const auto& f : forces.nonlinear_springs) add_spring(at_rest, f, out);
  for (const auto& f : forces.lifts) out.add_force_at(f.body, center_of_body(at_rest, f.body), f.force);
  for (const auto& f : forces.attractions) add_attraction(at_rest, f, out);
  for (const auto& f : forces.potentials) f->add_forces(at_rest, out);
}

void auxiliary_rates(const Configuration& at, std::span<double> z_dot) {
  const Forces& forces = at.mechanism.forces();
  for (std::size_t i = 0; i < forces.elements.size(); ++i) {
    const ElementStates& own = forces.element_states[i];
    if (own.nz > 0) forces.elements[i]->z_rates(view_of(i, at), z_dot.subspan(std::size_t(own.first_z), std::size_t(own.nz)));
  }
}

double potential_energy(const Configuration& at) {
  const Mechanism& m = at.mechanism;
  double energy = 0;
  for (int b = 1; b < m.num_bodies(); ++b) energy -= m.bodies()[b].mass.mass * dot(m.gravity(), center_of_body(at, b));
  for (const auto& f : m.forces().lifts) energy -= dot(f.force, center_of_body(at, f.body));
  for (const auto& f : m.forces().coordinate_springs) energy += 0.5 * f.stiffness * square(at.q[f.q] - f.rest);
  for (const auto& f : m.forces().nonlinear_coordinate_springs) energy += f.law.energy(at.q[f.q] - f.rest);
  for (const auto& f : m.forces().point_springs) energy += spring_energy(at, f);
  for (const auto& f : m.forces().nonlinear_springs) energy += spring_energy(at, f);
  for (const auto& f : m.forces().attractions) energy += attraction_energy(at, f);
  for (const auto& f : m.forces().potentials) energy += f->energy(at);
  return energy;
}

}  // namespace polhode
