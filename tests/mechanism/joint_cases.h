#pragma once
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "polhode/mechanism/joint_model.h"
#include "polhode/mechanism/reversed_joint.h"

/// Every joint type with parameters worth testing, forward and reversed, behind functions that any scalar runs through.
namespace polhode::test {

struct JointCase {
  std::string name;
  JointModel model;
  bool reversed = false;
  double range = 3;         ///< chart coordinates of random states reach so far from zero
  bool closed_form = true;  ///< constraint rows hold off the joint's motion too
  double rounding = 1e-12;  ///< states are of order 1 to 10 and each number costs some 20 operations of 1e-16 each

  int nq() const { return num_coordinates(model); }
  int nv() const { return num_speeds(model); }
  int nchart() const { return num_chart_coordinates(model); }
  int num_rows() const { return 6 - nv(); }
  int num_holonomic() const {
    return num_rows() - std::visit([](const auto& j) { return int(j.nonholonomic); }, model);
  }
  template <class T>
  Transform<T> X_FM(const std::vector<T>& q) const {
    return std::visit([&](const auto& j) { return joint_pose<T>(j, reversed, q.data()); }, model);
  }
  template <class T>
  std::vector<Motion<T>> H_FM(const std::vector<T>& q) const {
    std::vector<Motion<T>> H(6);
    std::visit([&](const auto& j) { joint_hinge<T>(j, reversed, q.data(), H.data()); }, model);
    H.resize(nv());
    return H;
  }
  template <class T>
  Motion<T> Hdot_u(const std::vector<T>& q, const std::vector<T>& u) const {
    return std::visit([&](const auto& j) { return joint_hinge_rate_times_speed<T>(j, reversed, q.data(), u.data()); }, model);
  }
  template <class T>
  std::vector<ConstraintRow<T>> rows(const Transform<T>& X, const Motion<T>& V) const {
    std::vector<ConstraintRow<T>> result(6);
    std::visit([&](const auto& j) { joint_constraint_rows<T>(j, reversed, X, V, result.data()); }, model);
    result.resize(num_rows());
    return result;
  }
  std::vector<double> N(const std::vector<double>& q, const std::vector<double>& u) const {
    std::vector<double> q_dot(nq());
    std::visit([&](const auto& j) { j.template N<double>(q.data(), u.data(), q_dot.data()); }, model);
    return q_dot;
  }
  std::vector<double> N_inverse(const std::vector<double>& q, const std::vector<double>& q_dot) const {
    std::vector<double> u(nv());
    std::visit([&](const auto& j) { j.template N_inverse<double>(q.data(), q_dot.data(), u.data()); }, model);
    return u;
  }
  std::vector<double> retract(const std::vector<double>& q0, const std::vector<double>& theta) const {
    std::vector<double> q1(nq());
    std::visit([&](const auto& j) { j.retract(q0.data(), theta.data(), q1.data()); }, model);
    return q1;
  }
  std::vector<double> rate_of_chart(const std::vector<double>& q0, const std::vector<double>& theta,
                                    const std::vector<double>& u) const {
    std::vector<double> theta_dot(nchart());
    std::visit([&](const auto& j) { j.rate_of_chart(q0.data(), theta.data(), u.data(), theta_dot.data()); }, model);
    return theta_dot;
  }
  std::vector<double> zero() const {
    std::vector<double> q(nq());
    std::visit([&](const auto& j) { j.zero(q.data()); }, model);
    return q;
  }
  std::vector<double> read_pose(const Transform<double>& X) const {
    std::vector<double> q(nq());
    std::visit([&](const auto& j) { joint_read_pose(j, reversed, X, q.data()); }, model);
    return q;
  }
};

std::vector<JointCase> all_joint_cases();

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double range = 1) { return std::uniform_real_distribution<double>(-range, range)(engine_); }
  std::vector<double> numbers(int n, double range = 1) {
    std::vector<double> result(n);
    for (double& x : result) x = number(range);
    return result;
  }
  Vec3<double> vec3(double range = 1) { return {number(range), number(range), number(range)}; }
  Motion<double> motion() { return {vec3(2), vec3(2)}; }
  Mat3<double> rotation() { return polhode::rotation(Quaternion<double>{number(), number(), number(), number()}); }
  /// Coordinates away from zero by charts: twice, so that quaternions go more than half round.
  std::vector<double> coordinates(const JointCase& c) {
    const auto first = c.retract(c.zero(), numbers(c.nchart(), c.range / 2));
    return c.retract(first, numbers(c.nchart(), c.range / 2));
  }

 private:
  std::mt19937 engine_;
};

/// Numbers that pass through x with the given rate.
inline std::vector<Dual<double>> moving(const std::vector<double>& x, const std::vector<double>& rate) {
  std::vector<Dual<double>> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = {x[i], rate[i]};
  return result;
}
inline Vec3<Dual<double>> moving(const Vec3<double>& x, const Vec3<double>& rate) {
  return {{x.x, rate.x}, {x.y, rate.y}, {x.z, rate.z}};
}
/// The frame X with the velocity V: dR/dt = w x R, dp/dt = v.
inline Transform<Dual<double>> moving(const Transform<double>& X, const Motion<double>& V) {
  Transform<Dual<double>> result;
  for (int j = 0; j < 3; ++j) result.R.col[j] = moving(X.R.col[j], cross(V.angular, X.R.col[j]));
  result.p = moving(X.p, V.linear);
  return result;
}
inline Vec3<double> rate(const Vec3<Dual<double>>& a) { return {a.x.slope, a.y.slope, a.z.slope}; }
inline Vec3<double> value(const Vec3<Dual<double>>& a) { return {a.x.value, a.y.value, a.z.value}; }

template <class H>
Motion<double> velocity(const H& columns, const std::vector<double>& u) {
  Motion<double> V{};
  for (std::size_t k = 0; k < u.size(); ++k) V += u[k] * columns[k];
  return V;
}

inline double distance(const Vec3<double>& a, const Vec3<double>& b) { return norm(a - b); }
inline double distance(const Motion<double>& a, const Motion<double>& b) {
  return distance(a.angular, b.angular) + distance(a.linear, b.linear);
}
inline double distance(const Mat3<double>& A, const Mat3<double>& B) {
  return distance(A.col[0], B.col[0]) + distance(A.col[1], B.col[1]) + distance(A.col[2], B.col[2]);
}
inline double distance(const Transform<double>& X, const Transform<double>& Y) {
  return distance(X.R, Y.R) + distance(X.p, Y.p);
}

/// Runs a law on every joint case at several random states; says which one broke it.
template <class Law>
void for_all_joints(const Law& law, int num_states = 20) {
  for (const JointCase& c : all_joint_cases())
    for (int seed = 0; seed < num_states; ++seed) {
      SCOPED_TRACE(testing::Message() << c.name << ", seed " << seed);
      Random random(seed);
      law(c, random);
    }
}

}  // namespace polhode::test
