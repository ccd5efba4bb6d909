#pragma once
#include "polhode/variational/tree/kernels/octet.h"
#include "polhode/variational/tree/step_data.h"

namespace polhode::variational {
inline namespace POLHODE_ISA {

/// One link at the midpoint, in Ground axes.
struct LinkMotion {
  QuadMatrix R;   ///< orientation
  Quad d;         ///< origin from the parent's origin
  Quad w, v;      ///< angular velocity, velocity of the origin
  QuadMatrix J;   ///< inertia about the origin
  Quad mc;        ///< mass times centre of mass from the origin
  Quad P_a, P_l;  ///< momentum of everything outboard, about the origin
  Quad C;         ///< first moment of everything outboard, about the origin
};

/// What the elimination leaves behind for each degree of freedom (notes: s, s', u/D, w).
struct EliminatedDof {
  Octet trial, test, gain, row;
};

/// A row of D^-1 of a joint with several.
struct PivotRow {
  double inverse[GeneralMotion::most];
};

struct Scratch {
  LinkMotion* link;
  EliminatedDof* dof;     // by speed
  double* pivot_inverse;  // by speed: 1/D of a joint with one degree of freedom
  PivotRow* pivot_row;    // by speed
  OctetMatrix* gathered;  // by link: what arrives from children beyond the first
  Octet* phi;             // by link and right-hand side
  double *sin_q, *cos_q;

  static constexpr int padding = 8;
  static constexpr int columns_at_once = 4;

  static std::size_t carve(int num_links, int num_u, std::byte* block, Scratch* out) {
    std::size_t used = 0;
    const auto take = [&]<class X>(X*& pointer, std::size_t count) {
      if (block != nullptr) pointer = reinterpret_cast<X*>(block + used);
      used += (count * sizeof(X) + 63) / 64 * 64;
    };
    Scratch s{};
    const std::size_t n = std::size_t(num_links), nu = std::size_t(num_u) + padding;
    take(s.link, n), take(s.dof, nu), take(s.pivot_inverse, nu), take(s.pivot_row, nu), take(s.gathered, n);
    take(s.phi, n * columns_at_once), take(s.sin_q, nu), take(s.cos_q, nu);
    if (out != nullptr) *out = s;
    return used;
  }
};

}  // namespace POLHODE_ISA
}  // namespace polhode::variational
