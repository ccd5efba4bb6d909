#pragma once
#include <span>
#include <vector>

#include "polhode/tree/joint_derivatives.h"

/// What derivatives.cpp and lagrangian_derivatives.cpp share.
namespace polhode::tree {

/// A body with its joint's derivatives, all in Ground axes at the origin of M, the moving frame of its inboard joint.
/// A motion that a joint gives its body is carried outboard rigidly, so with v the velocity of any body outboard (or this one):
///   dv/d(theta_i) = D_i = V_q[i] - [A_i, y],      y the parent's velocity carried to M.
/// Neither A_i nor D_i, seen from the body, depends on what is inboard of the joint; what is outboard, by theta_j, turns them:
///   dA_i/d(theta_j) = -[A_j, A_i],   dD_i/d(theta_j) = -[A_j, D_i],   dS_k/d(theta_j) = -[A_j, S_k].
struct BodyTerms {
  int parent, first_chart, first_u;
  Transform<double> X_WM;
  Motion<double> V;    ///< of M's origin
  JointDerivatives j;  ///< turned to Ground axes
  JointDerivatives::Row<Motion<double>> D;
  JointDerivatives::Table<Motion<double>> D_q;  ///< [i][j]: second derivative of v, both coordinates the joint's own
};

/// Fills the terms of all bodies, Ground's (index 0) included.
void fill_terms(const Mechanism& mechanism, const double* q, const double* u, std::span<BodyTerms> bodies);

/// Carries motions from a joint's place to a frame: to the frame's origin and axes.
struct ToFrame {
  Mat3<double> R_FW;
  Vec3<double> p_MF;
  ToFrame(const Transform<double>& X_WF, const BodyTerms& body) : R_FW(transpose(X_WF.R)), p_MF(X_WF.p - body.X_WM.p) {}
  Motion<double> operator()(const Motion<double>& motion) const { return R_FW * shifted(motion, p_MF); }
};

/// Derivative of a point, fixed on the body at p_W or on one outboard of it, by the joint's chart coordinate i.
inline Vec3<double> point_slope(const BodyTerms& body, int i, const Vec3<double>& p_W) {
  return shifted(body.j.A[i], p_W - body.X_WM.p).linear;
}

}  // namespace polhode::tree
