#include "polhode/mechanism/applied_forces.h"

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

void add_forces_on_bodies(const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                          AppliedForces& out) {
  at.mechanism.forces().for_each([&]<class F>(const F& f) {
    if constexpr (std::is_same_v<F, UsersPotential>) {
      f.element->add_forces(view_of(f, at_rest, scratches), out);
    } else if constexpr (std::is_same_v<F, UsersForce>) {
      f.element->add_forces(view_of(f, at, scratches), out);
    } else if constexpr (LawForceType<F>) {
      add_wrenches(f, at, out);
    } else if constexpr (!CoordinateForceType<F>) {
      add_load(f, at, out);
    }
  });
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
