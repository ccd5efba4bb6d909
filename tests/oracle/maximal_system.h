#pragma once
#include <vector>

#include "tests/oracle/quaternion_matrices.h"

/// Bodies with six coordinates each, held together by equations: Bruedigam & Manchester, section 2.2.
namespace polhode::oracle::maximal {

inline constexpr int ground = -1;

/// Constant forces [N] at the centre of mass and torques [N m], in Ground axes and in body axes.
struct Load {
  Vector3d force_W = Vector3d::Zero(), force_B = Vector3d::Zero();
  Vector3d torque_W = Vector3d::Zero(), torque_B = Vector3d::Zero();
};
struct Body {
  double mass;
  Matrix3d inertia;  ///< J: about the centre of mass, body axes
  Load load{};
};
/// Body a and body b (or ground) share a point, (17). A revolute joint also keeps a direction of a across two of b.
struct Joint {
  int a, b;
  Vector3d p_a, p_b;  ///< from the centre of mass to the joint, body axes; in Ground from its origin
  bool revolute = false;
  Vector3d axis_a = Vector3d::Zero(), across_b[2] = {Vector3d::Zero(), Vector3d::Zero()};

  int num_rows() const { return revolute ? 5 : 3; }
};
struct System {
  std::vector<Body> bodies{};
  std::vector<Joint> joints{};
  Vector3d gravity{0, 0, -9.81};

  int num_rows() const;
};

/// A joint about the axis that is fixed in both bodies, given in the axes of each.
Joint revolute(int a, int b, const Vector3d& p_a, const Vector3d& p_b, const Vector3d& axis_a, const Vector3d& axis_b);

struct Motion {
  Vector3d x = Vector3d::Zero();      ///< centre of mass
  Vector4d q = Vector4d(1, 0, 0, 0);  ///< body to Ground
  Vector3d v = Vector3d::Zero();      ///< Ground axes
  Vector3d omega = Vector3d::Zero();  ///< body axes
};
using Motions = std::vector<Motion>;

/// g of all joints.
Eigen::VectorXd errors(const System& system, const Motions& at);
/// dg by the seven numbers (x, q) of every body, one body after another.
Eigen::MatrixXd gradients(const System& system, const Motions& at);
/// (G_x, G_q) by body, six columns each, G_q being the rotational gradient (49): dg/dq L(q) V^T. A small rotation by the
/// vector phi, in body axes, is the deviation epsilon = phi/2 of (43), so G_q is twice the derivative by phi.
Eigen::MatrixXd rotational_gradients(const System& system, const Motions& at);
/// (G_x, G_phi): the same by rotation vectors, so that G (v, omega) is the rate of g.
Eigen::MatrixXd jacobian(const System& system, const Motions& at);

Vector3d force(const System& system, int body, const Motion& at);   ///< Ground axes, gravity included
Vector3d torque(const System& system, int body, const Motion& at);  ///< body axes

/// Kinetic energy and that of gravity; forces in Ground axes count as gravity does, others not at all.
double energy(const System& system, const Motions& at);
/// Angular, about Ground's origin.
Vector3d angular_momentum(const System& system, const Motions& at);

}  // namespace polhode::oracle::maximal
