#pragma once
#include "polhode/tree/kernels/articulated_inertia.h"
#include "polhode/variational/tree/kernels/scratch.h"

/// The discrete Lagrangian's midpoint: where every link is and how it moves, and the first derivatives of L there.
namespace polhode::variational {
inline namespace POLHODE_ISA {

using tree::matrix_times_constant;
using tree::times_constant;
using tree::to_matrix;

/// Sines and cosines of all coordinates, four side by side.
POLHODE_INLINE void prepare_angles(const StepData& in, Scratch& s) {
  constexpr int W = 4;
  for (int i = 0; i < in.num_u; i += W) {
    const auto a = sin_cos(Lanes<W>::load(in.q_mid + i));
    a.s.store(s.sin_q + i), a.c.store(s.cos_q + i);
  }
}

/// Hangs link k in its parent: orientation, origin and motion (Johnson & Murphey (2) and (6)).
POLHODE_INLINE void place(const StepData& in, const Link& f, Scratch& s, LinkMotion& B) {
  const LinkMotion& P = s.link[f.parent];
  const QuadMatrix F = matrix_times_constant(P.R, f.R_PF);
  const Quad p = times_constant(P.R, f.p_PF);
  const Quad& z = F.col[2];
  if (f.kind == Link::Kind::general) {
    const GeneralMotion& g = in.general[f.general];
    const QuadMatrix X_R = to_matrix(g.X_FM.R);
    B.R = {{F * X_R.col[0], F * X_R.col[1], F * X_R.col[2]}};
    B.d = p + F * Quad(g.X_FM.p);
    B.w = P.w + F * Quad(g.V_FM.angular);
    B.v = P.v + cross(P.w, B.d) + F * Quad(g.V_FM.linear);
    return;
  }
  const double rate = in.rate[f.first_u];
  if (f.kind == Link::Kind::slider) {
    B.R = F;
    B.d = p + in.q_mid[f.first_u] * z;
    B.w = P.w;
    B.v = P.v + cross(P.w, B.d) + rate * z;
    return;
  }
  const double sin_q = s.sin_q[f.first_u], cos_q = s.cos_q[f.first_u];
  B.R = {{cos_q * F.col[0] + sin_q * F.col[1], cos_q * F.col[1] - sin_q * F.col[0], F.col[2]}};
  B.w = P.w + rate * z;
  if (f.kind == Link::Kind::pin) {
    B.d = p;
    B.v = P.v + cross(P.w, p);
  } else {
    B.d = p + (f.lead * in.q_mid[f.first_u]) * z;
    B.v = P.v + cross(P.w, B.d) + (f.lead * rate) * z;
  }
}

/// The parent's motion carried to a link's origin: A V of the note.
struct Carried {
  Quad w, v;
};
POLHODE_INLINE Carried carried_out(const LinkMotion& parent, const LinkMotion& B) {
  return {parent.w, parent.v + cross(parent.w, B.d)};
}
/// The axis of a pin, slider or screw.
POLHODE_INLINE const Quad& axis(const LinkMotion& B) { return B.R.col[2]; }

/// The link's own inertia and momentum.
POLHODE_INLINE void weigh(const Link& f, LinkMotion& B) {
  if (f.massless) {
    B.J = {}, B.mc = {}, B.P_a = {}, B.P_l = {}, B.C = {};
    return;
  }
  B.J = tree::rotated_inertia(B.R, f.inertia);
  B.mc = times_constant(B.R, f.first_moment);
  B.P_a = B.J * B.w + cross(B.mc, B.v);
  B.P_l = f.mass * B.v + cross(B.w, B.mc);
  B.C = B.mc;
}

/// Everything outboard by its momentum P and its first moment C gives
///   dL/dv = S . P,    dL/dq = P . ad(V_out) S + S . (C x g, M g)   with g = (0, 0, -gravity).
POLHODE_INLINE void differentiate(const StepData& in, const Link& f, const Carried& out_motion, LinkMotion& B, double* momentum,
                                  double* force) {
  const double g = in.gravity;
  const Quad& z = axis(B);
  const Quad N_a = cross(B.P_a, out_motion.w) + cross(B.P_l, out_motion.v) + Quad(-g * B.C[1], g * B.C[0], 0);
  const Quad N_l = cross(B.P_l, out_motion.w) + Quad(0, 0, -g * f.mass_outboard);
  switch (f.kind) {
    case Link::Kind::pin: momentum[f.first_u] = dot(z, B.P_a), force[f.first_u] = dot(z, N_a); break;
    case Link::Kind::slider: momentum[f.first_u] = dot(z, B.P_l), force[f.first_u] = dot(z, N_l); break;
    case Link::Kind::screw:
      momentum[f.first_u] = dot(z, B.P_a + f.lead * B.P_l), force[f.first_u] = dot(z, N_a + f.lead * N_l);
      break;
    case Link::Kind::general: {
      GeneralMotion& out = in.general[f.general];
      out.momentum = {B.P_a, B.P_l}, out.force = {N_a, N_l};
    }
  }
}

/// General joints read their covectors in the axes of F.
POLHODE_INLINE void express_in_joint_frames(const StepData& in, const Scratch& s) {
  for (int k = 1; k < in.num_links; ++k) {
    const Link& f = in.links[k];
    if (f.kind != Link::Kind::general) continue;
    const QuadMatrix R_FW = tree::transpose(matrix_times_constant(s.link[f.parent].R, f.R_PF));
    GeneralMotion& g = in.general[f.general];
    g.momentum = {R_FW * Quad(g.momentum.moment), R_FW * Quad(g.momentum.force)};
    g.force = {R_FW * Quad(g.force.moment), R_FW * Quad(g.force.force)};
  }
}

inline void evaluate(const StepData& in, Scratch& s, double* momentum, double* force) {
  prepare_angles(in, s);
  LinkMotion& ground = s.link[0];
  ground.R = to_matrix(Mat3<double>::identity());
  ground.w = ground.v = Quad{};
  bool any_general = false;
  for (int k = 1; k < in.num_links; ++k) {
    const Link& f = in.links[k];
    LinkMotion& B = s.link[k];
    place(in, f, s, B);
    weigh(f, B);
    any_general |= f.kind == Link::Kind::general;
  }
  // Inward, what a first child passes on stays at hand (links are numbered depth first).
  Quad P_a{}, P_l{}, C{};
  for (int k = in.num_links - 1; k > 0; --k) {
    const Link& f = in.links[k];
    LinkMotion& B = s.link[k];
    B.P_a += P_a, B.P_l += P_l, B.C += C;
    differentiate(in, f, carried_out(s.link[f.parent], B), B, momentum, force);
    P_a = B.P_a + cross(B.d, B.P_l), P_l = B.P_l, C = B.C + f.mass_outboard * B.d;
    if (f.parent == k - 1) continue;
    LinkMotion& parent = s.link[f.parent];
    if (f.parent > 0) parent.P_a += P_a, parent.P_l += P_l, parent.C += C;
    P_a = P_l = C = Quad{};
  }
  if (any_general) express_in_joint_frames(in, s);
}

}  // namespace POLHODE_ISA
}  // namespace polhode::variational
