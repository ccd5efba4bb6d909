#pragma once
#include <type_traits>

#include "polhode/spatial/lanes.h"
#include "polhode/spatial/spatial_vector.h"
#include "polhode/tree/kernels/quad.h"

/// The one vocabulary in which the sweeps are written. On SIMD lanes and dual numbers it means the plain Vec3 and Mat3;
/// on double it means 4-wide registers.
namespace polhode::tree {
inline namespace POLHODE_ISA {

template <class T>
struct Algebra {
  using Vector = Vec3<T>;
  using Matrix = Mat3<T>;
};
template <>
struct Algebra<double> {
  using Vector = Quad;
  using Matrix = QuadMatrix;
};
template <class T>
using Vector = typename Algebra<T>::Vector;
template <class T>
using Matrix = typename Algebra<T>::Matrix;

/// Angular over linear, or moment over force.
template <class T>
struct Pair {
  Vector<T> a{}, l{};
};
template <class T>
POLHODE_INLINE T dot(const Pair<T>& F, const Pair<T>& V) {
  return dot(F.a, V.a) + dot(F.l, V.l);
}
POLHODE_INLINE double dot(const Pair<double>& F, const Pair<double>& V) {
  const Quad::Vector m = F.a.v * V.a.v + F.l.v * V.l.v;
  return m[0] + m[1] + m[2];
}

template <class T>
POLHODE_INLINE Pair<T> operator+(const Pair<T>& x, const Pair<T>& y) {
  return {x.a + y.a, x.l + y.l};
}
template <class T>
POLHODE_INLINE Pair<T> operator-(const Pair<T>& x, const Pair<T>& y) {
  return {x.a - y.a, x.l - y.l};
}
template <class T>
POLHODE_INLINE Pair<T> operator*(const T& k, const Pair<T>& x) {
  return {k * x.a, k * x.l};
}
template <class T>
POLHODE_INLINE void operator+=(Pair<T>& x, const Pair<T>& y) {
  x.a += y.a, x.l += y.l;
}
/// A wrench given at d from the new origin, about the new origin.
template <class T>
POLHODE_INLINE Pair<T> shifted_back(const Pair<T>& F, const Vector<T>& d) {
  return {F.a + cross(d, F.l), F.l};
}

/// Plain vectors and matrices into the kernels' own.
template <class T>
POLHODE_INLINE Vector<T> to_vector(const Vec3<T>& a) {
  return a;
}
POLHODE_INLINE Quad to_vector(const Vec3<double>& a) { return Quad(a); }
template <class T>
POLHODE_INLINE Matrix<T> to_matrix(const Mat3<T>& A) {
  return {{to_vector(A.col[0]), to_vector(A.col[1]), to_vector(A.col[2])}};
}
template <class T>
POLHODE_INLINE Vector<T> constant_vector(const Vec3<double>& a) {
  return to_vector(cast<T>(a));
}

/// A times a constant vector that lies in memory.
template <class M>
POLHODE_INLINE auto times_constant(const M& A, const double* c) {
  using T = std::remove_cvref_t<decltype(A.col[0][0])>;
  return T(c[0]) * A.col[0] + T(c[1]) * A.col[1] + T(c[2]) * A.col[2];
}
/// A times a constant matrix given by its nine numbers, column after column.
template <class M>
POLHODE_INLINE M matrix_times_constant(const M& A, const double* c) {
  return {{times_constant(A, c), times_constant(A, c + 3), times_constant(A, c + 6)}};
}

/// Number i of an array that holds one value per mechanism, or `width` of them side by side.
template <class T>
POLHODE_INLINE T load(const double* x, int i) {
  return T::load(x + i * T::width);
}
template <>
POLHODE_INLINE double load<double>(const double* x, int i) {
  return x[i];
}
template <class T>
POLHODE_INLINE void store(double* x, int i, const T& value) {
  value.store(x + i * T::width);
}
POLHODE_INLINE void store(double* x, int i, double value) { x[i] = value; }

/// The pair of body b, from or to arrays with `width` entries side by side.
template <class T>
POLHODE_INLINE Pair<T> load_pair(const Wrench<double>* F, int b) {
  Pair<T> r;
  for (int lane = 0; lane < T::width; ++lane)
    for (int i = 0; i < 3; ++i) {
      r.a[i].set(lane, F[b * T::width + lane].moment[i]);
      r.l[i].set(lane, F[b * T::width + lane].force[i]);
    }
  return r;
}
template <>
POLHODE_INLINE Pair<double> load_pair<double>(const Wrench<double>* F, int b) {
  return {Quad(F[b].moment), Quad(F[b].force)};
}
/// One lane of a number, a vector or a matrix.
template <class T>
POLHODE_INLINE double lane_of(const T& x, int lane) {
  return x[lane];
}
POLHODE_INLINE double lane_of(double x, int) { return x; }
template <class V>
POLHODE_INLINE Vec3<double> vector_of_lane(const V& a, int lane) {
  return {lane_of(a[0], lane), lane_of(a[1], lane), lane_of(a[2], lane)};
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
