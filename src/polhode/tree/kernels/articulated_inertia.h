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

  /// Adds a rigid body: J about the origin, first moment m c, mass m.
  POLHODE_INLINE void add_rigid(const SymMat3<T>& I, const Vec3<T>& mc, const T& m) {
    J = J + I;
    H(2, 1) += mc.x, H(1, 2) -= mc.x;
    H(0, 2) += mc.y, H(2, 0) -= mc.y;
    H(1, 0) += mc.z, H(0, 1) -= mc.z;
    M.xx += m, M.yy += m, M.zz += m;
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

  POLHODE_INLINE void operator+=(const ArticulatedInertia& b) { J = J + b.J, H = H + b.H, M = M + b.M; }

  /// The same inertia seen from an origin that this one is at d from (Simbody theory manual 12.5.1):
  ///   H' = H + [d] M,   J' = J - H [d] - (H' [d])^T.
  POLHODE_INLINE ArticulatedInertia shifted(const Vec3<T>& d) const {
    const Mat3<T> S = M.full();
    const Mat3<T> H1{{H.col[0] + cross(d, S.col[0]), H.col[1] + cross(d, S.col[1]), H.col[2] + cross(d, S.col[2])}};
    // Column j of X [d] is d_k X_i - d_i X_k summed over the cyclic pair (i, k) after j.
    const auto times_skew = [&d](const Mat3<T>& X, int i, int j) {
      return j == 0 ? d.z * X(i, 1) - d.y * X(i, 2) : j == 1 ? d.x * X(i, 2) - d.z * X(i, 0) : d.y * X(i, 0) - d.x * X(i, 1);
    };
    const auto moved = [&](const T& J_ij, int i, int j) { return J_ij - (times_skew(H, i, j) + times_skew(H1, j, i)); };
    return {{moved(J.xx, 0, 0), moved(J.yy, 1, 1), moved(J.zz, 2, 2), moved(J.xy, 0, 1), moved(J.xz, 0, 2), moved(J.yz, 1, 2)},
            H1,
            M};
  }
};

/// The same on 4-wide registers, with K = H^T by columns. J and M stay symmetric to the last bit where that is cheap:
/// an antisymmetric rounding error would be amplified from link to link and cost digits on chains of hundreds.
template <>
struct ArticulatedInertia<double> {
  QuadMatrix J, K, M;

  POLHODE_INLINE void add_rigid(const QuadMatrix& I, const Quad& mc, double m) {
    for (int k = 0; k < 3; ++k) J.col[k] += I.col[k];
    K.col[0] += Quad(0, -mc[2], mc[1]), K.col[1] += Quad(mc[2], 0, -mc[0]), K.col[2] += Quad(-mc[1], mc[0], 0);
    M.col[0] += Quad(m, 0, 0), M.col[1] += Quad(0, m, 0), M.col[2] += Quad(0, 0, m);
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

  POLHODE_INLINE void operator+=(const ArticulatedInertia& b) {
    for (int k = 0; k < 3; ++k) J.col[k] += b.J.col[k], K.col[k] += b.K.col[k], M.col[k] += b.M.col[k];
  }

  /// K' = K - M [d],  J' = J - B - B^T with B = (K - M [d] / 2)^T [d].
  POLHODE_INLINE ArticulatedInertia shifted(const Quad& d) const {
    const QuadMatrix M_d = times_skew(M, d);
    QuadMatrix half;
    for (int k = 0; k < 3; ++k) half.col[k].v = K.col[k].v - 0.5 * M_d.col[k].v;
    const QuadMatrix B = times_skew(transpose(half), d), B_transposed = transpose(B);
    ArticulatedInertia r;
    for (int k = 0; k < 3; ++k) {
      r.J.col[k] = J.col[k] - (B.col[k] + B_transposed.col[k]);
      r.K.col[k] = K.col[k] - M_d.col[k];
      r.M.col[k] = M.col[k];
    }
    return r;
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
