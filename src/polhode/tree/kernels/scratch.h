#pragma once
#include <cstddef>

#include "polhode/tree/kernels/articulated_inertia.h"
#include "polhode/tree/tree_model.h"

namespace polhode::tree {

inline namespace POLHODE_ISA {

/// Kinematics of one body, in Ground axes; the body's frame is M of its inboard joint.
template <class T>
struct BodyMotion {
  Matrix<T> R;     ///< R_WM
  Vector<T> p;     ///< origin [m]
  Vector<T> d;     ///< origin from the parent's origin [m]
  Vector<T> w, v;  ///< angular velocity, velocity of the origin
  Pair<T> bias;    ///< acceleration beyond the parent's (shifted) one that is left when du/dt = 0
  Pair<T> A;       ///< acceleration
};

/// A rigid body's inertia at its origin in Ground axes; also that of a whole subtree held stiff.
template <class T>
struct RigidInertia {
  decltype(rotated_inertia(Matrix<T>{}, nullptr)) J;
  Vector<T> mc;
  T m;
};

/// What a body shows to its parent in the articulated-body algorithm: inertia, and force when it does not accelerate.
template <class T>
struct Articulated {
  ArticulatedInertia<T> P;
  Pair<T> Z;
};
/// What the algorithm leaves behind for each degree of freedom.
template <class T>
struct AbaDof {
  Pair<T> U;
  T D_inverse, e;
};

/// All memory of the tree algorithms for one mechanism (or one pack of them), cut from one block that is sized once.
template <class T>
struct Scratch {
  BodyMotion<T>* body;  // by body
  RigidInertia<T>* rigid;
  ArticulatedInertia<T>* held;  // by body: inertia with the joints to its children held; for hinge_inertias() only
  Articulated<T>* gathered;     // by body: what arrives from children beyond the first
  Pair<T>* F;                   // by body: force needed, or force transmitted
  Pair<T>* H;                   // by speed: hinge columns in Ground axes
  AbaDof<T>* dof;               // by speed
  double *sin_q, *cos_q;        // by coordinate, padded; scalar kernels only
  Pair<Lanes<8>>* eight;        // by body: for solve_mass_eight(); scalar kernels only
  Lanes<8>* eight_e;            // by speed: likewise
  double* columns;              // nine rows of num_u padded numbers, for the mass matrix; scalar kernels only

  static constexpr int padding = 8;

  /// Bytes needed; with a block, the pointers into it as well.
  static std::size_t carve(const TreeModel& tree, std::byte* block, Scratch* out) {
    std::size_t used = 0;
    const auto take = [&]<class X>(X*& pointer, std::size_t count) {
      if (block != nullptr) pointer = reinterpret_cast<X*>(block + used);
      used += (count * sizeof(X) + 63) / 64 * 64;
    };
    Scratch s{};
    const std::size_t n = tree.bodies.size(), nu = std::size_t(tree.num_u) + 1;
    take(s.body, n), take(s.rigid, n), take(s.gathered, n), take(s.held, n), take(s.F, n), take(s.H, nu), take(s.dof, nu);
    if constexpr (std::is_same_v<T, double>) {
      const std::size_t nq = std::size_t(tree.num_q) + padding;
      take(s.sin_q, nq), take(s.cos_q, nq), take(s.columns, 9 * (nu + padding));
      take(s.eight, n), take(s.eight_e, nu);
    }
    if (out != nullptr) *out = s;
    return used;
  }
};

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
