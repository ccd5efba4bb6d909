#pragma once
#include <array>

#include "polhode/mechanism/mechanism.h"

namespace polhode::tree {

/// A joint's pose X_FM(q (+) theta) and its velocity in M's axes, with their derivatives by the chart coordinates theta at
/// theta = 0 and by the speeds u, as motions of M at M's origin in one set of axes (M's own, when just computed):
///   d(X_FM)/d(theta_i) = X_FM hat(A_i),   V = sum_k S_k u_k.
struct JointDerivatives {
  static constexpr int most = 6;
  template <class T>
  using Row = std::array<T, most>;
  template <class T>
  using Table = std::array<std::array<T, most>, most>;

  int nchart = 0, nu = 0;
  Transform<double> X_FM;
  Motion<double> V;
  Row<Motion<double>> A, S, V_q;
  Table<Motion<double>> A_q;   ///< [i][j]: dA_i / d(theta_j); not symmetric
  Table<Motion<double>> S_q;   ///< [k][i]: dS_k / d(theta_i)
  Table<Motion<double>> V_qq;  ///< [i][j], at fixed u
  Table<double> u_q;           ///< [k][i]: speed k of the motion whose chart rate is 1 in coordinate i and 0 in the others
};

/// Exact for every built-in joint type, by dual numbers. A user's joint is a function of doubles: its derivatives are central
/// differences, right to about 1e-10 (first) and 1e-7 (second) where the joint moves things of order one.
void differentiate(const Joint& joint, const double* q, const double* u, JointDerivatives& out);

/// [i][j][k]: the second derivative of A_i by theta_j and theta_k, in M's axes; symmetric in j and k.
using SecondTwistDerivatives = JointDerivatives::Row<JointDerivatives::Table<Motion<double>>>;

/// As exact as differentiate(); for a user's joint right to about 1e-5.
void differentiate_twists_twice(const Joint& joint, const double* q, const double* u, SecondTwistDerivatives& out);

/// [x, y], the bracket of motions at one origin.
inline Motion<double> bracket(const Motion<double>& x, const Motion<double>& y) {
  return {cross(x.angular, y.angular), cross(x.angular, y.linear) + cross(x.linear, y.angular)};
}

}  // namespace polhode::tree
