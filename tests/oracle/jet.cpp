#include "tests/oracle/jet.h"

#include <Eigen/Geometry>
#include <Eigen/QR>

namespace polhode::oracle::jet {

Matrix34 H(const Vector4d& t) {
  Matrix34 A;
  A << -t[1], t[0], t[3], -t[2],  //
      -t[2], -t[3], t[0], t[1],   //
      -t[3], t[2], -t[1], t[0];
  return A;
}
Matrix34 H_tilde(const Vector4d& t) {
  Matrix34 A;
  A << -t[1], t[0], -t[3], t[2],  //
      -t[2], t[3], t[0], -t[1],   //
      -t[3], -t[2], t[1], t[0];
  return A;
}
Matrix3d R(const Vector4d& theta) { return H_tilde(theta) * H(theta).transpose(); }

Vector3d christoffel(const Matrix3d& inertia, const Vector4d& theta, const Vector4d& theta1) {
  return H(theta) * H(theta1).transpose() * inertia * H(theta) * theta1;
}

namespace {

/// A vector that depends on y along the line y + s u: its value and its first two derivatives at s = 0.
struct Curve {
  Vector3d value, first, second;
};
Curve operator+(const Curve& a, const Curve& b) { return {a.value + b.value, a.first + b.first, a.second + b.second}; }
Curve operator-(const Curve& a, const Curve& b) { return {a.value - b.value, a.first - b.first, a.second - b.second}; }
/// Value and derivatives of a product.
Vector3d dot(const Curve& a, const Curve& b) {
  return {a.value.dot(b.value), a.first.dot(b.value) + a.value.dot(b.first),
          a.second.dot(b.value) + 2 * a.first.dot(b.first) + a.value.dot(b.second)};
}

/// r and R(theta) a of body i along y + s u. R is quadratic in theta, so both derivatives are exact.
class Line {
 public:
  Line(const VectorXd& y, const VectorXd& u) : y_(y), u_(u) {}

  Curve r(int i) const {
    if (i == 0) return {Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};
    return {y_.segment<3>(7 * (i - 1)), u_.segment<3>(7 * (i - 1)), Vector3d::Zero()};
  }
  Curve rotated(int i, const Vector3d& a) const {
    if (i == 0) return {a, Vector3d::Zero(), Vector3d::Zero()};
    const Vector4d theta = y_.segment<4>(7 * (i - 1) + 3), du = u_.segment<4>(7 * (i - 1) + 3);
    return {H_tilde(theta) * H(theta).transpose() * a,
            (H_tilde(du) * H(theta).transpose() + H_tilde(theta) * H(du).transpose()) * a,
            2 * H_tilde(du) * H(du).transpose() * a};
  }
  /// d^(i,j), also (5.6).
  Curve gap(const Joint& c) const { return r(c.j) + rotated(c.j, c.chi_j) - r(c.i) - rotated(c.i, c.chi_i); }

 private:
  const VectorXd &y_, &u_;
};

/// How many SO and O constraints, and whether there is a C: table 1.
struct Parts {
  int C, SO, O;
};
Parts parts(JointType type) {
  switch (type) {
    case JointType::spherical: return {1, 0, 0};
    case JointType::universal: return {1, 1, 0};
    case JointType::revolute: return {1, 2, 0};
    case JointType::cylindrical: return {0, 2, 2};
    case JointType::translational: return {0, 3, 2};
  }
  return {};
}

/// All rows along the line: columns are value, first and second derivative.
Eigen::Matrix<double, Eigen::Dynamic, 3> rows_along(const System& system, const VectorXd& y, const VectorXd& u) {
  std::vector<Vector3d> rows;
  const Line line(y, u);
  for (const Joint& c : system.joints) {
    const Parts count = parts(c.type);
    const Curve gap = line.gap(c);
    const Curve a_i = line.rotated(c.i, c.a_i), b_i = line.rotated(c.i, c.b_i);
    const Curve a_j = line.rotated(c.j, c.a_j), b_j = line.rotated(c.j, c.b_j);
    const Vector3d SO[] = {dot(a_i, a_j), dot(b_i, a_j), dot(a_i, b_j)}, O[] = {dot(a_i, gap), dot(b_i, gap)};
    for (int k = 0; k < 3 * count.C; ++k) rows.push_back({gap.value[k], gap.first[k], gap.second[k]});
    for (int k = 0; k < count.SO; ++k) rows.push_back(SO[k]);
    for (int k = 0; k < count.O; ++k) rows.push_back(O[k]);
  }
  Eigen::Matrix<double, Eigen::Dynamic, 3> out(rows.size(), 3);
  for (std::size_t k = 0; k < rows.size(); ++k) out.row(Eigen::Index(k)) = rows[k].transpose();
  return out;
}

}  // namespace

VectorXd g(const System& system, const VectorXd& y) { return rows_along(system, y, VectorXd::Zero(y.size())).col(0); }

MatrixXd dg(const System& system, const VectorXd& y) {
  MatrixXd out(g(system, y).size(), y.size());
  for (Eigen::Index k = 0; k < y.size(); ++k) out.col(k) = rows_along(system, y, VectorXd::Unit(y.size(), k)).col(1);
  return out;
}

VectorXd d2g(const System& system, const VectorXd& y, const VectorXd& u) { return rows_along(system, y, u).col(2); }

Distribution distribution(const System& system, const VectorXd& y, const VectorXd& y1) {
  const int n = int(system.bodies.size());
  // (4.2)
  MatrixXd E = MatrixXd::Zero(6 * n, 6 * n), HH = MatrixXd::Zero(6 * n, 7 * n), II = MatrixXd::Zero(7 * n, 7 * n);
  VectorXd F_e(6 * n), K = VectorXd::Zero(6 * n), grad_U = VectorXd::Zero(7 * n);
  for (int b = 0; b < n; ++b) {
    const Body& body = system.bodies[std::size_t(b)];
    const Vector4d theta = y.segment<4>(7 * b + 3), theta1 = y1.segment<4>(7 * b + 3);
    E.block<3, 3>(6 * b, 6 * b) = body.mass * Matrix3d::Identity();
    E.block<3, 3>(6 * b + 3, 6 * b + 3) = 4 * body.inertia;
    HH.block<3, 3>(6 * b, 7 * b).setIdentity();
    HH.block<3, 4>(6 * b + 3, 7 * b + 3) = H(theta);
    II.block<4, 4>(7 * b + 3, 7 * b + 3) = theta1.squaredNorm() * Eigen::Matrix4d::Identity();
    F_e.segment<6>(6 * b) << body.force, 2 * body.tau;
    K.segment<3>(6 * b + 3) = christoffel(body.inertia, theta, theta1);
    grad_U.segment<3>(7 * b) = -body.mass * system.gravity;
  }
  const MatrixXd D = dg(system, y);
  const Eigen::Index l = D.rows();
  MatrixXd A = MatrixXd::Zero(6 * n + l, 6 * n + l);
  VectorXd b(6 * n + l);
  A << E, HH * D.transpose(), D * HH.transpose(), MatrixXd::Zero(l, l);
  b << F_e - 8 * K - HH * grad_U, D * II * y - d2g(system, y, y1);
  const VectorXd solution = A.completeOrthogonalDecomposition().solve(b);
  return {HH.transpose() * solution.head(6 * n) - II * y, solution.tail(l)};
}

double energy(const System& system, const VectorXd& y, const VectorXd& y1) {
  double W = 0;
  for (Eigen::Index b = 0; b < Eigen::Index(system.bodies.size()); ++b) {
    const Body& body = system.bodies[std::size_t(b)];
    const Vector3d half_spin = H(y.segment<4>(7 * b + 3)) * y1.segment<4>(7 * b + 3);
    W += 0.5 * body.mass * y1.segment<3>(7 * b).squaredNorm() + 2 * half_spin.dot(body.inertia * half_spin);
    W -= body.mass * system.gravity.dot(y.segment<3>(7 * b));
  }
  return W;
}
double power(const System& system, const VectorXd& y, const VectorXd& y1) {
  double sum = 0;
  for (Eigen::Index b = 0; b < Eigen::Index(system.bodies.size()); ++b) {
    const Body& body = system.bodies[std::size_t(b)];
    sum += y1.segment<3>(7 * b).dot(body.force);
    sum += 2 * (H(y.segment<4>(7 * b + 3)) * y1.segment<4>(7 * b + 3)).dot(body.tau);
  }
  return sum;
}

namespace {

Matrix3d diagonal(double x, double y, double z) { return Vector3d(x, y, z).asDiagonal(); }
const Vector3d e1 = Vector3d::UnitX(), e2 = Vector3d::UnitY(), e3 = Vector3d::UnitZ(), none = Vector3d::Zero();

}  // namespace

System pendulum() {
  return {.bodies = {{38.34, diagonal(0.147, 3.175, 3.154)}},
          .joints = {{JointType::spherical, 0, 1, {0, 0, 0}, {-0.765, 0, 0}}}};
}
// Tables 2 and 4.
System quadrangle() {
  return {.bodies = {{78.10, diagonal(0.08, 26.05, 26.1), {0, 0, -1200}},
                     {156.20, diagonal(0.16, 208.3, 208.4)},
                     {156.20, diagonal(0.16, 208.3, 208.4)}},
          .joints = {{JointType::revolute, 0, 1, {0, 0, 0}, {-1, 0, 0}, e2, e1, e3},
                     {JointType::spherical, 1, 2, {1, 0, 0}, {-2, 0, 0}},
                     {JointType::cylindrical, 2, 3, {2, 0, 0}, {2, 0, 0}, e1, e2, e3},
                     {JointType::revolute, 3, 0, {-2, 0, 0}, {2.5, 0, 0}, e1, e2, e3}}};
}
// Tables 5 and 7.
System crank() {
  return {.bodies = {{19.50, diagonal(0.02, 0.41, 0.42), {0, 0, -50}},
                     {70.29, diagonal(0.07, 18.99, 19.04)},
                     {7.81, diagonal(0.01, 0.01, 0.01)}},
          .joints = {{JointType::spherical, 1, 2, {0.25, 0, 0}, {-0.9, 0, 0}},
                     {JointType::translational, 0, 3, {0, 0, 0}, {-1.8, 0, 0.5}, e2, e3, e1, e3},
                     {JointType::universal, 2, 3, {0.9, 0, 0}, {0, 0, 0}, e2, none, e3},
                     {JointType::revolute, 1, 0, {-0.25, 0, 0}, {0, 0, 0}, e2, e1, e1}}};
}

}  // namespace polhode::oracle::jet
