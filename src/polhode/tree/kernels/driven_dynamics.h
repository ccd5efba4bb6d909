#pragma once
#include "polhode/tree/kernels/forward_dynamics.h"

/// Mixed forward and inverse dynamics (Simbody theory manual (8.19)-(8.22) and (8.36)): some accelerations are known and the
/// forces that make them are not. Kept apart from the plain sweeps, which then need not ask of each speed whether it is driven.
///
/// A driven degree of freedom is not eliminated: with F = P (A + H x) + Z and x known, P stays as it is and Z takes P H x.
/// On the way out A is known, and the force that is missing in H . F = tau + motion is read off.
namespace polhode::tree {
inline namespace POLHODE_ISA {

template <class T>
POLHODE_INLINE void eliminate_free(const FlatBody& f, const double* tau, const char* driven, const double* u_dot,
                                   Articulated<T>& body, Scratch<T>& s) {
  for (int k = f.first_u; k < f.first_u + f.nu; ++k) {
    AbaDof<T>& g = s.dof[k];
    g.U = inertia_times_hinge(f.kind, body.P, s.H[k]);
    const T D = along_hinge(f.kind, s.H[k], g.U);
    g.e = load<T>(tau, k) - along_hinge(f.kind, s.H[k], body.Z);
    if (driven[k]) {
      const T x = load<T>(u_dot, k);
      g.D_inverse = T(0);
      g.e -= D * x;
      body.Z += x * g.U;
    } else {
      g.D_inverse = T(1) / D;
      body.P.subtract(g.D_inverse, g.U);
      body.Z += (g.D_inverse * g.e) * g.U;
    }
  }
}

/// As substitute(), but du/dt of driven speeds is read, and the forces of their motion are written (0 for the others).
template <class T>
POLHODE_INLINE void substitute_driven(const FlatBody& f, Pair<T>& A, const char* driven, double* u_dot, double* motion_forces,
                                      const Scratch<T>& s) {
  for (int k = f.first_u + f.nu - 1; k >= f.first_u; --k) {
    const AbaDof<T>& g = s.dof[k];
    const T missing = g.e - dot(g.U, A);
    T x = g.D_inverse * missing;
    if (driven[k]) {
      x = load<T>(u_dot, k);
      store(motion_forces, k, -missing);
    } else {
      store(u_dot, k, x);
      store(motion_forces, k, T(0));
    }
    A += x * s.H[k];
  }
}

/// M du/dt = tau + J^T F - bias + motion_forces. driven: by speed, one for all mechanisms of a pack. Needs kinematics();
/// leaves the factors that factor_mass_driven() makes.
template <class T>
void forward_dynamics_driven(const TreeModel& tree, const double* tau, const Wrench<double>* F_on_body, const char* driven,
                             Scratch<T>& s, double* u_dot, double* motion_forces) {
  s.body[0].A.l = constant_vector<T>(-tree.gravity);
  s.body[0].A.a = {};
  const auto add_own = [&](int b, Articulated<T>& body) {
    const RigidInertia<T> I = rigid_inertia<T>(tree.bodies[b], s.body[b].R);
    body.P.add_rigid(I.J, I.mc, I.m);
    body.Z += gyroscopic_force(I, s.body[b].w);
    if (F_on_body != nullptr) body.Z = body.Z - load_pair<T>(F_on_body, b);
  };
  sweep_inward(tree, s, add_own, [&](int b, Articulated<T>& body) {
    eliminate_free(tree.bodies[b], tau, driven, u_dot, body, s);
    body.Z += body.P.times(s.body[b].bias);
  });
  for (int b = 1; b < int(tree.bodies.size()); ++b) {
    const FlatBody& f = tree.bodies[b];
    Pair<T> A = acceleration_without_joint(s.body[b], s.body[f.parent].A);
    substitute_driven(f, A, driven, u_dot, motion_forces, s);
    s.body[b].A = A;
  }
}

/// Leaves factors with which solve_mass() gives M_ff^-1 f_f, and 0 for driven speeds (Simbody theory manual (8.40)); needs
/// positions().
template <class T>
void factor_mass_driven(const TreeModel& tree, const char* driven, Scratch<T>& s) {
  const auto add_own = [&](int b, Articulated<T>& body) {
    const RigidInertia<T> I = rigid_inertia<T>(tree.bodies[b], s.body[b].R);
    body.P.add_rigid(I.J, I.mc, I.m);
  };
  sweep_inward(tree, s, add_own, [&](int b, Articulated<T>& body) {
    const FlatBody& f = tree.bodies[b];
    for (int k = f.first_u; k < f.first_u + f.nu; ++k) {
      AbaDof<T>& g = s.dof[k];
      g.U = inertia_times_hinge(f.kind, body.P, s.H[k]);
      g.D_inverse = driven[k] ? T(0) : T(1) / along_hinge(f.kind, s.H[k], g.U);
      if (!driven[k]) body.P.subtract(g.D_inverse, g.U);
    }
  });
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
