#include "polhode/projected/maximal/jet_coordinates.h"

#include <algorithm>
#include <cmath>

namespace polhode::projected {
namespace {

using Q = Quaternion<double>;
using V = Vec3<double>;

Q read_quaternion(const double* a) { return {a[0], a[1], a[2], a[3]}; }
V read_vector(const double* a) { return {a[0], a[1], a[2]}; }
void write(const Q& a, double* out) { out[0] = a.w, out[1] = a.x, out[2] = a.y, out[3] = a.z; }
void write(const V& a, double* out) { out[0] = a.x, out[1] = a.y, out[2] = a.z; }
double inner(const Q& a, const Q& b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }
Q plus(const Q& a, double k, const Q& b) { return {a.w + k * b.w, a.x + k * b.x, a.y + k * b.y, a.z + k * b.z}; }
/// H(theta) a, Tuomela, Arponen & Normi (2.1): the vector part of conj(theta) a.
V times_H(const Q& theta, const Q& a) { return (conjugate(theta) * a).vector(); }
/// H(theta)^T c.
Q times_H_transposed(const Q& theta, const V& c) { return theta * Q{0, c.x, c.y, c.z}; }

/// The farthest that a joint, or a frame, is from a body's centre of mass [m].
double find_longest_arm(const Mechanism& m) {
  double longest = 0;
  const auto add = [&](int body, const Transform<double>& X_BF) {
    longest = std::max(longest, norm(X_BF.p - m.bodies()[std::size_t(body)].mass.com));
  };
  for (const Frame& frame : m.frames()) add(frame.body, frame.X_BF);
  for (int b = 1; b < m.num_bodies(); ++b) {
    add(b, m.joints()[std::size_t(b)].X_BM);
    add(m.bodies()[std::size_t(b)].parent, m.joints()[std::size_t(b)].X_PF);
  }
  for (const LoopJoint& joint : m.loop_joints()) add(joint.child, joint.X_BM), add(joint.parent, joint.X_PF);
  return longest;
}

}  // namespace

JetCoordinates::JetCoordinates(const Mechanism& mechanism)
    : of_body_(std::size_t(mechanism.num_bodies())), longest_arm_(find_longest_arm(mechanism)) {
  // Where arms are so long, turns in metres of a unit arm are nothing beside shifts, and the matrix of the projections loses
  // the digits that the constraints need.
  if (longest_arm_ > 100) weight_of_turns_ = longest_arm_ * longest_arm_;
}

JetCoordinates::JetCoordinates(const Mechanism& mechanism, const JetPlane& plane) : JetCoordinates(mechanism) {
  planar_ = true;
  plane_ = plane;
}

void JetCoordinates::from_bodies(const maximal::Bodies& bodies, double* y, double* y1) {
  for (int b = 1; b <= num_bodies(); ++b, y += per_body(), y1 += per_body()) {
    const maximal::BodyMotion& body = bodies[std::size_t(b)];
    const Q theta = normalized(body.r);
    if (!planar_) {
      write(body.x, y);
      write(theta, y + 3);
      write(body.v, y1);
      write(times_H_transposed(theta, 0.5 * body.w), y1 + 3);
      continue;
    }
    const V normal = transpose_times(rotation(theta), plane_.normal);
    of_body_[std::size_t(b)] = {theta, normal, dot(body.x, plane_.normal)};
    y[0] = dot(body.x, plane_.e1);
    y[1] = dot(body.x, plane_.e2);
    y[2] = 0;
    y1[0] = dot(body.v, plane_.e1);
    y1[1] = dot(body.v, plane_.e2);
    y1[2] = dot(body.w, normal);
  }
}

std::vector<Vec3<double>> JetCoordinates::normals() const {
  std::vector<V> normals{plane_.normal};
  for (int b = 1; b <= num_bodies(); ++b) normals.push_back(of_body_[std::size_t(b)].normal);
  return normals;
}

bool JetCoordinates::contain(const maximal::Bodies& bodies) const {
  constexpr double tiny = 1e-9;  // [m], [rad], [m/s], relative to speeds above one
  for (int b = 1; b <= num_bodies() && planar_; ++b) {
    const maximal::BodyMotion& body = bodies[std::size_t(b)];
    const OfBody& own = of_body_[std::size_t(b)];
    if (norm(transpose_times(rotation(body.r), plane_.normal) - own.normal) > tiny ||
        std::abs(dot(body.x, plane_.normal) - own.height) > tiny ||
        norm(cross(body.w, own.normal)) > tiny * (1 + norm(body.w)) ||
        std::abs(dot(body.v, plane_.normal)) > tiny * (1 + norm(body.v)))
      return false;
  }
  return true;
}

void JetCoordinates::to_bodies(const double* y, const double* y1, maximal::Bodies& bodies) const {
  for (int b = 1; b <= num_bodies(); ++b, y += per_body(), y1 += per_body()) {
    maximal::BodyMotion& body = bodies[std::size_t(b)];
    if (!planar_) {
      const Q theta = read_quaternion(y + 3);
      body = {read_vector(y), theta, 2.0 * times_H(theta, read_quaternion(y1 + 3)), read_vector(y1)};
      continue;
    }
    const OfBody& own = of_body_[std::size_t(b)];
    const double c = std::cos(0.5 * y[2]), s = std::sin(0.5 * y[2]);
    body.x = own.height * plane_.normal + y[0] * plane_.e1 + y[1] * plane_.e2;
    body.r = own.r * Q{c, s * own.normal.x, s * own.normal.y, s * own.normal.z};
    body.w = y1[2] * own.normal;
    body.v = y1[0] * plane_.e1 + y1[1] * plane_.e2;
  }
}

void JetCoordinates::normalize(double* y, double* y1) const {
  if (planar_) return;
  for (int b = 0; b < num_bodies(); ++b, y += 7, y1 += 7) {
    const Q theta = normalized(read_quaternion(y + 3)), theta1 = read_quaternion(y1 + 3);
    write(theta, y + 3);
    write(plus(theta1, -inner(theta1, theta), theta), y1 + 3);
  }
}

void JetCoordinates::move(const double* s, double* y, double* y1) const {
  for (int b = 0; b < num_bodies(); ++b, s += width, y += per_body(), y1 += per_body()) {
    if (planar_) {
      y[0] += s[1];
      y[1] += s[2];
      y[2] += s[0];
      continue;
    }
    for (int i = 0; i < 3; ++i) y[i] += s[3 + i];
    const Q theta = read_quaternion(y + 3), theta1 = read_quaternion(y1 + 3);
    const Q moved = normalized(plus(theta, 1, times_H_transposed(theta, 0.5 * read_vector(s))));
    write(moved, y + 3);
    write(plus(theta1, -inner(theta1, moved), moved), y1 + 3);
  }
}

void JetCoordinates::change_velocities(const double* y, const double* s, double* y1) const {
  for (int b = 0; b < num_bodies(); ++b, s += width, y += per_body(), y1 += per_body()) {
    if (planar_) {
      y1[0] += s[1];
      y1[1] += s[2];
      y1[2] += s[0];
      continue;
    }
    for (int i = 0; i < 3; ++i) y1[i] += s[3 + i];
    const Q change = times_H_transposed(read_quaternion(y + 3), 0.5 * read_vector(s));
    write(plus(read_quaternion(y1 + 3), 1, change), y1 + 3);
  }
}

void JetCoordinates::second(const double* y, const double* y1, const double* s, double* y2) const {
  for (int b = 0; b < num_bodies(); ++b, s += width, y += per_body(), y1 += per_body(), y2 += per_body()) {
    if (planar_) {
      y2[0] = s[1];
      y2[1] = s[2];
      y2[2] = s[0];
      continue;
    }
    for (int i = 0; i < 3; ++i) y2[i] = s[3 + i];
    const Q theta = read_quaternion(y + 3);
    const Q turning = times_H_transposed(theta, 0.5 * read_vector(s));
    write(plus(turning, -norm_squared(read_quaternion(y1 + 3)), theta), y2 + 3);
  }
}

void JetCoordinates::along(const double* y, const double* a, double* s) const {
  for (int b = 0; b < num_bodies(); ++b, s += width, y += per_body(), a += per_body()) {
    std::fill_n(s, width, 0.0);
    if (planar_) {
      s[0] = weight_of_turns_ * a[2];
      s[1] = a[0];
      s[2] = a[1];
      continue;
    }
    write(0.5 * weight_of_turns_ * times_H(read_quaternion(y + 3), read_quaternion(a + 3)), s);
    for (int i = 0; i < 3; ++i) s[3 + i] = a[i];
  }
}

void JetCoordinates::reduce(int body, double* row) const {
  if (!planar_) return;
  const V turning = read_vector(row), shift = read_vector(row + 3);
  row[0] = dot(turning, of_body_[std::size_t(body)].normal);
  row[1] = dot(shift, plane_.e1);
  row[2] = dot(shift, plane_.e2);
  row[3] = row[4] = row[5] = 0;
}

}  // namespace polhode::projected
