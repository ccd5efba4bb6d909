#pragma once
#include "polhode/mechanism/joints/quaternion_coordinates.h"
#include "tests/oracle/poses.h"

namespace polhode::testing_support {

/// A user's joint with as many coordinates as a joint can have: M moves anywhere in F, its pose given by a dual quaternion
/// a + e b with b = (0, p) a / 2; the speeds are angular and linear velocity expressed in M, so the hinge matrix turns.
class DualQuaternionJoint final : public oracle::DifferentiableJoint {
 public:
  using Dual1 = oracle::Dual1;
  using Dual2 = oracle::Dual2;

  std::string_view type_name() const override { return "dual-quaternion"; }
  int nq() const override { return 8; }
  int nv() const override { return 6; }

  Transform<double> X_FM(const double* q) const override { return pose(q); }
  Transform<Dual1> X_FM(const Dual1* q) const override { return pose(q); }
  Transform<Dual2> X_FM(const Dual2* q) const override { return pose(q); }
  void N(const double* q, const double* u, double* q_dot) const override { rates(q, u, q_dot); }
  void N(const Dual1* q, const Dual1* u, Dual1* q_dot) const override { rates(q, u, q_dot); }

  void H_FM(const double* q, Motion<double>* H) const override {
    const Mat3<double> R = pose(q).R;
    for (int k = 0; k < 3; ++k) H[k] = {R.col[k], {}}, H[k + 3] = {{}, R.col[k]};
  }
  /// The columns turn with M: w x w = 0 and w x v.
  Motion<double> Hdot_u(const double* q, const double* u) const override {
    const Mat3<double> R = pose(q).R;
    return {{}, R * cross(vec3_at(u), vec3_at(u + 3))};
  }
  void N_inverse(const double* q, const double* q_dot, double* u) const override {
    put(angular_velocity_in_M(q, q_dot), u);
    Dual1 curve[8];
    for (int i = 0; i < 8; ++i) curve[i] = {q[i], q_dot[i]};
    put(transpose_times(pose(q).R, oracle::slope(pose(curve).p)), u + 3);
  }
  void retract(const double* q0, const double* theta, double* q1) const override {
    const Transform<double> X = pose(q0);
    turn_in_M(q0, vec3_at(theta), q1);
    put_dual_part(X.p + vec3_at(theta + 3), q1);
  }
  void rate_of_chart(const double* q0, const double* theta, const double* u, double* theta_dot) const override {
    double q[8];
    retract(q0, theta, q);
    put(dexp_inverse(-vec3_at(theta), vec3_at(u)), theta_dot);
    put(pose(q).R * vec3_at(u + 3), theta_dot + 3);
  }
  void zero(double* q) const override {
    for (int i = 0; i < 8; ++i) q[i] = i == 0;
  }

 private:
  template <class T>
  static Transform<T> pose(const T* q) {
    const Quaternion<T> a = quaternion_at(q), b = quaternion_at(q + 4);
    return {rotation(a), (T(2) / norm_squared(a)) * (b * conjugate(a)).vector()};
  }
  template <class T>
  static void put_dual_part(const Vec3<T>& p, T* q) {
    const T half(0.5);
    put_quaternion(Quaternion<T>{T(0), half * p.x, half * p.y, half * p.z} * quaternion_at(q), q + 4);
  }
  template <class T>
  static void rates(const T* q, const T* u, T* q_dot) {
    const Transform<T> X = pose(q);
    const T half(0.5);
    const Vec3<T> v = X.R * vec3_at(u + 3), &p = X.p;
    quaternion_rate_from_M(q, vec3_at(u), q_dot);
    const Quaternion<T> from_v = Quaternion<T>{T(0), half * v.x, half * v.y, half * v.z} * quaternion_at(q);
    const Quaternion<T> from_w = Quaternion<T>{T(0), half * p.x, half * p.y, half * p.z} * quaternion_at(q_dot);
    put_quaternion(Quaternion<T>{from_v.w + from_w.w, from_v.x + from_w.x, from_v.y + from_w.y, from_v.z + from_w.z},
                   q_dot + 4);
  }
};

}  // namespace polhode::testing_support
