#include "polhode/tree/derivative_terms.h"

namespace polhode::tree {
namespace {

Transform<double> X_PF(const FlatBody& body) {
  Transform<double> X;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) X.R(r, c) = body.R_PF[3 * c + r];
  X.p = {body.p_PF[0], body.p_PF[1], body.p_PF[2]};
  return X;
}

void turn(const Mat3<double>& R, JointDerivatives& j) {
  j.V = R * j.V;
  for (int i = 0; i < j.nchart; ++i) {
    j.A[i] = R * j.A[i];
    j.V_q[i] = R * j.V_q[i];
    for (int k = 0; k < j.nchart; ++k) {
      j.A_q[i][k] = R * j.A_q[i][k];
      j.V_qq[i][k] = R * j.V_qq[i][k];
    }
  }
  for (int k = 0; k < j.nu; ++k) {
    j.S[k] = R * j.S[k];
    for (int i = 0; i < j.nchart; ++i) j.S_q[k][i] = R * j.S_q[k][i];
  }
}

/// y moves with the joint too: dy/d(theta_j) = -[A_j, y].
void fill_velocity_derivatives(const Motion<double>& y, BodyTerms& b) {
  const JointDerivatives& j = b.j;
  for (int i = 0; i < j.nchart; ++i) b.D[i] = j.V_q[i] - bracket(j.A[i], y);
  for (int i = 0; i < j.nchart; ++i)
    for (int k = 0; k < j.nchart; ++k)
      b.D_q[i][k] = j.V_qq[i][k] - bracket(j.A_q[i][k], y) + bracket(j.A[i], bracket(j.A[k], y));
}

}  // namespace

void fill_terms(const Mechanism& mechanism, const double* q, const double* u, std::span<BodyTerms> bodies) {
  BodyTerms& ground = bodies[0];
  ground.parent = -1, ground.first_chart = ground.first_u = 0;
  ground.X_WM = {}, ground.V = {};
  ground.j.nchart = ground.j.nu = 0;
  for (int b = 1; b < int(bodies.size()); ++b) {
    BodyTerms& body = bodies[b];
    const Joint& joint = mechanism.joints()[b];
    const FlatBody& flat = mechanism.flat()[b];
    body.parent = flat.parent, body.first_chart = joint.first_chart, body.first_u = joint.first_u;
    const BodyTerms& parent = bodies[body.parent];
    differentiate(joint, q, u, body.j);
    body.X_WM = parent.X_WM * X_PF(flat) * body.j.X_FM;
    turn(body.X_WM.R, body.j);
    const Motion<double> y = shifted(parent.V, body.X_WM.p - parent.X_WM.p);
    body.V = y + body.j.V;
    fill_velocity_derivatives(y, body);
  }
}

}  // namespace polhode::tree
