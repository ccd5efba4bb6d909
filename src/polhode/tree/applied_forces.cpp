#include "polhode/tree/applied_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// What a user's element sees: everything that moves, and its own z and discrete variables.
class ElementViews {
 public:
  ElementViews(const Workspace& w, double t, Numbers q, Numbers u, Numbers z, Numbers discrete)
      : m_(w.mechanism()),
        all_{m_, t, q, u, w.X_WB, w.V_WB},
        z_(z.empty() ? Numbers(m_.initial_z()) : z),
        discrete_(discrete.empty() ? Numbers(w.initial_discrete) : discrete) {
    require_size(z_.size(), m_.num_z(), "auxiliary states");
    require_size(discrete_.size(), int(w.initial_discrete.size()), "discrete variables");
  }
  Configuration of(std::size_t element) const {
    const ElementStates& own = m_.forces().element_states[element];
    Configuration view = all_;
    view.z = z_.subspan(std::size_t(own.first_z), std::size_t(own.nz));
    view.discrete = discrete_.subspan(std::size_t(own.first_discrete), std::size_t(own.ndiscrete));
    return view;
  }

 private:
  const Mechanism& m_;
  Configuration all_;
  Numbers z_, discrete_;
};

/// A frame's origin and its velocity, in Ground.
struct Point {
  Vec3<double> p, v;
};
Point point_of(const Workspace& w, int frame) {
  const Frame& f = w.mechanism().frames()[frame];
  const Vec3<double> p_BF_W = w.X_WB[f.body].R * f.X_BF.p;
  return {w.X_WB[f.body].p + p_BF_W, shifted(w.V_WB[f.body], p_BF_W).linear};
}

double tension_of(const PointSpring& spring, double extension) { return spring.stiffness * extension; }
double tension_of(const NonlinearSpring& spring, double extension) { return spring.law.force(extension); }
double energy_of(const PointSpring& spring, double extension) { return 0.5 * spring.stiffness * square(extension); }
double energy_of(const NonlinearSpring& spring, double extension) { return spring.law.energy(extension); }

template <class Spring>
double spring_energy(const Workspace& w, const Spring& spring) {
  return energy_of(spring, norm(point_of(w, spring.frame_b).p - point_of(w, spring.frame_a).p) - spring.rest);
}

template <class Spring>
void add_spring(const Workspace& w, const Spring& spring, AppliedForces& out) {
  const Point a = point_of(w, spring.frame_a), b = point_of(w, spring.frame_b);
  const Vec3<double> p_ab = b.p - a.p;
  const double length = norm(p_ab);
  if (length == 0) return;  // no direction; the force is taken as zero, as its average over directions is
  const Vec3<double> direction = (1 / length) * p_ab;
  const double tension = tension_of(spring, length - spring.rest) + spring.damping * dot(direction, b.v - a.v);
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

/// tau = J^T F for a wrench in the components that it is given in (seed 000, section IV-E1).
void add_frame_wrench(const Workspace& w, const FrameWrench& f, double t, AppliedForces& out) {
  const Frame& frame = w.mechanism().frames()[f.frame];
  Vec3<double> force{f.force[0].value(t), f.force[1].value(t), f.force[2].value(t)};
  Vec3<double> torque{f.torque[0].value(t), f.torque[1].value(t), f.torque[2].value(t)};
  const Transform<double> X_WF = w.X_WB[frame.body] * frame.X_BF;
  if (f.components == WrenchComponents::body) force = X_WF.R * force, torque = X_WF.R * torque;
  out.add_force_at(frame.body, f.components == WrenchComponents::spatial ? Vec3<double>{} : X_WF.p, force);
  out.add_torque(frame.body, torque);
}

Vec3<double> center_of_body(const Workspace& w, int body) { return w.X_WB[body] * w.mechanism().bodies()[body].mass.com; }

/// Calls pair(a, b, G m_a m_b, p_ab) for every two bodies that attract each other.
template <class Pair>
void for_each_pair(const Workspace& w, const MutualAttraction& f, Pair pair) {
  const auto& bodies = w.mechanism().bodies();
  for (std::size_t i = 0; i < f.bodies.size(); ++i) {
    const int a = f.bodies[i];
    const Vec3<double> p_a = center_of_body(w, a);
    for (std::size_t j = i + 1; j < f.bodies.size(); ++j) {
      const int b = f.bodies[j];
      pair(a, b, f.constant * bodies[a].mass.mass * bodies[b].mass.mass, center_of_body(w, b) - p_a);
    }
  }
}

void add_attraction(const Workspace& w, const MutualAttraction& f, AppliedForces& out) {
  for_each_pair(w, f, [&](int a, int b, double strength, const Vec3<double>& p_ab) {
    const double r = norm(p_ab);
    const Vec3<double> pull = (strength / (r * r * r)) * p_ab;
    out.add_force_at(a, center_of_body(w, a), pull);
    out.add_force_at(b, center_of_body(w, b), -pull);
  });
}

double attraction_energy(const Workspace& w, const MutualAttraction& f) {
  double energy = 0;
  for_each_pair(w, f, [&](int, int, double strength, const Vec3<double>& p_ab) { energy -= strength / norm(p_ab); });
  return energy;
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

void add_applied_forces(Workspace& w, double t, Numbers q, Numbers u, NumbersOut tau, std::span<Wrench<double>> wrenches,
                        Numbers z, Numbers discrete) {
  const Forces& forces = w.mechanism().forces();
  require_sizes(w.mechanism(), q, u, tau.size());
  for (const auto& f : forces.coordinate_forces) tau[f.u] += f.value;
  for (const auto& f : forces.coordinate_inputs) tau[f.u] += f.signal.value(t);
  for (const auto& f : forces.coordinate_dampings) tau[f.u] -= (f.damping + f.quadratic * std::abs(u[f.u])) * u[f.u];
  for (const auto& f : forces.coordinate_springs) tau[f.u] -= f.stiffness * (q[f.q] - f.rest);
  for (const auto& f : forces.nonlinear_coordinate_springs) tau[f.u] -= f.law.force(q[f.q] - f.rest);
  if (!forces.act_on_bodies()) return;

  require_size(wrenches.size(), w.mechanism().num_bodies(), "wrenches by body");
  AppliedForces out{tau, wrenches, w.X_WB};
  for (const auto& f : forces.body_forces) add_body_force(w, f, out);
  for (const auto& f : forces.frame_wrenches) add_frame_wrench(w, f, t, out);
  for (const auto& f : forces.point_springs) add_spring(w, f, out);
  for (const auto& f : forces.nonlinear_springs) add_spring(w, f, out);
  for (const auto& f : forces.lifts) out.add_force_at(f.body, center_of_body(w, f.body), f.force);
  for (const auto& f : forces.attractions) add_attraction(w, f, out);
  const Configuration pose_only = configuration_at_rest(w, t, q);
  for (const auto& f : forces.potentials) f->add_forces(pose_only, out);
  if (forces.elements.empty()) return;
  const ElementViews views(w, t, q, u, z, discrete);
  for (std::size_t i = 0; i < forces.elements.size(); ++i) forces.elements[i]->add_forces(views.of(i), out);
}

void z_rates(Workspace& w, double t, Numbers q, Numbers u, NumbersOut z_dot, Numbers z, Numbers discrete) {
  const Forces& forces = w.mechanism().forces();
  require_size(z_dot.size(), w.mechanism().num_z(), "rates of auxiliary states");
  if (z_dot.empty()) return;
  const ElementViews views(w, t, q, u, z, discrete);
  for (std::size_t i = 0; i < forces.elements.size(); ++i) {
    const ElementStates& own = forces.element_states[i];
    if (own.nz > 0) forces.elements[i]->z_rates(views.of(i), z_dot.subspan(std::size_t(own.first_z), std::size_t(own.nz)));
  }
}

double potential_energy(Workspace& w, double t, Numbers q) {
  const Mechanism& m = w.mechanism();
  require_size(q.size(), m.num_q(), "coordinates");
  double energy = 0;
  for (int b = 1; b < m.num_bodies(); ++b) energy -= m.bodies()[b].mass.mass * dot(m.gravity(), center_of_body(w, b));
  for (const auto& f : m.forces().lifts) energy -= dot(f.force, center_of_body(w, f.body));
  for (const auto& f : m.forces().coordinate_springs) energy += 0.5 * f.stiffness * square(q[f.q] - f.rest);
  for (const auto& f : m.forces().nonlinear_coordinate_springs) energy += f.law.energy(q[f.q] - f.rest);
  for (const auto& f : m.forces().point_springs) energy += spring_energy(w, f);
  for (const auto& f : m.forces().nonlinear_springs) energy += spring_energy(w, f);
  for (const auto& f : m.forces().attractions) energy += attraction_energy(w, f);
  const Configuration pose_only = configuration_at_rest(w, t, q);
  for (const auto& f : m.forces().potentials) energy += f->energy(pose_only);
  return energy;
}

void add_all_forces(Workspace& w, double t, Numbers q, Numbers u, NumbersOut tau, Numbers z, Numbers discrete) {
  const Forces& forces = w.mechanism().forces();
  if (!forces.act_on_bodies()) return add_applied_forces(w, t, q, u, tau, {});
  kinematics(w, q, u);
  read_bodies(w);
  std::fill(w.wrenches_B.begin(), w.wrenches_B.end(), Wrench<double>{});
  add_applied_forces(w, t, q, u, tau, w.wrenches_B, z, discrete);
  multiply_jacobian_transpose(w, w.wrenches_B, w.tau);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += w.tau[i];
}

void accelerations_under_all_forces(Workspace& w, double t, Numbers q, Numbers u, Numbers further_tau, NumbersOut u_dot,
                                    Numbers z, Numbers discrete) {
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
  add_applied_forces(w, t, q, u, w.tau, w.wrenches_B, z, discrete);
  forward_dynamics_moved(w, w.tau, w.wrenches_B, u_dot);
}

}  // namespace polhode::tree
