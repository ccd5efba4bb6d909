#pragma once
#include "polhode/state/state.h"
#include "polhode/tree/dynamics.h"

/// What a mechanism's force elements do at a given time, configuration and motion.
namespace polhode::tree {

/// Fills w.X_WB and w.V_WB, which force elements read; needs kinematics().
void read_bodies(Workspace& w);

/// Adds the mechanism's force elements (not gravity) to generalized forces and to wrenches at the bodies' origins.
/// Needs read_bodies() when the mechanism has elements that act on bodies.
/// Here and below inputs, auxiliary states and discrete variables that `now` has none of stand for their initial values.
void add_applied_forces(Workspace& w, const Now& now, Numbers q, Numbers u, NumbersOut tau, std::span<Wrench<double>> wrenches);

/// dz/dt of all users' elements; needs read_bodies().
void z_rates(Workspace& w, const Now& now, Numbers q, Numbers u, NumbersOut z_dot);

/// Gravity, springs and users' potentials [J]; needs read_bodies().
double potential_energy(Workspace& w, double t, Numbers q);

// Results of a State, computed on request and kept with it. They need stage dynamics; cache entries what they depend on.

/// The force of every element, as mechanism/applied_forces.h has them.
Numbers element_forces(const State& state, Workspace& w);
/// The power of gravity and of every element [W].
Numbers element_powers(const State& state, Workspace& w);
/// A result that a user's element offers, by its number in the mechanism: those of potentials first (cache_entries()).
Numbers cache_entry(const State& state, Workspace& w, int entry);
/// All of them, in order.
std::vector<CacheEntry> cache_entries(const Mechanism& mechanism);
/// What a state must be realized to before the entry can be asked for.
Stage stage_of(const CacheEntry& entry);

/// Adds all force elements (not gravity) to generalized forces, wrenches on bodies included.
void add_all_forces(Workspace& w, const Now& now, Numbers q, Numbers u, NumbersOut tau);

/// du/dt with all force elements and the given further generalized forces, in one call: what integrators ask for.
void accelerations_under_all_forces(Workspace& w, const Now& now, Numbers q, Numbers u, Numbers further_tau, NumbersOut u_dot);

}  // namespace polhode::tree
