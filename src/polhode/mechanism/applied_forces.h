#pragma once
#include "polhode/mechanism/mechanism.h"

/// What a mechanism's force elements do, whatever coordinates its bodies are kept in. A Configuration here has the auxiliary
/// states and discrete variables of the whole mechanism. Inputs have to be there wherever they are read. Scratches are those of
/// whoever asks, made from the same forces.
namespace polhode {

/// Adds what springs, dampers and motors of coordinates do: to generalized forces, by speed.
void add_forces_on_coordinates(const Forces& forces, const Now& now, std::span<const double> q, std::span<const double> u,
                               std::span<double> tau);

/// Adds what all others do (not gravity). Potentials are functions of configuration: they are shown `at_rest`, which has no
/// velocities, whatever the bodies do.
void add_forces_on_bodies(const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                          AppliedForces& out);

// Element by element, in the order of Forces::for_each, lifts of gravity left out. `none` is memory: zeros, before and after.

/// Adds the force on a coordinate or the tension of every force; of others force and torque on every body that they act on, at
/// its origin in Ground axes; of users' elements those on all bodies but Ground, and then the generalized force on every speed.
void read_element_forces(const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                         AppliedForces& none, std::vector<double>& forces);
/// Adds the power of gravity, and of every force [W].
void read_element_powers(const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                         AppliedForces& none, std::vector<double>& powers);
/// Of users' elements, by their number: potentials first. It is shown what it says it depends on.
void compute_cache_entry(int entry, const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                         std::vector<double>& values);

/// The first two for forces that have a potential alone; nothing moves in what they are shown.
void add_potential_forces_on_coordinates(const Forces& forces, const Now& now, std::span<const double> q,
                                         std::span<double> tau);
void add_potential_forces_on_bodies(const Configuration& at_rest, const ForceScratches& scratches, AppliedForces& out);

/// Adds the derivatives that users' elements give of their forces; whether any does. Others' are found where they are needed.
bool add_users_derivatives(const Configuration& at, const Configuration& at_rest, const ForceScratches& scratches,
                           ForceDerivatives& out);

/// dz/dt of all states, users' elements' among them.
void auxiliary_rates(const Configuration& at, const ForceScratches& scratches, std::span<double> z_dot);

/// Gravity, springs and users' potentials [J].
double potential_energy(const Configuration& at, const ForceScratches& scratches);

}  // namespace polhode
