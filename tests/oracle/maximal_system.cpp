#include "tests/oracle/maximal_system.h"

namespace polhode::oracle::maximal {
namespace {

const Motion resting{};
const Motion& of(const Motions& at, int body) { return body == ground ? resting : at[std::size_t(body)]; }

/// Writes the seven columns of one body, unless it is Ground.
void put(Eigen::MatrixXd& G, int row, int body, const Matrix3d& by_x, const Matrix34& by_q) {
  if (body == ground) return;
  G.block<3, 3>(row, 7 * body) = by_x;
  G.block<3, 4>(row, 7 * body + 3) = by_q;
}

}  // namespace

int System::num_rows() const {
  int rows = 0;
  for (const Joint& joint : joints) rows += joint.num_rows();
  return rows;
}

Joint revolute(int a, int b, const Vector3d& p_a, const Vector3d& p_b, const Vector3d& axis_a, const Vector3d& axis_b) {
  int smallest;
  axis_b.cwiseAbs().minCoeff(&smallest);
  const Vector3d first = axis_b.cross(Vector3d::Unit(smallest)).normalized();
  return {a, b, p_a, p_b, true, axis_a.normalized(), {first, axis_b.normalized().cross(first)}};
}

Eigen::VectorXd errors(const System& system, const Motions& at) {
  Eigen::VectorXd g(system.num_rows());
  int row = 0;
  for (const Joint& joint : system.joints) {
    const Motion &a = of(at, joint.a), &b = of(at, joint.b);
    g.segment<3>(row) = a.x + rotated(a.q, joint.p_a) - (b.x + rotated(b.q, joint.p_b));
    if (joint.revolute)
      for (int i = 0; i < 2; ++i) g[row + 3 + i] = rotated(a.q, joint.axis_a).dot(rotated(b.q, joint.across_b[i]));
    row += joint.num_rows();
  }
  return g;
}

Eigen::MatrixXd gradients(const System& system, const Motions& at) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(system.num_rows(), 7 * Eigen::Index(at.size()));
  int row = 0;
  for (const Joint& joint : system.joints) {
    const Motion &a = of(at, joint.a), &b = of(at, joint.b);
    put(G, row, joint.a, Matrix3d::Identity(), rotated_by_q(a.q, joint.p_a));
    put(G, row, joint.b, -Matrix3d::Identity(), -rotated_by_q(b.q, joint.p_b));
    for (int i = 0; joint.revolute && i < 2; ++i) {
      const Vector3d axis = rotated(a.q, joint.axis_a), across = rotated(b.q, joint.across_b[i]);
      if (joint.a != ground) G.block<1, 4>(row + 3 + i, 7 * joint.a + 3) = across.transpose() * rotated_by_q(a.q, joint.axis_a);
      if (joint.b != ground)
        G.block<1, 4>(row + 3 + i, 7 * joint.b + 3) = axis.transpose() * rotated_by_q(b.q, joint.across_b[i]);
    }
    row += joint.num_rows();
  }
  return G;
}

Eigen::MatrixXd rotational_gradients(const System& system, const Motions& at) {
  const Eigen::MatrixXd full = gradients(system, at);
  Eigen::MatrixXd G(full.rows(), 6 * Eigen::Index(at.size()));
  for (int b = 0; b < int(at.size()); ++b) {
    G.middleCols<3>(6 * b) = full.middleCols<3>(7 * b);
    G.middleCols<3>(6 * b + 3) = full.middleCols<4>(7 * b + 3) * L(at[std::size_t(b)].q) * V().transpose();
  }
  return G;
}

Eigen::MatrixXd jacobian(const System& system, const Motions& at) {
  Eigen::MatrixXd G = rotational_gradients(system, at);
  for (int b = 0; b < int(at.size()); ++b) G.middleCols<3>(6 * b + 3) /= 2;
  return G;
}

Vector3d force(const System& system, int body, const Motion& at) {
  const Body& b = system.bodies[std::size_t(body)];
  return b.mass * system.gravity + b.load.force_W + rotated(at.q, b.load.force_B);
}
Vector3d torque(const System& system, int body, const Motion& at) {
  const Load& load = system.bodies[std::size_t(body)].load;
  return load.torque_B + rotated(T() * at.q, load.torque_W);
}

double energy(const System& system, const Motions& at) {
  double sum = 0;
  for (std::size_t b = 0; b < at.size(); ++b) {
    const Body& body = system.bodies[b];
    const Motion& m = at[b];
    sum += 0.5 * body.mass * m.v.squaredNorm() + 0.5 * m.omega.dot(body.inertia * m.omega);
    sum -= (body.mass * system.gravity + body.load.force_W).dot(m.x);
  }
  return sum;
}
Vector3d angular_momentum(const System& system, const Motions& at) {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t b = 0; b < at.size(); ++b)
    sum += at[b].x.cross(system.bodies[b].mass * at[b].v) + rotated(at[b].q, system.bodies[b].inertia * at[b].omega);
  return sum;
}

}  // namespace polhode::oracle::maximal
