#include "polhode/maximal/joint_coordinates.h"

#include <algorithm>
#include <cmath>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/mechanism/reversed_joint.h"
#include "polhode/spatial/exponential.h"

namespace polhode::maximal {
namespace {

constexpr int most = JointCoordinates::most_speeds;

bool same_pose(const Transform<double>& A, const Transform<double>& B) {
  double difference = norm(A.p - B.p);
  for (int i = 0; i < 3; ++i) difference = std::max(difference, norm(A.R.col[i] - B.R.col[i]));
  return difference < 1e-9;
}

double to_nearest_turn(double angle, double near) { return angle + 2 * pi * std::round((near - angle) / (2 * pi)); }

/// The angles of a gimbal at R that are the nearest to those given: there are two ways to turn to R, and full turns. Gives how
/// far the farthest angle is.
double nearest_angles(const Mat3<double>& R, const double* near, double* found) {
  const Vec3<double> read = body_xyz_angles(R);
  const double ways[2][3] = {{read.x, read.y, read.z}, {read.x + pi, pi - read.y, read.z + pi}};
  double least = 0, farthest[2] = {};
  for (int way = 0; way < 2; ++way) {
    double angles[3], sum = 0;
    for (int i = 0; i < 3; ++i) {
      angles[i] = to_nearest_turn(ways[way][i], near[i]);
      sum += square(angles[i] - near[i]);
      farthest[way] = std::max(farthest[way], std::abs(angles[i] - near[i]));
    }
    if (way > 0 && !(sum < least)) return farthest[0];
    least = sum;
    std::copy(angles, angles + 3, found);
  }
  return farthest[1];
}

/// A gimbal that passes near its singular place turns by up to half a turn about its outer and its inner axis while its body
/// hardly turns at all: so the angles are followed on the shortest way between the two orientations, in pieces in which no
/// angle changes much. The second angle goes beyond a quarter turn only where the way leads right through the singular place;
/// at a distance, be it ever so small, it turns back.
void follow_angles(const Mat3<double>& R, const double* near, double* found) {
  constexpr double little = 0.5;     // [rad]
  constexpr double shortest = 1e-6;  // of the way: what is nearer to the singular place leads through it
  const auto is_clear = [](const Mat3<double>& there, const double* angles, double* next) {
    const double change = nearest_angles(there, angles, next);
    return change <= little && std::cos(angles[1]) * std::cos(next[1]) > 0;
  };
  if (is_clear(R, near, found)) return;
  const Mat3<double> from = rotation_body_xyz(Vec3<double>{near[0], near[1], near[2]});
  const Vec3<double> way = log_rotation(transpose(from) * R);
  double angles[3] = {near[0], near[1], near[2]}, next[3];
  for (double at = 0, piece = 0.5; at < 1;) {
    piece = std::min(piece, 1 - at);
    const bool last = at + piece >= 1;
    const Mat3<double> there = last ? R : from * rotation(exp_rotation((at + piece) * way));
    if (!is_clear(there, angles, next) && piece > shortest) {
      piece *= 0.5;
      continue;
    }
    std::copy(next, next + 3, angles);
    at = last ? 1 : at + piece;
    piece *= 2;
  }
  std::copy(angles, angles + 3, found);
}

/// The vectors D[i] in the span of A[0..n) with D[i] . A[j] = 1 if i = j, else 0: D = A (A^T A)^-1, by Cholesky factors.
/// A column that depends on those before it, as at a gimbal's singular place, gets a zero vector.
template <class Vector, class Dot>
void dual_basis(const Vector* A, int n, const Dot& product, Vector* D) {
  double L[most][most] = {};
  bool kept[most] = {};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = product(A[i], A[j]);
      const double whole = sum;
      for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      if (j < i) {
        L[i][j] = kept[j] ? sum / L[j][j] : 0;
      } else {
        kept[i] = sum > 1e-24 * whole;
        L[i][i] = kept[i] ? std::sqrt(sum) : 0;
      }
    }
  }
  // L Q = A, then L^T D = Q, column by column.
  for (int i = 0; i < n; ++i) {
    D[i] = {};
    if (!kept[i]) continue;
    D[i] = A[i];
    for (int k = 0; k < i; ++k) D[i] = D[i] - L[i][k] * D[k];
    D[i] = (1 / L[i][i]) * D[i];
  }
  for (int i = n; i-- > 0;) {
    for (int k = i + 1; k < n; ++k) D[i] = D[i] - L[k][i] * D[k];
    if (kept[i]) D[i] = (1 / L[i][i]) * D[i];
  }
}

/// Duals of columns of which the first ones turn independently and the others only slide. In all joints of the library turning
/// moves M's origin across the directions of sliding, if at all, so that sliding speeds need no moment.
void duals_turning_first(const Motion<double>* H, int n, Wrench<double>* W) {
  const auto product = [](const Vec3<double>& a, const Vec3<double>& b) { return dot(a, b); };
  Vec3<double> A[most], D[most];
  int turning = 0;
  for (; turning < n && dot(H[turning].angular, H[turning].angular) > 0; ++turning) A[turning] = H[turning].angular;
  for (int k = turning; k < n; ++k) A[k] = H[k].linear;
  dual_basis(A, turning, product, D);
  dual_basis(A + turning, n - turning, product, D + turning);
  for (int k = 0; k < turning; ++k) W[k] = {D[k], {}};
  for (int k = turning; k < n; ++k) W[k] = {{}, D[k]};
}

/// Duals of least squares: W = H (H^T H)^-1.
void duals_of_all(const Motion<double>* H, int n, Wrench<double>* W) {
  Motion<double> D[most];
  const auto product = [](const Motion<double>& a, const Motion<double>& b) {
    return dot(a.angular, b.angular) + dot(a.linear, b.linear);
  };
  dual_basis(H, n, product, D);
  for (int k = 0; k < n; ++k) W[k] = {D[k].angular, D[k].linear};
}

}  // namespace

JointCoordinates::JointCoordinates(const Mechanism& mechanism, int body)
    : joint_(&mechanism.joints()[body]),
      body_(body),
      parent_(mechanism.bodies()[body].parent),
      X_CF_(in_own_frame(mechanism.bodies()[parent_], joint_->X_PF)),
      X_CM_(in_own_frame(mechanism.bodies()[body], joint_->X_BM)) {
  const JointModel& model = joint_->model;
  two_ways_ = std::holds_alternative<Gimbal>(model) || std::holds_alternative<Bushing>(model);
  least_squares_ = std::holds_alternative<Custom>(model) || std::holds_alternative<FunctionBased>(model);
  // Joint types, users' own included, need not declare what is periodic: their poses tell.
  const std::vector<double> q = generic_coordinates(model, 0);
  const Transform<double> X = pose_at(model, q);
  std::vector<double> moved = q;
  for (int i = 0; i < joint_->nq; ++i) {
    moved[i] = q[i] + 2 * pi;
    // A screw's advance tells the turn, too, but not of bodies that slipped off it by half a lead.
    is_angle_[i] = same_pose(X, pose_at(model, moved)) || std::holds_alternative<Screw>(model);
    moved[i] = q[i];
  }
  for (const int count : {4, joint_->nq}) {
    if (joint_->nq <= joint_->nu || count > joint_->nq || num_signed_ > 0) continue;
    for (int i = 0; i < count; ++i) moved[i] = -q[i];
    if (same_pose(X, pose_at(model, moved))) num_signed_ = count;
    moved = q;
  }
}

void JointCoordinates::read(const Transform<double>& X_FM, const double* near, double* q) const {
  double found[most_coordinates];
  const int nq = joint_->nq;
  std::visit([&](const auto& model) { joint_read_pose(model, joint_->reversed, X_FM, found); }, joint_->model);
  for (int i = 0; i < nq; ++i)
    if (is_angle_[i]) found[i] = to_nearest_turn(found[i], near[i]);
  if (two_ways_) follow_angles(joint_->reversed ? transpose(X_FM.R) : X_FM.R, near, found);
  double along = 0;
  for (int i = 0; i < num_signed_; ++i) along += found[i] * near[i];
  if (along < 0)
    for (int i = 0; i < num_signed_; ++i) found[i] = -found[i];
  std::copy(found, found + nq, q);
}

void JointCoordinates::duals(const Transform<double>& X_FM, const double* q, Wrench<double>* W) const {
  Motion<double> H[most];
  const int nu = joint_->nu;
  std::visit([&](const auto& model) { model.template H_FM<double>(q, H); }, joint_->model);
  if (least_squares_) {
    duals_of_all(H, nu, W);
  } else {
    duals_turning_first(H, nu, W);
  }
  if (!joint_->reversed) return;
  for (int k = 0; k < nu; ++k) W[k] = reversed_row<double>(X_FM, {}, {0, W[k], 0}).gradient;
}

}  // namespace polhode::maximal
