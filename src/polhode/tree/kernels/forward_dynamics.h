#pragma once
#include "polhode/tree/kernels/kinematics.h"

/// The articulated-body algorithm (Featherstone 2008, section 7.3; seed 002, 12.5), in Ground axes at the bodies' origins.
///
/// Degrees of freedom are eliminated one at a time. That is the LDL^T factorisation of the usual nv x nv block, so no
/// joint type and no small inverse appears in the sweeps, only columns of H.
namespace polhode::tree {
inline namespace POLHODE_ISA {

/// U = P H, knowing that a pin's column has no linear part and a slider's no angular one.
template <class T>
POLHODE_INLINE Pair<T> inertia_times_hinge(FlatBody::Kind kind, const ArticulatedInertia<T>& P, const Pair<T>& H) {
  if (kind == FlatBody::Kind::revolute) return P.times_angular(H.a);
  if (kind == FlatBody::Kind::prismatic) return P.times_linear(H.l);
  return P.times(H);
}
template <class T>
POLHODE_INLINE T along_hinge(FlatBody::Kind kind, const Pair<T>& H, const Pair<T>& F) {
  if (kind == FlatBody::Kind::revolute) return dot(H.a, F.a);
  if (kind == FlatBody::Kind::prismatic) return dot(H.l, F.l);
  return dot(H, F);
}

/// Eliminates the degrees of freedom of body b from its inertia P and force Z.
template <class T>
POLHODE_INLINE void eliminate(const FlatBody& f, const double* tau, ArticulatedInertia<T>& P, Pair<T>& Z, Scratch<T>& s) {
  for (int k = f.first_u; k < f.first_u + f.nu; ++k) {
    AbaDof<T>& g = s.dof[k];
    g.U = inertia_times_hinge(f.kind, P, s.H[k]);
    g.D_inverse = T(1) / along_hinge(f.kind, s.H[k], g.U);
    g.e = load<T>(tau, k) - along_hinge(f.kind, s.H[k], Z);
    P.subtract(g.D_inverse, g.U);
    Z += (g.D_inverse * g.e) * g.U;
  }
}

/// Solves for the speeds' derivatives of body b, last eliminated first; A comes in without the joint's own acceleration.
template <class T>
POLHODE_INLINE void substitute(const FlatBody& f, Pair<T>& A, double* u_dot, const Scratch<T>& s) {
  for (int k = f.first_u + f.nu - 1; k >= f.first_u; --k) {
    const AbaDof<T>& g = s.dof[k];
    const T x = g.D_inverse * (g.e - dot(g.U, A));
    if (f.kind == FlatBody::Kind::revolute) {
      A.a += x * s.H[k].a;
    } else {
      A += x * s.H[k];
    }
    store(u_dot, k, x);
  }
}

/// du/dt = M^-1 (tau + J^T F - bias). F_on_body: wrenches at the bodies' origins in Ground axes, or null.
/// With `moved`, kinematics() has been called with these q and u, and they are not read again.
template <bool moved, class T>
void forward_dynamics(const TreeModel& tree, const double* q, const double* u, const double* tau,
                      const Wrench<double>* F_on_body, Scratch<T>& s, double* u_dot) {
  const int n = int(tree.bodies.size());
  if constexpr (moved) {
    s.body[0].A.l = constant_vector<T>(-tree.gravity);
    s.body[0].A.a = {};
  } else {
    prepare_angles(tree, q, s);
    reset_ground(tree.gravity, s);
  }

  for (int b = 1; b < n; ++b) {
    if constexpr (!moved) move_body(tree, b, q, u, s);
    const RigidInertia<T> I = rigid_inertia<T>(tree.bodies[b], s.body[b].R);
    s.aba[b].P = ArticulatedInertia<T>::rigid(I.J, I.mc, tree.bodies[b].mass);
    s.aba[b].Z = gyroscopic_force(I, s.body[b].w);
  }
  if (F_on_body != nullptr)
    for (int b = 1; b < n; ++b) s.aba[b].Z = s.aba[b].Z - load_pair<T>(F_on_body, b);

  for (int b = n - 1; b > 0; --b) {
    const FlatBody& f = tree.bodies[b];
    ArticulatedInertia<T> P = s.aba[b].P;
    Pair<T> Z = s.aba[b].Z;
    eliminate(f, tau, P, Z, s);
    if (f.parent == 0) continue;
    Z += P.times(s.body[b].bias);
    s.aba[f.parent].P.add_shifted(P, s.body[b].d);
    s.aba[f.parent].Z += shifted_back(Z, s.body[b].d);
  }

  for (int b = 1; b < n; ++b) {
    const FlatBody& f = tree.bodies[b];
    Pair<T> A = acceleration_without_joint(s.body[b], s.body[f.parent].A);
    substitute(f, A, u_dot, s);
    s.body[b].A = A;
  }
}

/// Leaves the factors of M for solve_mass(); needs kinematics().
template <class T>
void factor_mass(const TreeModel& tree, Scratch<T>& s) {
  const int n = int(tree.bodies.size());
  for (int b = 1; b < n; ++b) {
    const RigidInertia<T> I = rigid_inertia<T>(tree.bodies[b], s.body[b].R);
    s.aba[b].P = ArticulatedInertia<T>::rigid(I.J, I.mc, tree.bodies[b].mass);
  }
  for (int b = n - 1; b > 0; --b) {
    const FlatBody& f = tree.bodies[b];
    ArticulatedInertia<T> P = s.aba[b].P;
    for (int k = f.first_u; k < f.first_u + f.nu; ++k) {
      AbaDof<T>& g = s.dof[k];
      g.U = inertia_times_hinge(f.kind, P, s.H[k]);
      g.D_inverse = T(1) / along_hinge(f.kind, s.H[k], g.U);
      P.subtract(g.D_inverse, g.U);
    }
    if (f.parent > 0) s.aba[f.parent].P.add_shifted(P, s.body[b].d);
  }
}

/// a = M^-1 f; needs factor_mass(). f and a may be the same array.
template <class T>
void solve_mass(const TreeModel& tree, const double* f_in, Scratch<T>& s, double* a) {
  const int n = int(tree.bodies.size());
  for (int b = 0; b < n; ++b) s.F[b] = {};
  for (int b = n - 1; b > 0; --b) {
    const FlatBody& f = tree.bodies[b];
    Pair<T> Z = s.F[b];
    for (int k = f.first_u; k < f.first_u + f.nu; ++k) {
      AbaDof<T>& g = s.dof[k];
      g.e = load<T>(f_in, k) - along_hinge(f.kind, s.H[k], Z);
      Z += (g.D_inverse * g.e) * g.U;
    }
    s.F[f.parent] += shifted_back(Z, s.body[b].d);
  }
  s.F[0] = {};
  for (int b = 1; b < n; ++b) {  // from here on F holds accelerations
    const FlatBody& f = tree.bodies[b];
    const Pair<T>& A_parent = s.F[f.parent];
    Pair<T> A{A_parent.a, A_parent.l + cross(A_parent.a, s.body[b].d)};
    substitute(f, A, a, s);
    s.F[b] = A;
  }
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
