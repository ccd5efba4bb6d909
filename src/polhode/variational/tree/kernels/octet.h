#pragma once
#include "polhode/tree/kernels/quad.h"

namespace polhode::variational {
inline namespace POLHODE_ISA {

using tree::Quad;
using tree::QuadMatrix;

/// What a variation does to one link: velocity (6 numbers, angular over linear) and rotation about the two horizontal axes,
/// which is all of the pose that uniform gravity feels. Lanes: a.x a.y a.z g.x | l.x l.y l.z g.y.
struct Octet {
  using Vector = double __attribute__((vector_size(64)));
  Vector v{};

  Octet() = default;
  POLHODE_INLINE Octet(const Vector& x) : v(x) {}
  POLHODE_INLINE Octet(const Quad& a, const Quad& l) : v(__builtin_shufflevector(a.v, l.v, 0, 1, 2, 3, 4, 5, 6, 7)) {}
  /// Angular part, linear part, and the vector whose x and y go into the lanes of gravity.
  POLHODE_INLINE Octet(const Quad& a, const Quad& l, const Quad& turn)
      : Octet(Quad(__builtin_shufflevector(a.v, turn.v, 0, 1, 2, 4)), Quad(__builtin_shufflevector(l.v, turn.v, 0, 1, 2, 5))) {}

  POLHODE_INLINE Quad angular() const { return Quad(__builtin_shufflevector(v, v, 0, 1, 2, 3)); }  ///< fourth lane: g.x
  POLHODE_INLINE Quad linear() const { return Quad(__builtin_shufflevector(v, v, 4, 5, 6, 7)); }   ///< fourth lane: g.y

  POLHODE_INLINE Octet& operator+=(const Octet& b) { return v += b.v, *this; }
  POLHODE_INLINE Octet& operator-=(const Octet& b) { return v -= b.v, *this; }
};

POLHODE_INLINE Octet operator+(const Octet& a, const Octet& b) { return a.v + b.v; }
POLHODE_INLINE Octet operator-(const Octet& a, const Octet& b) { return a.v - b.v; }
POLHODE_INLINE Octet operator*(double k, const Octet& a) { return k * a.v; }

template <int i>
POLHODE_INLINE Octet::Vector broadcast(const Octet& a) {
  return __builtin_shufflevector(a.v, a.v, i, i, i, i, i, i, i, i);
}
POLHODE_INLINE double dot(const Octet& a, const Octet& b) {
  const Octet::Vector m = a.v * b.v;
  const Quad::Vector half = __builtin_shufflevector(m, m, 0, 1, 2, 3) + __builtin_shufflevector(m, m, 4, 5, 6, 7);
  return (half[0] + half[2]) + (half[1] + half[3]);
}

/// A variation of the parent as its child at d feels it: linear += angular x d.
POLHODE_INLINE Octet moved_out(const Octet& x, const Quad& d) {
  // (a x d) with lanes y z x of a and z x y of a; the lanes of gravity meet zeros in d.
  const Octet::Vector& v = x.v;
  const Quad::Vector a1 = __builtin_shufflevector(v, v, 1, 2, 0, 3), a2 = __builtin_shufflevector(v, v, 2, 0, 1, 3);
  const Quad::Vector d1 = __builtin_shufflevector(d.v, d.v, 1, 2, 0, 3), d2 = __builtin_shufflevector(d.v, d.v, 2, 0, 1, 3);
  const Quad::Vector c = a1 * d2 - a2 * d1;
  return {v + __builtin_shufflevector(Quad::Vector{}, c, 0, 0, 0, 0, 4, 5, 6, 7)};
}
/// The dual: a covector of the child at d as the parent feels it: moment += d x force.
POLHODE_INLINE Octet moved_in(const Octet& y, const Quad& d) {
  const Octet::Vector& v = y.v;
  const Quad::Vector l1 = __builtin_shufflevector(v, v, 5, 6, 4, 7), l2 = __builtin_shufflevector(v, v, 6, 4, 5, 7);
  const Quad::Vector d1 = __builtin_shufflevector(d.v, d.v, 1, 2, 0, 3), d2 = __builtin_shufflevector(d.v, d.v, 2, 0, 1, 3);
  const Quad::Vector c = d1 * l2 - d2 * l1;
  return {v + __builtin_shufflevector(c, Quad::Vector{}, 0, 1, 2, 3, 4, 4, 4, 4)};
}

/// 8 x 8, by columns in the order of an Octet's lanes; not symmetric.
struct OctetMatrix {
  Octet col[8];

  POLHODE_INLINE void operator+=(const OctetMatrix& b) {
    for (int j = 0; j < 8; ++j) col[j] += b.col[j];
  }

  POLHODE_INLINE Octet times(const Octet& x) const {
    const Octet::Vector even =
        (broadcast<0>(x) * col[0].v + broadcast<2>(x) * col[2].v) + (broadcast<4>(x) * col[4].v + broadcast<6>(x) * col[6].v);
    const Octet::Vector odd =
        (broadcast<1>(x) * col[1].v + broadcast<3>(x) * col[3].v) + (broadcast<5>(x) * col[5].v + broadcast<7>(x) * col[7].v);
    return even + odd;
  }

  /// Transposed times x: eight sums over lanes, halved three times.
  POLHODE_INLINE Octet transpose_times(const Octet& x) const {
    using V = Octet::Vector;
    const V m0 = col[0].v * x.v, m1 = col[1].v * x.v, m2 = col[2].v * x.v, m3 = col[3].v * x.v;
    const V m4 = col[4].v * x.v, m5 = col[5].v * x.v, m6 = col[6].v * x.v, m7 = col[7].v * x.v;
    const auto fold4 = [](const V& a, const V& b) {
      return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
             __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    };
    const V s04 = fold4(m0, m4), s15 = fold4(m1, m5), s26 = fold4(m2, m6), s37 = fold4(m3, m7);
    const auto fold2 = [](const V& a, const V& b) {
      return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
             __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    };
    const V s0246 = fold2(s04, s26), s1357 = fold2(s15, s37);
    return __builtin_shufflevector(s0246, s1357, 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(s0246, s1357, 1, 9, 3, 11, 5, 13, 7, 15);
  }

  /// Minus v w^T.
  POLHODE_INLINE void subtract(const Octet& v, const Octet& w) {
    col[0].v -= broadcast<0>(w) * v.v, col[1].v -= broadcast<1>(w) * v.v;
    col[2].v -= broadcast<2>(w) * v.v, col[3].v -= broadcast<3>(w) * v.v;
    col[4].v -= broadcast<4>(w) * v.v, col[5].v -= broadcast<5>(w) * v.v;
    col[6].v -= broadcast<6>(w) * v.v, col[7].v -= broadcast<7>(w) * v.v;
  }

  /// Adds a rigid body: inertia J about the origin, first moment mc, mass m; moment = J w + mc x v, force = m v + w x mc.
  POLHODE_INLINE void add_rigid(const QuadMatrix& J, const Quad& mc, double m) {
    const double x = mc[0], y = mc[1], z = mc[2];
    col[0] += Octet(J.col[0], Quad(0, -z, y)), col[1] += Octet(J.col[1], Quad(z, 0, -x)),
        col[2] += Octet(J.col[2], Quad(-y, x, 0));
    col[4] += Octet(Quad(0, z, -y), Quad(m, 0, 0)), col[5] += Octet(Quad(-z, 0, x), Quad(0, m, 0));
    col[6] += Octet(Quad(y, -x, 0), Quad(0, 0, m));
  }

  /// The same form on variations of the parent, from which this link is at d.
  POLHODE_INLINE OctetMatrix moved_in_both(const Quad& d) const {
    OctetMatrix r;
    const Octet::Vector x = d[0] - Octet::Vector{}, y = d[1] - Octet::Vector{}, z = d[2] - Octet::Vector{};
    r.col[0] = Octet(col[0].v + y * col[6].v - z * col[5].v);  // e_x x d = (0, -z, y)
    r.col[1] = Octet(col[1].v + z * col[4].v - x * col[6].v);
    r.col[2] = Octet(col[2].v + x * col[5].v - y * col[4].v);
    r.col[3] = col[3], r.col[4] = col[4], r.col[5] = col[5], r.col[6] = col[6], r.col[7] = col[7];
    for (int j = 0; j < 8; ++j) r.col[j] = moved_in(r.col[j], d);
    return r;
  }
};

}  // namespace POLHODE_ISA
}  // namespace polhode::variational
