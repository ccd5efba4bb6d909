#include "polhode/mechanism/applied_forces.h"

#include <algorithm>
#include <utility>

#include "polhode/mechanism/forces/force_loads.h"

namespace polhode {
namespace {

Configuration view_of(const UsersPotential& f, const Configuration& all, const ForceScratches& scratches) {
  Configuration view = all;
  view.z = view.discrete = view.inputs = {};  // who changes one of them may not change a potential energy
  view.scratch = scratches[f.scratch];
  return view;
}

/// What a user's element sees: everything that moves, and its own z and discrete variables.
Configuration view_of(const UsersForce& f, const Configuration& all, const ForceScratches& scratches) {
  Configuration view = all;
  view.z = all.z.subspan(std::size_t(f.states.first_z), std::size_t(f.states.nz));
  view.discrete = all.discrete.subspan(std::size_t(f.states.first_discrete), std::size_t(f.states.ndiscrete));
  view.scratch = scratches[f.scratch];
  return view;
}

template <class F>
constexpr bool is_potential_on_bodies = F::has_potential && !CoordinateForceType<F>;

void add_wrenches(const LawForce& f, const Configuration& at, AppliedForces& out) {
  for (const LawLoad& load : f.loads) {
    if (load.on_speed()) continue;
    const std::size_t body = std::size_t(load.place.body);
    out.on_body[body] += load.law.evaluate<double>(at.now(), at.q, at.u) * load.unit(at.X_WB[body]);
  }
}

double force_at_rest(const CoordinateForceType auto& f, const Now& now, std::span<const double> q) {
  return f.template force<double>(now, f.depends_on_position() ? q[std::size_t(f.coordinate.q)] : 0.0, 0.0);
}

}  // namespace

void add_forces_on_coordinates(const Forces& forces, const Now& now, std::span<const double> q, std::span<const double> u,
                               std::span<double> tau) {
  forces.for_each([&]<class F>(const F& f) {
    if constexpr (CoordinateForceType<F>) {
      const std::size_t i = std::size_t(f.coordinate.u);
      tau[i] += f.template force<double>(now, f.depends_on_position() ? q[std::size_t(f.coordinate.q)] : 0.0, u[i]);
    } else if constexpr (LawForceType<F>) {
      for (const LawLoad& load : f.loads)
        if (load.on_speed()) tau[std::size_t(load.u)] += load.law.template evaluate<double>(now, q, u);
    }
  });
}

void add_potential_forces_on_coordinates(const Forces& forces, const Now& now, std::span<const double> q,
                                         std::span<double> tau) {
  forces.for_each([&]<class F>(const F& f) {
    if constexpr (CoordinateForceType<F> && F::has_potential) tau[std::size_t(f.coordinate.u)] += force_at_rest(f, now, q);
  });
}

namespace {

/// Of any force that is not on a coordinate.
template <class F>
void add_load_of(const F& f, const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                 AppliedForces& out) {
  if constexpr (std::is_same_v<F, UsersPotential>) {
    f.element->add_forces(view_of(f, at_rest, scratches), out);
  } else if constexpr (std::is_same_v<F, UsersForce>) {
    f.element->add_forces(view_of(f, at, scratches), out);
  } else if constexpr (LawForceType<F>) {
    add_wrenches(f, at, out);
  } else {
    add_load(f, at, out);
  }
}

/// Every body that a force may load.
template <class F, class Visit>
void for_each_loaded(const F& f, const Mechanism& m, Visit visit) {
  if constexpr (UsersForceType<F>) {
    for (int b = 1; b < m.num_bodies(); ++b) visit(b);
  } else if constexpr (LawForceType<F>) {
    if (f.acts_on_bodies()) visit(f.loads.front().place.body);  // its loads are the components of one wrench
  } else {
    for_each_body(f, visit);
  }
}

/// Calls visit(speed, force) for every speed that a force by law loads.
template <class Visit>
void for_each_loaded_speed(const LawForce& f, const Configuration& at, Visit visit) {
  for (const LawLoad& load : f.loads)
    if (load.on_speed()) visit(std::size_t(load.u), load.law.evaluate<double>(at.now(), at.q, at.u));
}

double force_on_coordinate(const CoordinateForceType auto& f, const Configuration& at) {
  return f.template force<double>(at.now(), f.depends_on_position() ? at.q[std::size_t(f.coordinate.q)] : 0.0,
                                  at.u[std::size_t(f.coordinate.u)]);
}

double weight_power(const Configuration& at) {
  const Mechanism& m = at.mechanism;
  double power = 0;
  for (int b = 1; b < m.num_bodies(); ++b) {
    const std::size_t i = std::size_t(b);
    const MassProperties& mass = m.bodies()[i].mass;
    power += mass.mass * dot(m.gravity(), shifted(at.V_WB[i], at.X_WB[i].R * mass.com).linear);
  }
  return power;
}

}  // namespace

void add_forces_on_bodies(const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                          AppliedForces& out) {
  at.mechanism.forces().for_each([&]<class F>(const F& f) {
    if constexpr (!CoordinateForceType<F>) add_load_of(f, at, at_rest, scratches, out);
  });
}

void read_element_forces(const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                         AppliedForces& none, std::vector<double>& forces) {
  at.mechanism.forces().for_each([&]<class F>(const F& f) {
    if constexpr (std::is_same_v<F, GravityLift>) {
      return;
    } else if constexpr (CoordinateForceType<F>) {
      forces.push_back(force_on_coordinate(f, at));
    } else if constexpr (LineForceType<F>) {
      const MovingPoint<double> a = origin_of(at, f.frame_a), b = origin_of(at, f.frame_b);
      const double length = norm(b.p - a.p);
      const double rate = length > 0 ? dot(b.p - a.p, b.v - a.v) / length : 0;
      forces.push_back(length > 0 ? f.template tension<double>(at.now(), length, rate) : 0.0);
    } else {
      add_load_of(f, at, at_rest, scratches, none);
      for_each_loaded(f, at.mechanism, [&](int b) {
        const Wrench<double> load = std::exchange(none.on_body[std::size_t(b)], {});
        for (const Vec3<double>& v : {load.force, load.moment}) forces.insert(forces.end(), {v.x, v.y, v.z});
      });
      if constexpr (LawForceType<F>) for_each_loaded_speed(f, at, [&](std::size_t, double force) { forces.push_back(force); });
      if constexpr (UsersForceType<F>) {
        for (double& along_speed : none.generalized) forces.push_back(std::exchange(along_speed, 0.0));
        none.on_body[0] = {};
      }
    }
  });
}

void read_element_powers(const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                         AppliedForces& none, std::vector<double>& powers) {
  powers.push_back(weight_power(at));
  at.mechanism.forces().for_each([&]<class F>(const F& f) {
    if constexpr (CoordinateForceType<F>) {
      powers.push_back(force_on_coordinate(f, at) * at.u[std::size_t(f.coordinate.u)]);
    } else {
      add_load_of(f, at, at_rest, scratches, none);
      double power = 0;
      for_each_loaded(f, at.mechanism,
                      [&](int b) { power += dot(std::exchange(none.on_body[std::size_t(b)], {}), at.V_WB[std::size_t(b)]); });
      if constexpr (LawForceType<F>)
        for_each_loaded_speed(f, at, [&](std::size_t u, double force) { power += force * at.u[u]; });
      if constexpr (UsersForceType<F>) {
        for (std::size_t k = 0; k < none.generalized.size(); ++k) power += std::exchange(none.generalized[k], 0.0) * at.u[k];
        none.on_body[0] = {};
      }
      if constexpr (std::is_same_v<F, GravityLift>) {
        powers.front() += power;  // where gravity does not act it does no work
      } else {
        powers.push_back(power);
      }
    }
  });
}

void compute_cache_entry(int entry, const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                         std::vector<double>& values) {
  int first = 0;
  const auto compute = [&](const auto& f) {
    const std::vector<CacheEntry> entries = f.element->cache_entries();
    if (entry < first || entry >= first + int(entries.size())) {
      first += int(entries.size());
      return;
    }
    const CacheEntry& wanted = entries[std::size_t(entry - first)];
    Configuration view = view_of(f, at, scratches);
    if (wanted.depends_on != DependsOn::everything) {
      view.z = view.discrete = view.inputs = {};
    }
    if (wanted.depends_on == DependsOn::position) {
      view.u = at_rest.u;
      view.V_WB = at_rest.V_WB;
    }
    values.assign(std::size_t(std::max(0, wanted.size)), 0.0);
    f.element->compute_entry(entry - first, view, values);
    first += int(entries.size());
  };
  for (const UsersPotential& f : at.mechanism.forces().of<UsersPotential>()) compute(f);
  for (const UsersForce& f : at.mechanism.forces().of<UsersForce>()) compute(f);
}

void add_potential_forces_on_bodies(const Configuration& at_rest, const ForceScratches& scratches, AppliedForces& out) {
  at_rest.mechanism.forces().for_each([&]<class F>(const F& f) {
    if constexpr (std::is_same_v<F, UsersPotential>) {
      f.element->add_forces(view_of(f, at_rest, scratches), out);
    } else if constexpr (is_potential_on_bodies<F>) {
      add_load(f, at_rest, out);  // at rest springs do not damp
    }
  });
}

bool add_users_derivatives(const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                           ForceDerivatives& out) {
  const Forces& forces = at.mechanism.forces();
  bool any = false;
  for (const auto& f : forces.of<UsersPotential>()) any |= f.element->add_derivatives(view_of(f, at_rest, scratches), out);
  for (const auto& f : forces.of<UsersForce>()) any |= f.element->add_derivatives(view_of(f, at, scratches), out);
  return any;
}

void auxiliary_rates(const Configuration& at, const ForceScratches& scratches, std::span<double> z_dot) {
  for (const UsersForce& f : at.mechanism.forces().of<UsersForce>())
    if (f.states.nz > 0)
      f.element->z_rates(view_of(f, at, scratches), z_dot.subspan(std::size_t(f.states.first_z), std::size_t(f.states.nz)));
  for (const StateLaw& state : at.mechanism.state_laws())
    z_dot[std::size_t(state.z)] = state.rate.evaluate<double>(at.now(), at.q, at.u);
}

double potential_energy(const Configuration& at, const ForceScratches& scratches) {
  const Mechanism& m = at.mechanism;
  double energy_of_all = 0;
  for (int b = 1; b < m.num_bodies(); ++b)
    energy_of_all -=
        m.bodies()[std::size_t(b)].mass.mass * dot(m.gravity(), at.X_WB[std::size_t(b)] * m.bodies()[std::size_t(b)].mass.com);
  m.forces().for_each([&]<class F>(const F& f) {
    if constexpr (!F::has_potential) return;
    if constexpr (std::is_same_v<F, UsersPotential>) {
      energy_of_all += f.element->energy(view_of(f, at, scratches));
    } else if constexpr (CoordinateForceType<F> && F::has_potential) {
      energy_of_all += f.template energy<double>(at.q[std::size_t(f.coordinate.q)]);
    } else if constexpr (is_potential_on_bodies<F>) {
      energy_of_all += energy(f, at);
    }
  });
  return energy_of_all;
}

}  // namespace polhode
