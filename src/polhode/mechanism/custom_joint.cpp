#include "polhode/mechanism/custom_joint.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <array>
#include <limits>
#include <stdexcept>

#include "polhode/mechanism/flatten.h"
#include "polhode/mechanism/joints/custom.h"
#include "polhode/spatial/exponential.h"

namespace polhode {
namespace {

// Fixed at the largest joint's size, with zero columns for the speeds that a joint lacks: nothing goes on the heap.
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Coordinates = std::array<double, CustomJoint::max_coordinates>;

Vector6 stacked(const Motion<double>& V) {
  Vector6 result;
  put(V, result.data());
  return result;
}

Matrix6 hinge_matrix(const CustomJoint& joint, const double* q) {
  Motion<double> H[CustomJoint::max_speeds];
  joint.H_FM(q, H);
  Matrix6 result = Matrix6::Zero();
  for (int k = 0; k < joint.nv(); ++k) result.col(k) = stacked(H[k]);
  return result;
}

/// The u with (H^T H + damping) u = H^T E; zero for the speeds that the joint lacks.
Vector6 least_squares(const Matrix6& H, const Vector6& E, double damping) {
  Matrix6 A = H.transpose() * H;
  for (int k = 0; k < 6; ++k) A(k, k) += A(k, k) == 0 ? 1 : damping;
  return A.ldlt().solve(H.transpose() * E);
}

/// What is left of v outside the span of the first n columns of B, which are orthonormal. Twice is enough for rounding.
Vector6 remainder(const Matrix6& B, int n, Vector6 v) {
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < n; ++k) v -= B.col(k).dot(v) * B.col(k);
  return v;
}

/// An orthonormal basis that starts with that of H's columns; the others, in the complement, come from the unit vectors that
/// stand out of it the most.
Matrix6 completed_basis(const Matrix6& H, int nv) {
  Matrix6 B = Matrix6::Zero();
  for (int k = 0; k < nv; ++k) {
    const Vector6 rest = remainder(B, k, H.col(k));
    if (rest.norm() > 1e-12 * H.col(k).norm()) B.col(k) = rest.normalized();
  }
  for (int n = nv; n < 6; ++n) {
    Vector6 best = Vector6::Zero();
    for (int i = 0; i < 6; ++i) {
      const Vector6 rest = remainder(B, n, Vector6::Unit(i));
      if (rest.squaredNorm() > best.squaredNorm() + 1e-12) best = rest;
    }
    B.col(n) = best.normalized();
  }
  return B;
}

/// E(q). Near the joint's motion dE/dt = V_FM - H u, and everywhere the gradient of |E|^2/2 with respect to the joint's own
/// motion is -H^T E, because log's derivative dexp^-1(theta) leaves theta itself alone.
Vector6 pose_error(const CustomJoint& joint, const double* q, const Transform<double>& X_FM) {
  const Transform<double> X_q = joint.X_FM(q);
  return stacked({log_rotation(X_FM.R * transpose(X_q.R)), X_FM.p - X_q.p});
}

void move(const CustomJoint& joint, const Coordinates& q, const Vector6& u, Coordinates& moved) {
  Coordinates theta{}, at_zero{};
  joint.rate_of_chart(q.data(), at_zero.data(), u.data(), theta.data());
  joint.retract(q.data(), theta.data(), moved.data());
}

/// Levenberg-Marquardt from q; returns the norm of the error that is left.
double descend(const CustomJoint& joint, const Transform<double>& X_FM, Coordinates& q) {
  Vector6 E = pose_error(joint, q.data(), X_FM);
  double damping = 1e-8;
  for (int iteration = 0; iteration < 100 && damping < 1e12; ++iteration) {
    const Matrix6 H = hinge_matrix(joint, q.data());
    if ((H.transpose() * E).norm() <= 1e-15 * (1 + E.norm())) break;
    Coordinates trial{};
    move(joint, q, least_squares(H, E, damping), trial);
    const Vector6 E_trial = pose_error(joint, trial.data(), X_FM);
    if (E_trial.squaredNorm() < E.squaredNorm()) {
      q = trial, E = E_trial;
      damping = std::max(0.01 * damping, 1e-15);
    } else {
      damping *= 10;
    }
  }
  return E.norm();
}

template <std::size_t n>
std::string_view numbered(const std::array<std::string_view, n>& names, int i, std::string_view alone, int count) {
  return count == 1 ? alone : names[i];
}

}  // namespace

std::string_view numbered_coordinate_suffix(int i, int num_coordinates) {
  static constexpr std::array<std::string_view, 8> names{".q0", ".q1", ".q2", ".q3", ".q4", ".q5", ".q6", ".q7"};
  return numbered(names, i, "", num_coordinates);
}
std::string_view numbered_speed_suffix(int i, int num_speeds) {
  static constexpr std::array<std::string_view, 8> names{".q0'", ".q1'", ".q2'", ".q3'", ".q4'", ".q5'", ".q6'", ".q7'"};
  return numbered(names, i, "'", num_speeds);
}

std::string_view CustomJoint::coordinate_suffix(int i) const { return numbered_coordinate_suffix(i, nq()); }
std::string_view CustomJoint::speed_suffix(int i) const { return numbered_speed_suffix(i, nv()); }

void CustomJoint::N(const double*, const double* u, double* q_dot) const { std::copy(u, u + nv(), q_dot); }
void CustomJoint::N_inverse(const double*, const double* q_dot, double* u) const { std::copy(q_dot, q_dot + nv(), u); }
void CustomJoint::retract(const double* q0, const double* theta, double* q1) const {
  for (int i = 0; i < nq(); ++i) q1[i] = q0[i] + theta[i];
}
void CustomJoint::rate_of_chart(const double*, const double*, const double* u, double* theta_dot) const {
  std::copy(u, u + nv(), theta_dot);
}
void CustomJoint::zero(double* q) const { std::fill(q, q + nq(), 0.0); }

void CustomJoint::read_pose(const Transform<double>& X_FM, double* q) const {
  // Starts on both sides of zero in every speed, then farther out: an error may have several valleys.
  double least = std::numeric_limits<double>::infinity();
  for (int start = 0; start <= 4 * nv() && least > 1e-9; ++start) {
    Coordinates trial{};
    zero(trial.data());
    if (start > 0) {
      Vector6 u = Vector6::Zero();
      u[(start - 1) % nv()] = (start % 2 ? 1 : -1) * (start <= 2 * nv() ? 1.0 : 2.5);
      const Coordinates at_zero = trial;
      move(*this, at_zero, u, trial);
    }
    const double error = descend(*this, X_FM, trial);
    if (error < least) least = error, std::copy(trial.begin(), trial.begin() + nq(), q);
  }
}

void CustomJoint::constraint_rows(const Transform<double>& X_FM, const Motion<double>& V_FM,
                                  ConstraintRow<double>* rows) const {
  const int n = nv();
  Coordinates q{};
  read_pose(X_FM, q.data());
  const Vector6 E = pose_error(*this, q.data(), X_FM);
  const Matrix6 H = hinge_matrix(*this, q.data()), B = completed_basis(H, n);
  const Vector6 u = least_squares(H, stacked(V_FM), 0);
  const Vector6 Hdot_times_u = stacked(Hdot_u(q.data(), u.data()));
  for (int i = 0; i < 6 - n; ++i) {
    const Vector6 c = B.col(n + i);
    rows[i] = {c.dot(E), {vec3_at(c.data()), vec3_at(c.data() + 3)}, -c.dot(Hdot_times_u)};
  }
}

Custom::Custom(std::shared_ptr<const CustomJoint> users_joint) : joint(std::move(users_joint)) {
  if (!joint) throw std::invalid_argument("custom joint: a null pointer was given; make one with std::make_shared");
  nq = joint->nq(), nv = joint->nv(), nchart = joint->nchart(), nonholonomic = joint->nonholonomic();
  if (nv < 0 || nv > CustomJoint::max_speeds || nq < nv || nq > CustomJoint::max_coordinates)
    throw std::invalid_argument(fmt::format(
        "custom joint type \"{}\": {} coordinates and {} speeds; speeds can be 0 to {}, coordinates no fewer and at most {}",
        joint->type_name(), nq, nv, CustomJoint::max_speeds, CustomJoint::max_coordinates));
  if (nchart < nv || nchart > nq)
    throw std::invalid_argument(
        fmt::format("custom joint type \"{}\": {} chart coordinates; between nv = {} and nq = {} are needed",
                    joint->type_name(), nchart, nv, nq));
}

namespace flat {

void pose(const CustomJoint& joint, const double* q, double* X_FM) { put(joint.X_FM(q), X_FM); }
void hinge(const CustomJoint& joint, const double* q, double* H) {
  Motion<double> columns[CustomJoint::max_speeds];
  joint.H_FM(q, columns);
  for (int k = 0; k < joint.nv(); ++k) put(columns[k], H + motion_size * k);
}
void hinge_rate_times_speed(const CustomJoint& joint, const double* q_u, double* A_FM) {
  put(joint.Hdot_u(q_u, q_u + joint.nq()), A_FM);
}
void coordinate_rates(const CustomJoint& joint, const double* q_u, double* q_dot) { joint.N(q_u, q_u + joint.nq(), q_dot); }
void speeds(const CustomJoint& joint, const double* q_q_dot, double* u) { joint.N_inverse(q_q_dot, q_q_dot + joint.nq(), u); }
void constraint_rows(const CustomJoint& joint, const double* X_V, double* rows) {
  ConstraintRow<double> found[6];
  joint.constraint_rows(transform_at(X_V), motion_at(X_V + transform_size), found);
  for (int i = 0; i < 6 - joint.nv(); ++i) put(found[i], rows + row_size * i);
}

}  // namespace flat
}  // namespace polhode
