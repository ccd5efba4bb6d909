#pragma once
#include "polhode/variational/tree/kernels/midpoint.h"

/// The exact Newton matrix of the midpoint rule, factored leaf to root in linear time.
///
/// The second variation of the discrete action is a bilinear form on the tree. A trial change x and a test y travel outward,
///   x_k = A_k x_parent + s_k delta_k,   s  = velocity/h + alpha e,               e = (ad(V_out) T, turn of T)
///   y_k = A_k y_parent + s'_k eta_k,    s' = -velocity_test + h (1 - alpha) e',
/// and with c = (ad(T)^T P, -J x g), where J = T_a x C + M T_l is how the joint moves the first moment outboard,
///   B = sum y^T I x - h (1 - alpha) eta c'.x_out - alpha delta c.y_out - alpha h (1 - alpha) eta delta c'.e + extra.
/// Taking joints out one after another from the leaves leaves a form Phi of the same kind on the parent:
///   D = s'.Phi s - alpha h (1 - alpha) c'.e + extra,   w = Phi^T s' - h (1 - alpha) c',   u = Phi s - alpha c,
///   Phi_parent += A^T (Phi - u D^-1 w^T) A,            delta = -D^-1 (rho + w.x_out).
namespace polhode::variational {
inline namespace POLHODE_ISA {

/// One degree of freedom of a joint as the form sees it, in Ground axes.
struct Column {
  Octet e, c;
};
POLHODE_INLINE Column column(const StepData& in, const Link& f, const Carried& V, const LinkMotion& B, const Quad& T_a,
                             const Quad& T_l) {
  const Quad moved = cross(T_a, B.C) + f.mass_outboard * T_l;  // J
  const double g = in.gravity;
  return {Octet(cross(V.w, T_a), cross(V.v, T_a) + cross(V.w, T_l), T_a),
          Octet(cross(B.P_a, T_a) + cross(B.P_l, T_l), cross(B.P_l, T_a), Quad(g * moved[1], -g * moved[0], 0))};
}

/// Takes the only degree of freedom of a pin, slider or screw out of the form.
POLHODE_INLINE void eliminate_one(const StepData& in, const Link& f, const LinkMotion& B, Scratch& s, OctetMatrix& Phi) {
  if (f.held) return;
  const double a = in.alpha, b = in.h * (1 - in.alpha);
  Quad T_a{}, T_l{};
  if (f.kind == Link::Kind::pin) T_a = axis(B);
  if (f.kind == Link::Kind::slider) T_l = axis(B);
  if (f.kind == Link::Kind::screw) T_a = axis(B), T_l = f.lead * axis(B);
  const Column col = column(in, f, carried_out(s.link[f.parent], B), B, T_a, T_l);
  const Octet S(T_a, T_l);
  EliminatedDof& g = s.dof[f.first_u];
  g.trial = (1 / in.h) * S + a * col.e;
  g.test = b * col.e - S;
  const Octet Phi_s = Phi.times(g.trial);
  g.row = Phi.transpose_times(g.test) - b * col.c;
  const double D = dot(g.test, Phi_s) - (a * b) * dot(col.c, col.e) + in.stiffness[f.first_u];
  const double inverse = s.pivot_inverse[f.first_u] = 1 / D;
  g.gain = inverse * (Phi_s - a * col.c);
  Phi.subtract(g.gain, g.row);
}

/// Inverts a small matrix in place, without pivoting: it is the inertia of a joint's motions, divided by -h, and a little.
inline void invert(int n, double (*D)[GeneralMotion::most]) {
  for (int i = 0; i < n; ++i) {
    const double pivot = 1 / D[i][i];
    D[i][i] = 1;
    for (int j = 0; j < n; ++j) D[i][j] *= pivot;
    for (int k = 0; k < n; ++k) {
      if (k == i) continue;
      const double factor = D[k][i];
      D[k][i] = 0;
      for (int j = 0; j < n; ++j) D[k][j] -= factor * D[i][j];
    }
  }
}

/// The same for a general joint, all degrees of freedom together.
inline void eliminate_many(const StepData& in, const Link& f, const LinkMotion& B, Scratch& s, OctetMatrix& Phi) {
  if (f.held) return;
  constexpr int most = GeneralMotion::most;
  const double a = in.alpha, b = in.h * (1 - in.alpha);
  const GeneralMotion& joint = in.general[f.general];
  const QuadMatrix F = matrix_times_constant(s.link[f.parent].R, f.R_PF);
  const Carried V = carried_out(s.link[f.parent], B);
  Column trial[most], test[most];
  Octet u[most];
  double D[most][most];
  EliminatedDof* dof = s.dof + f.first_u;
  for (int i = 0; i < f.nu; ++i) {
    trial[i] = column(in, f, V, B, F * Quad(joint.pose[i].angular), F * Quad(joint.pose[i].linear));
    test[i] = column(in, f, V, B, F * Quad(joint.pose_test[i].angular), F * Quad(joint.pose_test[i].linear));
    dof[i].trial = (1 / in.h) * Octet(F * Quad(joint.velocity[i].angular), F * Quad(joint.velocity[i].linear)) + a * trial[i].e;
    dof[i].test = b * test[i].e - Octet(F * Quad(joint.velocity_test[i].angular), F * Quad(joint.velocity_test[i].linear));
    u[i] = Phi.times(dof[i].trial);
    dof[i].row = Phi.transpose_times(dof[i].test) - b * test[i].c;
  }
  for (int j = 0; j < f.nu; ++j)
    for (int i = 0; i < f.nu; ++i) D[j][i] = dot(dof[j].test, u[i]) - (a * b) * dot(test[j].c, trial[i].e) + joint.extra[j][i];
  for (int i = 0; i < f.nu; ++i) D[i][i] += in.stiffness[f.first_u + i];
  invert(f.nu, D);
  for (int j = 0; j < f.nu; ++j) {
    dof[j].gain = Octet{};
    for (int i = 0; i < f.nu; ++i) {
      s.pivot_row[f.first_u + j].inverse[i] = D[j][i];
      dof[j].gain += D[i][j] * (u[i] - a * trial[i].c);
    }
  }
  for (int j = 0; j < f.nu; ++j) Phi.subtract(dof[j].gain, dof[j].row);
}

inline void factor(const StepData& in, Scratch& s) {
  OctetMatrix Phi{};
  for (int k = in.num_links - 1; k > 0; --k) {
    const Link& f = in.links[k];
    const LinkMotion& B = s.link[k];
    if (f.gathers) Phi += s.gathered[k];
    if (!f.massless) Phi.add_rigid(B.J, B.mc, f.mass);
    if (f.kind == Link::Kind::general)
      eliminate_many(in, f, B, s, Phi);
    else
      eliminate_one(in, f, B, s, Phi);
    if (f.parent == k - 1) {
      if (f.parent > 0) Phi = Phi.moved_in_both(B.d);
      continue;
    }
    if (f.parent > 0) {
      if (f.opens) s.gathered[f.parent] = {};
      s.gathered[f.parent] += Phi.moved_in_both(B.d);
    }
    Phi = {};
  }
}

/// rho = residual + s'.phi on the way in, delta = -D^-1 (rho + w.x_out) on the way out, for `columns` right-hand sides.
template <int columns>
inline void solve_columns(const StepData& in, Scratch& s, const double* residual, double* delta) {
  Octet* const phi = s.phi;
  const int n = in.num_links;
  const std::size_t stride = std::size_t(in.num_u);
  for (int i = 0; i < n * columns; ++i) phi[i] = Octet{};
  for (int k = n - 1; k > 0; --k) {
    const Link& f = in.links[k];
    for (int c = 0; c < columns; ++c) {
      Octet y = phi[k * columns + c];
      if (!f.held) {
        double rho[GeneralMotion::most];
        for (int i = 0; i < f.nu; ++i) {
          const std::size_t at = c * stride + f.first_u + i;
          rho[i] = residual[at] + dot(s.dof[f.first_u + i].test, y);
          delta[at] = rho[i];
        }
        for (int i = 0; i < f.nu; ++i) y -= rho[i] * s.dof[f.first_u + i].gain;
      }
      if (f.parent > 0) phi[f.parent * columns + c] += moved_in(y, s.link[k].d);
    }
  }
  for (int c = 0; c < columns; ++c) phi[c] = Octet{};
  for (int k = 1; k < n; ++k) {  // from here on phi holds the variations x
    const Link& f = in.links[k];
    for (int c = 0; c < columns; ++c) {
      Octet x = moved_out(phi[f.parent * columns + c], s.link[k].d);
      if (f.held) {
        for (int i = 0; i < f.nu; ++i) delta[c * stride + f.first_u + i] = 0;
      } else if (f.kind != Link::Kind::general) {
        const EliminatedDof& g = s.dof[f.first_u];
        double& d = delta[c * stride + f.first_u];
        d = -s.pivot_inverse[f.first_u] * (d + dot(g.row, x));
        x += d * g.trial;
      } else {
        double sum[GeneralMotion::most];
        for (int i = 0; i < f.nu; ++i) sum[i] = delta[c * stride + f.first_u + i] + dot(s.dof[f.first_u + i].row, x);
        for (int i = 0; i < f.nu; ++i) {
          double d = 0;
          for (int j = 0; j < f.nu; ++j) d -= s.pivot_row[f.first_u + i].inverse[j] * sum[j];
          delta[c * stride + f.first_u + i] = d;
          x += d * s.dof[f.first_u + i].trial;
        }
      }
      phi[k * columns + c] = x;
    }
  }
}

inline void solve(const StepData& in, Scratch& s, int columns, const double* residual, double* delta) {
  const std::size_t stride = std::size_t(in.num_u);
  int done = 0;
  for (; done + 4 <= columns; done += 4) solve_columns<4>(in, s, residual + done * stride, delta + done * stride);
  for (; done < columns; ++done) solve_columns<1>(in, s, residual + done * stride, delta + done * stride);
}

}  // namespace POLHODE_ISA
}  // namespace polhode::variational
