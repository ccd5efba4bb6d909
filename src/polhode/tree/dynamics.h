#pragma once
#include <span>

#include "polhode/tree/body_range.h"
#include "polhode/tree/workspace.h"

/// The algorithms on a tree of bodies, O(n) and free of allocation, on plain arrays of coordinates and speeds.
/// Sizes are the mechanism's: q has num_q numbers; u, du/dt, forces have num_u; per-body arrays have num_bodies.
namespace polhode::tree {

/// Plain arrays, to read and to write.
using Numbers = std::span<const double>;
using NumbersOut = std::span<double>;

// Kinematics.

/// Poses of all bodies, for the operators below and for pose().
void positions(Workspace& w, Numbers q);
/// Poses and velocities of all bodies.
void kinematics(Workspace& w, Numbers q, Numbers u);
/// Accelerations of all bodies; needs kinematics().
void accelerations(Workspace& w, Numbers u_dot);

/// Of the body's own frame B, in Ground axes; the motions are those of B's origin. They need positions(), kinematics() and
/// accelerations(): forward and inverse dynamics leave accelerations that count gravity as one of Ground.
Transform<double> pose(Workspace& w, int body);
Motion<double> velocity(Workspace& w, int body);
Motion<double> acceleration(Workspace& w, int body);

/// dq/dt = N(q) u, and back.
void coordinate_rates(const Mechanism& mechanism, Numbers q, Numbers u, NumbersOut q_dot);
void speeds_of_rates(const Mechanism& mechanism, Numbers q, Numbers q_dot, NumbersOut u);

// Dynamics. Gravity always acts; tau are generalized forces; wrenches act on bodies at their origins in Ground axes.

/// du/dt by articulated bodies.
void forward_dynamics(Workspace& w, Numbers q, Numbers u, Numbers tau, NumbersOut u_dot);
void forward_dynamics(Workspace& w, Numbers q, Numbers u, Numbers tau, std::span<const Wrench<double>> wrenches,
                      NumbersOut u_dot);
/// The same where kinematics() has been done already, as it has for forces that depend on the bodies' motion.
void forward_dynamics_moved(Workspace& w, Numbers tau, std::span<const Wrench<double>> wrenches, NumbersOut u_dot);
/// Mixed forward and inverse dynamics, O(n): where driven[k] is not 0, du/dt is given and read from u_dot, and motion_forces
/// has the generalized force that it takes; the other accelerations are written, with motion forces 0:
///   M du/dt = tau + J^T wrenches - bias + motion_forces   (Simbody theory manual (8.36); its rho is minus our motion force).
/// Needs kinematics(). Wrenches may be empty. Leaves the factors of factor_mass(w, driven) for solve_mass().
void forward_dynamics_driven(Workspace& w, Numbers tau, std::span<const Wrench<double>> wrenches, std::span<const char> driven,
                             NumbersOut u_dot, NumbersOut motion_forces);
/// The generalized forces that give du/dt, by recursive Newton-Euler.
void inverse_dynamics(Workspace& w, Numbers q, Numbers u, Numbers u_dot, NumbersOut tau);
void inverse_dynamics(Workspace& w, Numbers q, Numbers u, Numbers u_dot, std::span<const Wrench<double>> wrenches,
                      NumbersOut tau);
/// What inverse dynamics gives at du/dt = 0: Coriolis, centrifugal and gravity forces.
void bias_forces(Workspace& w, Numbers q, Numbers u, NumbersOut tau);

// Operators; they need positions() or kinematics() first.

/// f = M a.
void multiply_mass(Workspace& w, Numbers a, NumbersOut f);
/// a = M^-1 f. factor_mass() once, then any number of solve_mass().
void factor_mass(Workspace& w);
/// With this one, driven speeds give way to no force: solve_mass() gives M_ff^-1 f_f, and 0 for them (Simbody theory manual
/// (8.40)). An empty span means that none is driven.
void factor_mass(Workspace& w, std::span<const char> driven);
void solve_mass(Workspace& w, Numbers f, NumbersOut a);
/// Eight right-hand sides at once, f[8 k + i] being that of speed k in the i-th, for the bodies of some trees that are rooted
/// in Ground, in order; nothing else is read or written. It costs little more than one.
void solve_mass_eight(Workspace& w, std::span<const BodyRange> trees, Numbers f, NumbersOut a);
/// The inertia that resists each speed with the next joints outboard held, and with them free (the pivot of the elimination).
/// A motion whose second is nothing beside its first is undetermined: no inertia resists it.
void hinge_inertias(Workspace& w, NumbersOut held, NumbersOut free);
/// V = J u: the velocities that speeds u cause, of each body's origin, in Ground axes.
void multiply_jacobian(Workspace& w, Numbers u, std::span<Motion<double>> V);
/// tau = J^T F.
void multiply_jacobian_transpose(Workspace& w, std::span<const Wrench<double>> F, NumbersOut tau);

// Matrices written out, row after row.

/// Which entries of a symmetric matrix to write.
enum class Triangle { lower, both };
/// M(q). With Triangle::lower the entries above the diagonal are left as they are.
void mass_matrix(Workspace& w, Numbers q, NumbersOut M, Triangle triangle = Triangle::both);
/// M^-1; needs positions() or kinematics(). O(n^2).
void inverse_mass_matrix(Workspace& w, NumbersOut M_inverse);
/// 6 x num_u: the angular over the linear velocity, in Ground axes, per unit speed, of a point fixed on a body (given in the
/// body's frame), or of a frame's origin; needs positions().
void point_jacobian(Workspace& w, int body, const Vec3<double>& p_BQ, NumbersOut J);
void frame_jacobian(Workspace& w, int frame, NumbersOut J);

// Sums; they need kinematics().

/// [J].
double kinetic_energy(Workspace& w);
/// Angular momentum about Ground's origin, and linear momentum.
Wrench<double> momentum(Workspace& w);
/// Centre of mass of all bodies [m]; Ground's origin when there is no mass. Needs positions() only.
Vec3<double> center_of_mass(Workspace& w);

}  // namespace polhode::tree
