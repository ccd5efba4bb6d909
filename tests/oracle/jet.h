#pragma once
#include <Eigen/Core>
#include <vector>

/// The equations of motion of Tuomela, Arponen & Normi as they write them: y = (r, theta) of every body, constraints in those
/// numbers, and the distribution of algorithm 3.2 with dense matrices.
namespace polhode::oracle::jet {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;
using Matrix34 = Eigen::Matrix<double, 3, 4>;

/// (2.1), as linear maps of any four numbers.
Matrix34 H(const Vector4d& theta);
Matrix34 H_tilde(const Vector4d& theta);
/// (2.1): the rotation matrix H_tilde H^T.
Matrix3d R(const Vector4d& theta);
/// Definition 3.6: K(theta_1, theta_1) = H H_1^T I H theta_1.
Vector3d christoffel(const Matrix3d& inertia, const Vector4d& theta, const Vector4d& theta1);

struct Body {
  double mass;
  Matrix3d inertia;                   ///< body axes
  Vector3d tau = Vector3d::Zero();    ///< body axes
  Vector3d force = Vector3d::Zero();  ///< F: Ground axes, gravity not included
};

enum class JointType { spherical, universal, revolute, cylindrical, translational };
/// A row of tables 4 and 7. Bodies count from 1; 0 is Ground.
struct Joint {
  JointType type;
  int i, j;
  Vector3d chi_i, chi_j;
  Vector3d a_i = Vector3d::Zero(), b_i = Vector3d::Zero(), a_j = Vector3d::Zero(), b_j = Vector3d::Zero();
};
struct System {
  std::vector<Body> bodies{};
  std::vector<Joint> joints{};
  Vector3d gravity{0, -9.81, 0};
};

/// The equations of table 1, taken from the list of section 6.2 from the left: C (5.6), SO (5.7), O (5.8).
VectorXd g(const System& system, const VectorXd& y);
MatrixXd dg(const System& system, const VectorXd& y);
/// d2g(u, u).
VectorXd d2g(const System& system, const VectorXd& y, const VectorXd& u);

struct Distribution {
  VectorXd y2, lambda;
};
/// Algorithm 3.2 by (3.6), with U the energy of gravity. The smallest lambda when constraints are redundant.
Distribution distribution(const System& system, const VectorXd& y, const VectorXd& y1);

/// W = T + U (3.1).
double energy(const System& system, const VectorXd& y, const VectorXd& y1);
/// Lemma 3.6: <H y_1, F_e>.
double power(const System& system, const VectorXd& y, const VectorXd& y1);

/// The mechanisms of section 6.2.
System pendulum();
System quadrangle();
System crank();

}  // namespace polhode::oracle::jet
