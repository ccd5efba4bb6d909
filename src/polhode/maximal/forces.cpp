#include "polhode/maximal/forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/maximal/row_places.h"
#include "polhode/mechanism/applied_forces.h"
#include "polhode/mechanism/law_slopes.h"

namespace polhode::maximal {
namespace {

void require_size(std::size_t given, int wanted, const char* what) {
  if (given != std::size_t(wanted))
    throw std::invalid_argument(fmt::format("{}: {} numbers given, {} needed", what, given, wanted));
}

/// By speed: whether some element reads or loads its coordinate.
std::vector<char> speeds_in_use(const Mechanism& m) {
  // Users' elements may read any of them.
  std::vector<char> used(std::size_t(m.num_u()), m.forces().has_users_elements());
  m.forces().for_each([&]<class F>(const F& f) {
    if constexpr (CoordinateForceType<F>) used[std::size_t(f.coordinate.u)] = 1;
    if constexpr (LawForceType<F>)
      for (const LawLoad& load : f.loads)
        if (load.on_speed()) used[std::size_t(load.u)] = 1;
  });
  const std::vector<char> read = speeds_read_by_laws(m);
  for (std::size_t u = 0; u < used.size(); ++u) used[u] |= read[u];
  return used;
}

bool any_depends_on_velocity(const Mechanism& m) {
  bool any = m.forces().any([](const auto& f) { return f.depends_on_velocity(); });
  for (const StateLaw& state : m.state_laws()) any |= state.rate.reads(Law::Kind::speed);
  return any;
}

}  // namespace

Forces::Forces(const Mechanism& mechanism)
    : map_(mechanism),
      depend_on_velocity_(any_depends_on_velocity(mechanism)),
      in_use_(speeds_in_use(mechanism)),
      weight_(std::size_t(mechanism.num_bodies()) * row_width),
      X_WC_(std::size_t(mechanism.num_bodies())),
      X_WB_(X_WC_),
      V_WC_(X_WC_.size()),
      V_WB_(V_WC_),
      wrenches_(X_WC_.size()),
      q_(std::size_t(mechanism.num_q())),
      u_(std::size_t(mechanism.num_u())),
      tau_(u_),
      outside_(State(mechanism)),
      no_motions_(V_WB_),
      no_speeds_(u_),
      z_(mechanism.initial_z()),
      scratches_(mechanism.forces()) {
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Vec3<double> force = mechanism.bodies()[b].mass.mass * mechanism.gravity();
    for (int i = 0; i < 3; ++i) weight_[std::size_t(b * row_width + 3 + i)] = force[i];
  }
  for (const JointCoordinates& joint : map_.joints()) {
    const int parent = joint.parent(), child = joint.body();
    sites_.push_back(
        {joint, {parent, joint.X_CF(), parent == 0 ? -1 : parent * row_width}, {child, joint.X_CM(), child * row_width}});
  }
  readings_.resize(sites_.size()), used_.reserve(sites_.size());
  set(outside_);
}

void Forces::set(const Outside& outside) {
  outside_ = outside;
  used_.clear();
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Joint& joint = sites_[i].joint.joint();
    bool used = false;
    for (int u = joint.first_u; u < joint.first_u + joint.nu; ++u)
      used |= in_use_[std::size_t(u)] != 0 || outside_.applied_forces()[std::size_t(u)] != 0;
    if (used) used_.push_back(int(i));
  }
  only_gravity_ = used_.empty() && !map_.mechanism().forces().act_on_bodies();
}

void Forces::read_bodies(const Bodies& at) {
  const Mechanism& m = map_.mechanism();
  for (std::size_t b = 0; b < at.size(); ++b) {
    X_WC_[b] = pose_of(at[b]);
    V_WC_[b] = velocity_of(at[b], X_WC_[b].R);
    const Vec3<double> r = -(X_WC_[b].R * m.bodies()[b].mass.com);
    X_WB_[b] = {X_WC_[b].R, X_WC_[b].p + r};
    V_WB_[b] = shifted(V_WC_[b], r);
  }
}

/// Coordinates, and speeds where they matter, of the joints that elements read; others are as near has them and zero.
void Forces::read_coordinates(const Bodies& at, std::span<const double> near) {
  std::copy(near.begin(), near.end(), q_.begin());
  read_bodies(at);
  for (const int used : used_) {
    const JointSite& site = sites_[std::size_t(used)];
    JointSite::Reading& reading = readings_[std::size_t(used)];
    const Joint& joint = site.joint.joint();
    reading = site.read(X_WC_, near);
    std::copy_n(reading.q, joint.nq, q_.begin() + joint.first_q);
    if (depend_on_velocity_) site.speeds(reading, X_WC_, V_WC_, u_.data() + joint.first_u);
  }
}

void Forces::add_body_loads(std::span<double> loads) const {
  for (int b = 1; b < map_.mechanism().num_bodies(); ++b)
    add_load(X_WC_[b].R, X_WB_[b].p - X_WC_[b].p, wrenches_[b], loads.data() + b * row_width);
}

/// The same load on a joint's child and, reversed, on its parent.
void Forces::add_coordinate_loads(std::span<double> loads) const {
  for (const int used : used_) {
    const JointSite& site = sites_[std::size_t(used)];
    const Joint& joint = site.joint.joint();
    for (int k = 0; k < joint.nu; ++k)
      if (const double tau = tau_[std::size_t(joint.first_u + k)]; tau != 0)
        site.add_derivatives(readings_[std::size_t(used)], X_WC_, k, tau, 0, loads.data());
  }
}

Configuration Forces::at_rest(double t) const {
  return {map_.mechanism(), t, q_, no_speeds_, X_WB_, no_motions_, z_, outside_.discrete(), outside_.inputs()};
}

void Forces::evaluate(double t, const Bodies& at, std::span<const double> near, std::span<double> loads) {
  const Mechanism& m = map_.mechanism();
  require_size(loads.size(), int(weight_.size()), "loads on bodies");
  std::copy(weight_.begin(), weight_.end(), loads.begin());
  if (only_gravity_) return;
  require_size(at.size(), m.num_bodies(), "bodies");
  require_size(near.size(), m.num_q(), "nearby coordinates");
  read_coordinates(at, near);
  std::copy(outside_.applied_forces().begin(), outside_.applied_forces().end(), tau_.begin());
  add_forces_on_coordinates(m.forces(), now(t), q_, u_, tau_);
  if (m.forces().act_on_bodies()) {
    std::fill(wrenches_.begin(), wrenches_.end(), Wrench<double>{});
    AppliedForces out{tau_, wrenches_, X_WB_};
    const Configuration moving{m, t, q_, u_, X_WB_, V_WB_, z_, outside_.discrete(), outside_.inputs()};
    add_forces_on_bodies(moving, at_rest(t), scratches_, out);
    add_body_loads(loads);
  }
  add_coordinate_loads(loads);
}

void Forces::evaluate_potential(double t, const Bodies& at, std::span<const double> near, std::span<double> loads) {
  const Mechanism& m = map_.mechanism();
  require_size(loads.size(), int(weight_.size()), "loads on bodies");
  std::copy(weight_.begin(), weight_.end(), loads.begin());
  if (only_gravity_) return;
  require_size(at.size(), m.num_bodies(), "bodies");
  require_size(near.size(), m.num_q(), "nearby coordinates");
  read_coordinates(at, near);
  std::fill(tau_.begin(), tau_.end(), 0.0);
  add_potential_forces_on_coordinates(m.forces(), now(t), q_, tau_);
  if (m.forces().act_on_bodies()) {
    std::fill(wrenches_.begin(), wrenches_.end(), Wrench<double>{});
    AppliedForces out{tau_, wrenches_, X_WB_};
    add_potential_forces_on_bodies(at_rest(t), scratches_, out);
    add_body_loads(loads);
  }
  add_coordinate_loads(loads);
}

double Forces::kinetic_energy(const Bodies& at) const {
  const Mechanism& m = map_.mechanism();
  require_size(at.size(), m.num_bodies(), "bodies");
  double twice = 0;
  for (int b = 1; b < m.num_bodies(); ++b) {
    const MassProperties& mass = m.bodies()[b].mass;
    twice += mass.mass * dot(at[b].v, at[b].v) + dot(at[b].w, mass.inertia * at[b].w);
  }
  return 0.5 * twice;
}

double Forces::potential_energy(double t, const Bodies& at, std::span<const double> near) {
  const Mechanism& m = map_.mechanism();
  require_size(at.size(), m.num_bodies(), "bodies");
  require_size(near.size(), m.num_q(), "nearby coordinates");
  if (!only_gravity_) {
    read_coordinates(at, near);
    return polhode::potential_energy(at_rest(t), scratches_);
  }
  double energy = 0;
  for (int b = 1; b < m.num_bodies(); ++b) energy -= m.bodies()[b].mass.mass * dot(m.gravity(), at[b].x);
  return energy;
}

}  // namespace polhode::maximal
