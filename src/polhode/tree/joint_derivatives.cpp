#include "polhode/tree/joint_derivatives.h"

#include "polhode/tree/joint_charts.h"

namespace polhode::tree {
namespace {

/// What the two kinds of differentiation read off a joint at some coordinates: pose, and hinge columns in M's axes.
template <class T>
struct Sample {
  Transform<T> X;
  Motion<T> S[most], V;
};
template <class T, class J>
Sample<T> sample(const J& model, bool reversed, const T* q, const double* u) {
  Sample<T> s;
  s.X = joint_pose<T>(model, reversed, q);
  joint_hinge<T>(model, reversed, q, s.S);
  const Mat3<T> R_MF = transpose(s.X.R);
  for (int k = 0; k < model.nv; ++k) {
    s.S[k] = R_MF * s.S[k];
    s.V += T(u[k]) * s.S[k];
  }
  return s;
}

template <class J>
void read_values(const J& model, bool reversed, const double* q, const double* u, JointDerivatives& out) {
  const Sample<double> s = sample<double>(model, reversed, q, u);
  out.nchart = model.nchart, out.nu = model.nv;
  out.X_FM = s.X, out.V = s.V;
  for (int k = 0; k < model.nv; ++k) out.S[k] = s.S[k];
}

/// Column i of u_q: the speeds of the motion along the coordinates' tangent.
template <class J>
void read_speeds(const J& model, const double* q, const double* tangent, int i, JointDerivatives& out) {
  double u[most]{};
  model.template N_inverse<double>(q, tangent, u);
  for (int k = 0; k < model.nv; ++k) out.u_q[k][i] = u[k];
}

/// Along theta_i (outer slope) and theta_j (inner slope), j <= i.
template <class J>
void differentiate_pair(const J& model, bool reversed, const double* q0, const double* u, int i, int j, JointDerivatives& out) {
  Dual2 theta[most]{}, q[most_q]{};
  theta[i].slope = 1.0;
  theta[j].value.slope = 1.0;
  retract_near_zero(model, q0, theta, q);
  const Sample<Dual2> s = sample<Dual2>(model, reversed, q, u);

  const Mat3<Dual1> R_MF = transpose(value(s.X.R));
  const Motion<Dual1> A{unskew(R_MF * slope(s.X.R)), R_MF * slope(s.X.p)};
  out.A[i] = value(A), out.A_q[i][j] = slope(A);
  // Mixed second derivatives of the pose are equal: dA_i/d(theta_j) - dA_j/d(theta_i) = [A_i, A_j].
  if (i != j) out.A_q[j][i] = out.A_q[i][j] - bracket(out.A[i], out.A[j]);

  for (int k = 0; k < model.nv; ++k) out.S_q[k][i] = value(slope(s.S[k]));
  out.V_q[i] = value(slope(s.V));
  out.V_qq[i][j] = out.V_qq[j][i] = slope(slope(s.V));
  if (i != j) return;
  double tangent[most_q]{};
  for (int c = 0; c < model.nq; ++c) tangent[c] = q[c].slope.value;
  read_speeds(model, q0, tangent, i, out);
}

template <class J>
void differentiate_model(const J& model, bool reversed, const double* q, const double* u, JointDerivatives& out) {
  read_values(model, reversed, q, u, out);
  for (int i = 0; i < model.nchart; ++i)
    for (int j = 0; j <= i; ++j) differentiate_pair(model, reversed, q, u, i, j, out);
}

/// Hinges and sliders are most joints of most mechanisms, and their column is constant.
void constant_column(const Motion<double>& column, bool reversed, double u, JointDerivatives& out) {
  out.nchart = out.nu = 1;
  out.A[0] = out.S[0] = reversed ? -1.0 * column : column;
  out.V = u * out.S[0];
  out.V_q[0] = out.A_q[0][0] = out.S_q[0][0] = out.V_qq[0][0] = {};
  out.u_q[0][0] = 1;
}
void differentiate_model(const Revolute& model, bool reversed, const double* q, const double* u, JointDerivatives& out) {
  out.X_FM = joint_pose<double>(model, reversed, q);
  constant_column({z_axis, {}}, reversed, u[0], out);
}
void differentiate_model(const Prismatic& model, bool reversed, const double* q, const double* u, JointDerivatives& out) {
  out.X_FM = joint_pose<double>(model, reversed, q);
  constant_column({{}, z_axis}, reversed, u[0], out);
}

// Users' joints: central differences through their own retract().

struct Displaced {
  Sample<double> sample;
  double q[most_q];
};
Displaced displaced(const Custom& model, bool reversed, const double* q0, const double* u, int i, double by_i, int j,
                    double by_j) {
  double theta[most]{};
  theta[i] += by_i, theta[j] += by_j;
  Displaced d{};
  model.retract(q0, theta, d.q);
  d.sample = sample<double>(model, reversed, d.q, u);
  return d;
}

void first_differences(const Custom& model, bool reversed, const double* q, const double* u, int i, JointDerivatives& out) {
  const double h = 6e-6;  // the cube root of the rounding error, where truncation h^2 and rounding eps/h are about equal
  const Displaced after = displaced(model, reversed, q, u, i, h, i, 0), before = displaced(model, reversed, q, u, i, -h, i, 0);
  const double scale = 0.5 / h;
  const Mat3<double> R_MF = transpose(out.X_FM.R);
  out.A[i] = {scale * unskew(R_MF * (after.sample.X.R - before.sample.X.R)),
              scale * (R_MF * (after.sample.X.p - before.sample.X.p))};
  for (int k = 0; k < model.nv; ++k) out.S_q[k][i] = scale * (after.sample.S[k] - before.sample.S[k]);
  out.V_q[i] = scale * (after.sample.V - before.sample.V);
  double tangent[most_q]{};
  for (int c = 0; c < model.nq; ++c) tangent[c] = scale * (after.q[c] - before.q[c]);
  read_speeds(model, q, tangent, i, out);
}

void second_differences(const Custom& model, bool reversed, const double* q, const double* u, int i, int j,
                        JointDerivatives& out) {
  const double h = 1e-4;  // near the fourth root of the rounding error: truncation 1e-8, rounding eps/h^2 = 2e-8
  const auto at = [&](double by_i, double by_j) { return displaced(model, reversed, q, u, i, by_i, j, by_j).sample; };
  const Sample<double> pp = at(h, h), pm = at(h, -h), mp = at(-h, h), mm = at(-h, -h);
  const double scale = 0.25 / (h * h);
  const Mat3<double> R_MF = transpose(out.X_FM.R), R_ij = scale * ((pp.X.R - pm.X.R) - (mp.X.R - mm.X.R));
  const Vec3<double> p_ij = scale * ((pp.X.p - pm.X.p) - (mp.X.p - mm.X.p));
  const auto A_q = [&](const Motion<double>& A_i, const Motion<double>& A_j) -> Motion<double> {
    return {unskew(R_MF * R_ij - skew(A_j.angular) * skew(A_i.angular)), R_MF * p_ij - cross(A_j.angular, A_i.linear)};
  };
  out.A_q[i][j] = A_q(out.A[i], out.A[j]);
  out.A_q[j][i] = A_q(out.A[j], out.A[i]);
  out.V_qq[i][j] = out.V_qq[j][i] = scale * ((pp.V - pm.V) - (mp.V - mm.V));
}

void differentiate_model(const Custom& model, bool reversed, const double* q, const double* u, JointDerivatives& out) {
  read_values(model, reversed, q, u, out);
  for (int i = 0; i < model.nchart; ++i) {
    first_differences(model, reversed, q, u, i, out);
    for (int j = 0; j <= i; ++j) second_differences(model, reversed, q, u, i, j, out);
  }
}

}  // namespace

void differentiate(const Joint& joint, const double* q, const double* u, JointDerivatives& out) {
  std::visit([&](const auto& model) { differentiate_model(model, joint.reversed, q + joint.first_q, u + joint.first_u, out); },
             joint.model);
}

}  // namespace polhode::tree
