#pragma once
#include "polhode/spatial/spatial_vector.h"
#include "polhode/tree/kernels/isa.h"

namespace polhode::tree {
inline namespace POLHODE_ISA {

/// A 3-vector of doubles in one 4-wide register, the fourth lane zero. Kernels on one mechanism use it instead of
/// Vec3<double>: a matrix-vector product is then three multiply-adds instead of nine.
/// It stays inside the kernels, because how such a type is passed to a function depends on compiler flags.
struct Quad {
  using Vector = double __attribute__((vector_size(32)));
  Vector v{};

  Quad() = default;
  POLHODE_INLINE Quad(const Vector& x) : v(x) {}
  POLHODE_INLINE Quad(double x, double y, double z) : v{x, y, z, 0} {}
  POLHODE_INLINE Quad(const Vec3<double>& a) : v{a.x, a.y, a.z, 0} {}

  POLHODE_INLINE double operator[](int i) const { return v[i]; }
  POLHODE_INLINE operator Vec3<double>() const { return {v[0], v[1], v[2]}; }

  POLHODE_INLINE Quad& operator+=(const Quad& b) { return v += b.v, *this; }
  POLHODE_INLINE Quad& operator-=(const Quad& b) { return v -= b.v, *this; }
};

POLHODE_INLINE Quad operator+(const Quad& a, const Quad& b) { return a.v + b.v; }
POLHODE_INLINE Quad operator-(const Quad& a, const Quad& b) { return a.v - b.v; }
POLHODE_INLINE Quad operator-(const Quad& a) { return -a.v; }
POLHODE_INLINE Quad operator*(double k, const Quad& a) { return k * a.v; }

/// Component i in every lane.
template <int i>
POLHODE_INLINE Quad broadcast(const Quad& a) {
  return __builtin_shufflevector(a.v, a.v, i, i, i, i);
}
/// Components y, z, x.
POLHODE_INLINE Quad rotated_components(const Quad& a) { return __builtin_shufflevector(a.v, a.v, 1, 2, 0, 3); }

POLHODE_INLINE Quad cross(const Quad& a, const Quad& b) {
  return rotated_components(a.v * rotated_components(b).v - rotated_components(a).v * b.v);
}
POLHODE_INLINE double dot(const Quad& a, const Quad& b) {
  const Quad::Vector m = a.v * b.v;
  return m[0] + m[1] + m[2];
}

/// Three columns.
struct QuadMatrix {
  Quad col[3];
};
/// a.x c0 + a.y c1 + a.z c2.
POLHODE_INLINE Quad operator*(const QuadMatrix& A, const Quad& a) {
  return broadcast<0>(a).v * A.col[0].v + broadcast<1>(a).v * A.col[1].v + broadcast<2>(a).v * A.col[2].v;
}

POLHODE_INLINE QuadMatrix transpose(const QuadMatrix& A) {
  const Quad::Vector xz = __builtin_shufflevector(A.col[0].v, A.col[1].v, 0, 4, 2, 6);  // x0 x1 z0 z1
  const Quad::Vector y0 = __builtin_shufflevector(A.col[0].v, A.col[1].v, 1, 5, 3, 7);  // y0 y1 0 0
  return {{Quad(__builtin_shufflevector(xz, A.col[2].v, 0, 1, 4, 7)), Quad(__builtin_shufflevector(y0, A.col[2].v, 0, 1, 5, 7)),
           Quad(__builtin_shufflevector(xz, A.col[2].v, 2, 3, 6, 7))}};
}
/// A [d]: the columns of A crossed with the cyclic pairs of d.
POLHODE_INLINE QuadMatrix times_skew(const QuadMatrix& A, const Quad& d) {
  const Quad::Vector x = broadcast<0>(d).v, y = broadcast<1>(d).v, z = broadcast<2>(d).v;
  return {
      {Quad(z * A.col[1].v - y * A.col[2].v), Quad(x * A.col[2].v - z * A.col[0].v), Quad(y * A.col[0].v - x * A.col[1].v)}};
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
