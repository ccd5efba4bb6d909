#pragma once
#include <memory>

#include "polhode/mechanism/custom_joint.h"
#include "polhode/mechanism/double_only.h"
#include "polhode/mechanism/flatten.h"
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Custom: a joint type of the user's own, given by virtual functions of doubles. q and u: what the user makes them.
/// Packs run it lane by lane; slopes of dual numbers come from central differences, right to about 1e-10.
struct Custom {
  static constexpr std::string_view type = "custom";
  int nq, nv, nchart, nonholonomic;
  std::shared_ptr<const CustomJoint> joint;

  /// Throws std::invalid_argument when there is no joint or its numbers of coordinates and speeds cannot be.
  explicit Custom(std::shared_ptr<const CustomJoint> users_joint);

  std::string_view coordinate_suffix(int i) const { return joint->coordinate_suffix(i); }
  std::string_view speed_suffix(int i) const { return joint->speed_suffix(i); }

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    T X[transform_size]{};
    evaluate(flat::pose, *joint, nq, q, transform_size, X);
    return transform_at(X);
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    T columns[6 * motion_size]{};
    evaluate(flat::hinge, *joint, nq, q, nv * motion_size, columns);
    for (int k = 0; k < nv; ++k) H[k] = motion_at(columns + motion_size * k);
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T* q, const T* u) const {
    T in[2 * CustomJoint::max_coordinates]{}, A[motion_size]{};
    join(q, nq, u, nv, in);
    evaluate(flat::hinge_rate_times_speed, *joint, nq + nv, in, motion_size, A);
    return motion_at(A);
  }
  template <class T>
  POLHODE_INLINE void N(const T* q, const T* u, T* q_dot) const {
    T in[2 * CustomJoint::max_coordinates]{};
    join(q, nq, u, nv, in);
    evaluate(flat::coordinate_rates, *joint, nq + nv, in, nq, q_dot);
  }
  template <class T>
  POLHODE_INLINE void N_inverse(const T* q, const T* q_dot, T* u) const {
    T in[2 * CustomJoint::max_coordinates]{};
    join(q, nq, q_dot, nq, in);
    evaluate(flat::speeds, *joint, 2 * nq, in, nv, u);
  }
  void retract(const double* q0, const double* theta, double* q1) const { joint->retract(q0, theta, q1); }
  void rate_of_chart(const double* q, const double* theta, const double* u, double* theta_dot) const {
    joint->rate_of_chart(q, theta, u, theta_dot);
  }
  void zero(double* q) const { joint->zero(q); }
  void read_pose(const Transform<double>& X_FM, double* q) const { joint->read_pose(X_FM, q); }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    T in[transform_size + motion_size], out[6 * row_size]{};
    put(X_FM, in), put(V_FM, in + transform_size);
    evaluate(flat::constraint_rows, *joint, transform_size + motion_size, in, (6 - nv) * row_size, out);
    for (int i = 0; i < 6 - nv; ++i) rows[i] = row_at(out + row_size * i);
  }
  /// Two custom joints are the same when they share the user's object.
  friend bool operator==(const Custom& a, const Custom& b) { return a.joint == b.joint; }

 private:
  template <class T>
  POLHODE_INLINE void join(const T* a, int num_a, const T* b, int num_b, T* out) const {
    for (int i = 0; i < num_a; ++i) out[i] = a[i];
    for (int i = 0; i < num_b; ++i) out[num_a + i] = b[i];
  }
};
static_assert(JointType<Custom>);

}  // namespace polhode
