#pragma once
#include <span>

#include "polhode/tree/kernels/forward_dynamics.h"
#include "polhode/tree/kernels/kernels.h"

namespace polhode::tree {
inline namespace POLHODE_ISA {

/// F . V and V += x F of one spatial vector with eight others side by side.
POLHODE_INLINE Lanes<8> dot_eight(const Quad& a, const Vec3<Lanes<8>>& b) {
  return Lanes<8>(a[0]) * b.x + Lanes<8>(a[1]) * b.y + Lanes<8>(a[2]) * b.z;
}
POLHODE_INLINE void add_eight(Vec3<Lanes<8>>& y, const Lanes<8>& x, const Quad& a) {
  y.x += x * Lanes<8>(a[0]);
  y.y += x * Lanes<8>(a[1]);
  y.z += x * Lanes<8>(a[2]);
}
POLHODE_INLINE Vec3<Lanes<8>> broadcast_eight(const Quad& a) { return {Lanes<8>(a[0]), Lanes<8>(a[1]), Lanes<8>(a[2])}; }

/// solve_mass() for eight right-hand sides at once: the factors are read once for all of them.
inline void solve_mass_eight(const TreeModel& tree, std::span<const BodyRange> ranges, const double* f_in, Scratch<double>& s,
                             double* a) {
  using Eight = Lanes<8>;
  for (const BodyRange& range : ranges)
    for (int b = range.first; b < range.last; ++b) s.eight[b] = {};
  for (std::size_t r = ranges.size(); r-- > 0;)
    for (int b = ranges[r].last - 1; b >= ranges[r].first; --b) {
      const FlatBody& f = tree.bodies[b];
      Pair<Eight> Z = s.eight[b];
      const bool turns_only = f.kind == FlatBody::Kind::revolute;
      for (int k = f.first_u; k < f.first_u + f.nu; ++k) {
        const AbaDof<double>& g = s.dof[k];
        Eight e = Eight::load(f_in + 8 * k) - dot_eight(s.H[k].a, Z.a);
        if (!turns_only) e -= dot_eight(s.H[k].l, Z.l);
        s.eight_e[k] = e;
        const Eight x = Eight(g.D_inverse) * e;
        add_eight(Z.a, x, g.U.a);
        add_eight(Z.l, x, g.U.l);
      }
      if (f.parent > 0) s.eight[f.parent] += shifted_back(Z, broadcast_eight(s.body[b].d));
    }
  for (const BodyRange& range : ranges)
    for (int b = range.first; b < range.last; ++b) {  // from here on accelerations
      const FlatBody& f = tree.bodies[b];
      Pair<Eight> A{};
      if (f.parent > 0) {
        A = s.eight[f.parent];
        A.l += cross(A.a, broadcast_eight(s.body[b].d));
      }
      const bool turns_only = f.kind == FlatBody::Kind::revolute;
      for (int k = f.first_u + f.nu - 1; k >= f.first_u; --k) {
        const AbaDof<double>& g = s.dof[k];
        const Eight x = Eight(g.D_inverse) * (s.eight_e[k] - dot_eight(g.U.a, A.a) - dot_eight(g.U.l, A.l));
        add_eight(A.a, x, s.H[k].a);
        if (!turns_only) add_eight(A.l, x, s.H[k].l);
        x.store(a + 8 * k);
      }
      s.eight[b] = A;
    }
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
