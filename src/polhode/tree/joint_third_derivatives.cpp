#include "polhode/tree/joint_charts.h"
#include "polhode/tree/pose_hat.h"

namespace polhode::tree {
namespace {

/// Along theta_i (outermost slope), theta_j and theta_k (innermost).
template <class J>
Motion<double> second_twist_derivative(const J& model, bool reversed, const double* q0, int i, int j, int k) {
  Dual3 theta[most]{}, q[most_q]{};
  theta[i].slope = 1.0;
  theta[j].value.slope = 1.0;
  theta[k].value.value.slope = 1.0;
  retract_near_zero(model, q0, theta, q);
  const Transform<Dual3> X = joint_pose<Dual3>(model, reversed, q);
  const Mat3<Dual2> R_MF = transpose(value(X.R));
  const Motion<Dual2> A{unskew(R_MF * slope(X.R)), R_MF * slope(X.p)};
  return slope(slope(A));
}

template <class J>
void differentiate_model(const J& model, bool reversed, const double* q, SecondTwistDerivatives& out) {
  for (int i = 0; i < model.nchart; ++i)
    for (int j = 0; j < model.nchart; ++j)
      for (int k = 0; k <= j; ++k) out[i][j][k] = out[i][k][j] = second_twist_derivative(model, reversed, q, i, j, k);
}

/// Their twist does not change.
void differentiate_model(const Revolute&, bool, const double*, SecondTwistDerivatives& out) { out[0][0][0] = {}; }
void differentiate_model(const Prismatic&, bool, const double*, SecondTwistDerivatives& out) { out[0][0][0] = {}; }

// Users' joints: central differences of the pose, from which what first and second derivatives make of it is taken away.

/// The third derivative of X_FM, times X_FM^-1.
PoseHat third_difference(const Custom& model, bool reversed, const double* q0, int i, int j, int k) {
  const double h = 1e-3;  // the fifth root of the rounding error: truncation h^2 = 1e-6, rounding eps/h^3 = 2e-7
  Transform<double> sum{{}, {}}, here = joint_pose<double>(model, reversed, q0);
  for (const double a : {-h, h})
    for (const double b : {-h, h})
      for (const double c : {-h, h}) {
        double theta[most]{}, q[most_q]{};
        theta[i] += a, theta[j] += b, theta[k] += c;
        model.retract(q0, theta, q);
        const Transform<double> X = joint_pose<double>(model, reversed, q);
        const double sign = a * b * c > 0 ? 1 : -1;
        sum.R = sum.R + sign * X.R, sum.p += sign * X.p;
      }
  const double scale = 1 / (8 * h * h * h);
  return {scale * (transpose(here.R) * sum.R), scale * transpose_times(here.R, sum.p)};
}

void differentiate_model(const Custom& model, bool reversed, const double* q, const JointDerivatives& first,
                         SecondTwistDerivatives& out) {
  for (int i = 0; i < model.nchart; ++i)
    for (int j = 0; j < model.nchart; ++j)
      for (int k = 0; k <= j; ++k) {
        const PoseHat known = third_product(hat(first.A[i]), hat(first.A[j]), hat(first.A[k]), hat(first.A_q[i][j]),
                                            hat(first.A_q[i][k]), hat(first.A_q[j][k]));
        const PoseHat all = third_difference(model, reversed, q, i, j, k);
        out[i][j][k] = out[i][k][j] = {unskew(all.R - known.R), all.p - known.p};
      }
}

}  // namespace

void differentiate_twists_twice(const Joint& joint, const double* q, const double* u, SecondTwistDerivatives& out) {
  if (const Custom* const users = std::get_if<Custom>(&joint.model)) {
    JointDerivatives first;
    differentiate(joint, q, u, first);
    return differentiate_model(*users, joint.reversed, q + joint.first_q, first, out);
  }
  std::visit(
      [&]<class J>(const J& model) {
        if constexpr (!std::is_same_v<J, Custom>) differentiate_model(model, joint.reversed, q + joint.first_q, out);
      },
      joint.model);
}

}  // namespace polhode::tree
