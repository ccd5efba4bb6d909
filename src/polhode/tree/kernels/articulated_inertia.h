#pragma once
#include "polhode/tree/kernels/algebra.h"

namespace polhode::tree {
inline namespace POLHODE_ISA {

/// [J H; H^T M]: the inertia that a body shows with everything outboard hanging on it, in Ground axes at its own origin.
/// The force it takes to accelerate it is: moment = J alpha + H a, force = H^T alpha + M a.
template <class T>
struct ArticulatedInertia {
  SymMat3<T> J;
  Mat3<T> H;
  SymMat3<T> M;

  /// A rigid body: J about the origin, first moment m c, mass m.
  static POLHODE_INLINE ArticulatedInertia rigid(const SymMat3<T>& J, const Vec3<T>& mc, double m) {
    return {J, skew(mc), SymMat3<T>::diagonal({T(m), T(m), T(m)})};
  }
  POLHODE_INLINE Pair<T> times(const Pair<T>& A) const { return {J * A.a + H * A.l, transpose_times(H, A.a) + M * A.l}; }
  POLHODE_INLINE Pair<T> times_angular(const Vec3<T>& a) const { return {J * a, transpose_times(H, a)}; }
  POLHODE_INLINE Pair<T> times_linear(const Vec3<T>& l) const { return {H * l, M * l}; }

  /// Takes one degree of freedom out: minus k U U^T.
  POLHODE_INLINE void subtract(const T& k, const Pair<T>& U) {
    const Vec3<T> ka = k * U.a, kl = k * U.l;
    J.xx -= ka.x * U.a.x, J.yy -= ka.y * U.a.y, J.zz -= ka.z * U.a.z;
    J.xy -= ka.x * U.a.y, J.xz -= ka.x * U.a.z, J.yz -= ka.y * U.a.z;
    H.col[0] -= U.l.x * ka, H.col[1] -= U.l.y * ka, H.col[2] -= U.l.z * ka;
    M.xx -= kl.x * U.l.x, M.yy -= kl.y * U.l.y, M.zz -= kl.z * U.l.z;
    M.xy -= kl.x * U.l.y, M.xz -= kl.x * U.l.z, M.yz -= kl.y * U.l.z;
  }

  /// Adds a child's inertia, whose origin is at d from this one (seed 002, 12.5.1):
  ///   H' = H + [d] M,   J' = J - H [d] - (H' [d])^T.
  POLHODE_INLINE void add_shifted(const ArticulatedInertia& C, const Vec3<T>& d) {
    const Mat3<T> S = C.M.full();
    const Mat3<T> H1{{C.H.col[0] + cross(d, S.col[0]), C.H.col[1] + cross(d, S.col[1]), C.H.col[2] + cross(d, S.col[2])}};
    // Column j of X [d] is d_k X_i - d_i X_k summed over the cyclic pair (i, k) after j.
    const auto times_skew = [&d](const Mat3<T>& X, int i, int j) {
      return j == 0 ? d.z * X(i, 1) - d.y * X(i, 2) : j == 1 ? d.x * X(i, 2) - d.z * X(i, 0) : d.y * X(i, 0) - d.x * X(i, 1);
    };
    const auto correction = [&](int i, int j) { return times_skew(C.H, i, j) + times_skew(H1, j, i); };
    J.xx += C.J.xx - correction(0, 0), J.yy += C.J.yy - correction(1, 1), J.zz += C.J.zz - correction(2, 2);
    J.xy += C.J.xy - correction(0, 1), J.xz += C.J.xz - correction(0, 2), J.yz += C.J.yz - correction(1, 2);
    H = H + H1;
    M = M + C.M;
  }
};

/// The same on 4-wide registers, with K = H^T by columns. J and M stay symmetric to the last bit where that is cheap:
/// an antisymmetric rounding error would be amplified from link to link and cost digits on chains of hundreds.
template <>
struct ArticulatedInertia<double> {
  QuadMatrix J, K, M;

  static POLHODE_INLINE ArticulatedInertia rigid(const QuadMatrix& J, const Quad& mc, double m) {
    return {J,
            {{Quad(0, -mc[2], mc[1]), Quad(mc[2], 0, -mc[0]), Quad(-mc[1], mc[0], 0)}},
            {{Quad(m, 0, 0), Quad(0, m, 0), Quad(0, 0, m)}}};
  }
  POLHODE_INLINE Pair<double> times(const Pair<double>& A) const { return {J * A.a + transpose(K) * A.l, K * A.a + M * A.l}; }
  POLHODE_INLINE Pair<double> times_angular(const Quad& a) const { return {J * a, K * a}; }
  POLHODE_INLINE Pair<double> times_linear(const Quad& l) const { return {transpose(K) * l, M * l}; }

  POLHODE_INLINE void subtract(double k, const Pair<double>& U) {
    const Quad ka = k * U.a, kl = k * U.l;
    const Quad a0 = broadcast<0>(U.a), a1 = broadcast<1>(U.a), a2 = broadcast<2>(U.a);
    J.col[0].v -= a0.v * ka.v, J.col[1].v -= a1.v * ka.v, J.col[2].v -= a2.v * ka.v;
    K.col[0].v -= a0.v * kl.v, K.col[1].v -= a1.v * kl.v, K.col[2].v -= a2.v * kl.v;
    M.col[0].v -= broadcast<0>(U.l).v * kl.v, M.col[1].v -= broadcast<1>(U.l).v * kl.v,
        M.col[2].v -= broadcast<2>(U.l).v * kl.v;
  }

  /// K' = K - M [d],  J' = J - B - B^T with B = (K - M [d] / 2)^T [d].
  POLHODE_INLINE void add_shifted(const ArticulatedInertia& C, const Quad& d) {
    const QuadMatrix M_d = times_skew(C.M, d);
    QuadMatrix half;
    for (int k = 0; k < 3; ++k) half.col[k].v = C.K.col[k].v - 0.5 * M_d.col[k].v;
    const QuadMatrix B = times_skew(transpose(half), d), B_transposed = transpose(B);
    for (int k = 0; k < 3; ++k) {
      J.col[k] += C.J.col[k] - (B.col[k] + B_transposed.col[k]);
      K.col[k] += C.K.col[k] - M_d.col[k];
      M.col[k] += C.M.col[k];
    }
  }
};

/// R S R^T for a constant symmetric S (xx yy zz xy xz yz).
template <class T>
POLHODE_INLINE SymMat3<T> rotated_inertia(const Mat3<T>& R, const double* s) {
  const double full[9] = {s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]};
  const Mat3<T> S = matrix_times_constant(R, full);
  const auto entry = [&](int i, int j) { return S(i, 0) * R(j, 0) + S(i, 1) * R(j, 1) + S(i, 2) * R(j, 2); };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}
POLHODE_INLINE QuadMatrix rotated_inertia(const QuadMatrix& R, const double* s) {
  const double full[9] = {s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]};
  const QuadMatrix S = matrix_times_constant(R, full);
  // Column j is S times row j of R.
  const auto column = [&]<int j>() {
    return Quad(S.col[0].v * broadcast<j>(R.col[0]).v + S.col[1].v * broadcast<j>(R.col[1]).v +
                S.col[2].v * broadcast<j>(R.col[2]).v);
  };
  return {{column.template operator()<0>(), column.template operator()<1>(), column.template operator()<2>()}};
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
