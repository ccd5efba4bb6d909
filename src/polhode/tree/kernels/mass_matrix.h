#pragma once
#include "polhode/tree/kernels/inverse_dynamics.h"

/// Composite rigid bodies (Featherstone 2008, section 6.2): M_kj = H_j . (force at j of the subtree of k accelerating by H_k).
namespace polhode::tree {
inline namespace POLHODE_ISA {

/// Adds a stiff subtree whose origin is at d. With e = m c + m d / 2, from H = [m c] and M = m 1 in the general shift:
///   J' = J + 2 (e . d) 1 - d e^T - e d^T.
template <class T>
POLHODE_INLINE void add_shifted(RigidInertia<T>& I, const RigidInertia<T>& C, const Vec3<T>& d) {
  const Vec3<T> e = C.mc + (T(0.5) * C.m) * d;
  const Vec3<T> ed{e.x * d.x, e.y * d.y, e.z * d.z};
  const T two(2);
  I.J.xx += C.J.xx + two * (ed.y + ed.z), I.J.yy += C.J.yy + two * (ed.x + ed.z), I.J.zz += C.J.zz + two * (ed.x + ed.y);
  I.J.xy += C.J.xy - (d.x * e.y + e.x * d.y), I.J.xz += C.J.xz - (d.x * e.z + e.x * d.z),
      I.J.yz += C.J.yz - (d.y * e.z + e.y * d.z);
  I.mc += C.mc + C.m * d;
  I.m += C.m;
}
POLHODE_INLINE void add_shifted(RigidInertia<double>& I, const RigidInertia<double>& C, const Quad& d) {
  const Quad e = C.mc + (0.5 * C.m) * d;
  const double trace = 2 * dot(e, d);
  I.J.col[0].v += C.J.col[0].v + (Quad(trace, 0, 0).v - (broadcast<0>(e).v * d.v + broadcast<0>(d).v * e.v));
  I.J.col[1].v += C.J.col[1].v + (Quad(0, trace, 0).v - (broadcast<1>(e).v * d.v + broadcast<1>(d).v * e.v));
  I.J.col[2].v += C.J.col[2].v + (Quad(0, 0, trace).v - (broadcast<2>(e).v * d.v + broadcast<2>(d).v * e.v));
  I.mc += C.mc + C.m * d;
  I.m += C.m;
}

/// Every body's inertia with its whole subtree held stiff; needs kinematics().
template <class T>
POLHODE_INLINE void composite_inertias(const TreeModel& tree, Scratch<T>& s) {
  const int n = int(tree.bodies.size());
  for (int b = 1; b < n; ++b) s.rigid[b] = rigid_inertia<T>(tree.bodies[b], s.body[b].R);
  for (int b = n - 1; b > 0; --b)
    if (const int parent = tree.bodies[b].parent; parent > 0) add_shifted(s.rigid[parent], s.rigid[b], s.body[b].d);
}

/// Row k of the lower triangle: the entries of the degrees of freedom on the way to Ground, the others zero.
template <class T>
POLHODE_INLINE void fill_row(const TreeModel& tree, int b, int k, const Pair<T>& F_k, const Scratch<T>& s, double* M) {
  for (int j = 0; j < k; ++j) store(M, k * tree.num_u + j, T(0));
  Pair<T> F = F_k;
  for (int a = b; a > 0; a = tree.bodies[a].parent) {
    const FlatBody& f = tree.bodies[a];
    const int last = a == b ? k : f.first_u + f.nu - 1;
    for (int j = f.first_u; j <= last; ++j) store(M, k * tree.num_u + j, along_hinge(f.kind, s.H[j], F));
    F = shifted_back(F, s.body[a].d);
  }
}

/// The scalar version of the same takes a whole unbranched run of ancestors at once, several degrees of freedom side by
/// side: M_kj = w_j . (n + (o_k - o_j) x f) + v_j . f with the hinge columns (w_j, v_j) and origins o_j as rows of numbers.
/// Differences of origins are formed first, so far ends of long chains lose no digits.
POLHODE_INLINE void fill_row(const TreeModel& tree, int b, int k, const Pair<double>& F, const Scratch<double>& s, double* M) {
  constexpr int W = 4;
  using L = Lanes<W>;
  const int stride = (tree.num_u + 1 + Scratch<double>::padding);
  const double* const rows = s.columns;
  const L nx = F.a[0], ny = F.a[1], nz = F.a[2], fx = F.l[0], fy = F.l[1], fz = F.l[2];
  const L ox = s.body[b].p[0], oy = s.body[b].p[1], oz = s.body[b].p[2];
  double* const row = M + std::size_t(k) * tree.num_u;

  const auto entries = [&](int j) {
    const auto number = [&](int r) { return L::load(rows + r * stride + j); };
    const L dx = ox - number(6), dy = oy - number(7), dz = oz - number(8);
    const L mx = nx + (dy * fz - dz * fy), my = ny + (dz * fx - dx * fz), mz = nz + (dx * fy - dy * fx);
    return number(0) * mx + number(1) * my + number(2) * mz + (number(3) * fx + number(4) * fy + number(5) * fz);
  };

  int end = k + 1;  // one past the last column of the run
  for (int a = b; a > 0; a = tree.bodies[tree.bodies[a].run_start].parent) {
    const FlatBody& last = tree.bodies[a];
    if (a != b) {
      for (int j = last.first_u + last.nu; j < end; ++j) row[j] = 0;  // degrees of freedom of other branches
      end = last.first_u + last.nu;
    }
    const int begin = tree.bodies[tree.bodies[a].run_start].first_u;
    int j = begin;
    for (; j + W <= end; j += W) entries(j).store(row + j);
    if (j < end) {
      double rest[W];
      entries(j).store(rest);
      for (int i = 0; j + i < end; ++i) row[j + i] = rest[i];
    }
    end = begin;
  }
  for (int j = 0; j < end; ++j) row[j] = 0;
}

POLHODE_INLINE void lay_out_columns(const TreeModel& tree, Scratch<double>& s) {
  const int stride = (tree.num_u + 1 + Scratch<double>::padding);
  for (int b = 1; b < int(tree.bodies.size()); ++b) {
    const FlatBody& f = tree.bodies[b];
    for (int k = f.first_u; k < f.first_u + f.nu; ++k)
      for (int i = 0; i < 3; ++i) {
        s.columns[i * stride + k] = s.H[k].a[i];
        s.columns[(3 + i) * stride + k] = s.H[k].l[i];
        s.columns[(6 + i) * stride + k] = s.body[b].p[i];
      }
  }
}

/// Lower triangle of M, row after row of an nu x nu array; entries above the diagonal are left alone.
template <class T>
void mass_matrix(const TreeModel& tree, const double* q, Scratch<T>& s, double* M) {
  prepare_angles(tree, q, s);
  reset_ground(tree.gravity, s);
  const int n = int(tree.bodies.size());
  for (int b = 1; b < n; ++b) place_body(tree, b, q, s);
  composite_inertias(tree, s);
  if constexpr (std::is_same_v<T, double>) lay_out_columns(tree, s);
  for (int b = 1; b < n; ++b) {
    const FlatBody& f = tree.bodies[b];
    for (int k = f.first_u; k < f.first_u + f.nu; ++k) fill_row(tree, b, k, times(s.rigid[b], s.H[k]), s, M);
  }
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
