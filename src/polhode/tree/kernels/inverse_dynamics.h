#pragma once
#include "polhode/tree/kernels/forward_dynamics.h"

/// Recursive Newton-Euler (Featherstone 2008, section 5.3) and the operators that are parts of it.
namespace polhode::tree {
inline namespace POLHODE_ISA {

/// tau = J^T F for wrenches F at the bodies' origins, gathered from the leaves inward. Overwrites F with subtree sums.
template <class T>
POLHODE_INLINE void gather(const TreeModel& tree, Scratch<T>& s, double* tau) {
  for (int b = int(tree.bodies.size()) - 1; b > 0; --b) {
    const FlatBody& f = tree.bodies[b];
    const Pair<T> F = s.F[b];
    for (int k = f.first_u; k < f.first_u + f.nu; ++k) store(tau, k, along_hinge(f.kind, s.H[k], F));
    s.F[f.parent] += shifted_back(F, s.body[b].d);
  }
}

/// tau = M du/dt + bias - J^T F: the generalized forces that make the mechanism accelerate as told.
template <class T>
void inverse_dynamics(const TreeModel& tree, const double* q, const double* u, const double* u_dot,
                      const Wrench<double>* F_on_body, Scratch<T>& s, double* tau) {
  prepare_angles(tree, q, s);
  reset_ground(tree.gravity, s);
  const int n = int(tree.bodies.size());
  s.F[0] = {};
  for (int b = 1; b < n; ++b) {
    move_body_for_dynamics(tree, b, q, u, s);
    accelerate_body(tree, b, u_dot, s);
    const RigidInertia<T> I = rigid_inertia<T>(tree.bodies[b], s.body[b].R);
    s.F[b] = times(I, s.body[b].A) + gyroscopic_force(I, s.body[b].w);
  }
  if (F_on_body != nullptr)
    for (int b = 1; b < n; ++b) s.F[b] = s.F[b] - load_pair<T>(F_on_body, b);
  gather(tree, s, tau);
}

/// V = J u for any u, left in s.F, by body, at the bodies' origins in Ground axes; needs positions().
template <class T>
void multiply_jacobian(const TreeModel& tree, const double* u, Scratch<T>& s) {
  s.F[0] = {};
  for (int b = 1; b < int(tree.bodies.size()); ++b) {
    const FlatBody& f = tree.bodies[b];
    const Pair<T>& V_parent = s.F[f.parent];
    Pair<T> V{V_parent.a, V_parent.l + cross(V_parent.a, s.body[b].d)};
    for (int k = f.first_u; k < f.first_u + f.nu; ++k) V += load<T>(u, k) * s.H[k];
    s.F[b] = V;
  }
}

/// f = M a; needs positions().
template <class T>
void multiply_mass(const TreeModel& tree, const double* a, Scratch<T>& s, double* f_out) {
  multiply_jacobian(tree, a, s);
  for (int b = 1; b < int(tree.bodies.size()); ++b) s.F[b] = times(rigid_inertia<T>(tree.bodies[b], s.body[b].R), s.F[b]);
  gather(tree, s, f_out);
}

/// tau = J^T F; needs positions().
template <class T>
void multiply_jacobian_transpose(const TreeModel& tree, const Wrench<double>* F, Scratch<T>& s, double* tau) {
  for (int b = 0; b < int(tree.bodies.size()); ++b) s.F[b] = load_pair<T>(F, b);
  gather(tree, s, tau);
}

/// Twice the kinetic energy, and momentum: angular about Ground's origin, linear; needs kinematics().
template <class T>
struct Totals {
  T twice_kinetic{};
  Pair<T> momentum{};
  T mass{};
  Vector<T> first_moment{};  ///< sum of m times the centre of mass in Ground
};
template <class T>
void totals(const TreeModel& tree, const Scratch<T>& s, Totals<T>& sum) {
  sum = {};
  for (int b = 1; b < int(tree.bodies.size()); ++b) {
    const BodyMotion<T>& B = s.body[b];
    const RigidInertia<T> I = rigid_inertia<T>(tree.bodies[b], B.R);
    const Pair<T> V{B.w, B.v};
    const Pair<T> h = times(I, V);
    sum.twice_kinetic += dot(h, V);
    sum.momentum += shifted_back(h, B.p);
    sum.mass += I.m;
    sum.first_moment += I.m * B.p + I.mc;
  }
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
