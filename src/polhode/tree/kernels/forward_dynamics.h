#pragma once
#include "polhode/tree/kernels/kinematics.h"

/// The articulated-body algorithm (Featherstone 2008, section 7.3; Simbody theory manual 12.5), in Ground axes at the bodies'
/// origins.
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

template <class T>
POLHODE_INLINE Articulated<T> shifted(const Articulated<T>& body, const Vector<T>& d) {
  return {body.P.shifted(d), shifted_back(body.Z, d)};
}
template <class T>
POLHODE_INLINE void operator+=(Articulated<T>& a, const Articulated<T>& b) {
  a.P += b.P;
  a.Z += b.Z;
}

/// Eliminates the degrees of freedom of a body from what it shows to its parent.
template <class T>
POLHODE_INLINE void eliminate(const FlatBody& f, const double* tau, Articulated<T>& body, Scratch<T>& s) {
  for (int k = f.first_u; k < f.first_u + f.nu; ++k) {
    AbaDof<T>& g = s.dof[k];
    g.U = inertia_times_hinge(f.kind, body.P, s.H[k]);
    g.D_inverse = T(1) / along_hinge(f.kind, s.H[k], g.U);
    g.e = load<T>(tau, k) - along_hinge(f.kind, s.H[k], body.Z);
    body.P.subtract(g.D_inverse, g.U);
    body.Z += (g.D_inverse * g.e) * g.U;
  }
}

/// The inward sweep: add_own(b, body) adds a body by itself to what its children show, eliminate(b, body) takes its degrees
/// of freedom out.
///
/// Bodies are numbered depth first, so a body's first child is the one met just before it: what that child shows stays at
/// hand, and only further children go through memory. On long chains that is most of the traffic.
template <class T, class AddOwn, class Eliminate>
POLHODE_INLINE void sweep_inward(const TreeModel& tree, Scratch<T>& s, const AddOwn& add_own, const Eliminate& eliminate_body) {
  Articulated<T> body{};
  for (int b = int(tree.bodies.size()) - 1; b > 0; --b) {
    const FlatBody& f = tree.bodies[b];
    if (f.gathers) body += s.gathered[b];
    add_own(b, body);
    eliminate_body(b, body);
    if (f.parent > 0 && f.parent == b - 1) {
      body = shifted(body, s.body[b].d);
    } else {
      if (f.parent > 0) {
        if (f.opens) s.gathered[f.parent] = {};
        s.gathered[f.parent] += shifted(body, s.body[b].d);
      }
      body = {};
    }
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

  if constexpr (!moved)
    for (int b = 1; b < n; ++b) move_body_for_dynamics(tree, b, q, u, s);

  const auto add_own = [&](int b, Articulated<T>& body) {
    const RigidInertia<T> I = rigid_inertia<T>(tree.bodies[b], s.body[b].R);
    body.P.add_rigid(I.J, I.mc, I.m);
    body.Z += gyroscopic_force(I, s.body[b].w);
    if (F_on_body != nullptr) body.Z = body.Z - load_pair<T>(F_on_body, b);
  };
  sweep_inward(tree, s, add_own, [&](int b, Articulated<T>& body) {
    eliminate(tree.bodies[b], tau, body, s);
    body.Z += body.P.times(s.body[b].bias);
  });

  for (int b = 1; b < n; ++b) {
    const FlatBody& f = tree.bodies[b];
    Pair<T> A = acceleration_without_joint(s.body[b], s.body[f.parent].A);
    substitute(f, A, u_dot, s);
    s.body[b].A = A;
  }
}

/// Leaves the factors of M for solve_mass(); needs positions().
template <class T>
void factor_mass(const TreeModel& tree, Scratch<T>& s) {
  const auto add_own = [&](int b, Articulated<T>& body) {
    const RigidInertia<T> I = rigid_inertia<T>(tree.bodies[b], s.body[b].R);
    body.P.add_rigid(I.J, I.mc, I.m);
  };
  sweep_inward(tree, s, add_own, [&](int b, Articulated<T>& body) {
    const FlatBody& f = tree.bodies[b];
    for (int k = f.first_u; k < f.first_u + f.nu; ++k) {
      AbaDof<T>& g = s.dof[k];
      g.U = inertia_times_hinge(f.kind, body.P, s.H[k]);
      g.D_inverse = T(1) / along_hinge(f.kind, s.H[k], g.U);
      body.P.subtract(g.D_inverse, g.U);
    }
  });
}

/// By speed: the inertia that resists it with the next joints outboard held, and with them free, which is the pivot of the
/// elimination. Where the second is nothing beside the first, no inertia resists that motion. Needs positions().
template <class T>
void hinge_inertias(const TreeModel& tree, Scratch<T>& s, const char* prescribed, double* held, double* free) {
  const int n = int(tree.bodies.size());
  for (int b = 0; b < n; ++b) s.gathered[b] = {}, s.held[b] = {};
  for (int b = n - 1; b > 0; --b) {
    const FlatBody& f = tree.bodies[b];
    const RigidInertia<T> I = rigid_inertia<T>(f, s.body[b].R);
    s.gathered[b].P.add_rigid(I.J, I.mc, I.m);
    s.held[b].add_rigid(I.J, I.mc, I.m);
    s.held[f.parent] += s.gathered[b].P.shifted(s.body[b].d);
    ArticulatedInertia<T> P = s.gathered[b].P;
    for (int k = f.first_u; k < f.first_u + f.nu; ++k) {
      const Pair<T> U = P.times(s.H[k]);
      const T D = dot(s.H[k], U);
      store(held, k, dot(s.H[k], s.held[b].times(s.H[k])));
      store(free, k, D);
      if (!prescribed[k]) P.subtract(T(1) / D, U);  // what follows a signal gives way to no force
    }
    s.gathered[f.parent].P += P.shifted(s.body[b].d);
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
