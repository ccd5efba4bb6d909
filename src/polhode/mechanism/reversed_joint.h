#pragma once
#include "polhode/mechanism/constraint_row.h"

/// A reversed joint has its frame F on the child and M on the parent; its coordinates and speeds keep their meaning
/// (Simbody theory manual 5.1). Its own functions then describe the pose X_MF of the parent's frame in the child's, and the
/// tree needs X_FM: here M is on the child and F on the parent. Names follow the tree's view; N and the charts stay as they
/// are.
///
/// With R = R_FM, p = p_FM, w = w_FM, v = v_FM, from p_FM = -R p_MF and w_FM = -R w_MF:
///   v_FM      = -R v_MF + w x p                                                   (5.13)
///   d(w)/dt   = -R d(w_MF)/dt                              because w x w = 0      (5.20)
///   d(v)/dt   = -R d(v_MF)/dt + dw/dt x p + 2 w x v - w x (w x p)                 (5.22)
namespace polhode {

/// V_FM of M in F, from the velocity V_MF of F in M (5.18), (5.19). Columns of H transform in the same way.
template <class T>
POLHODE_INLINE Motion<T> reversed_velocity(const Transform<T>& X_FM, const Motion<T>& V_MF) {
  const Vec3<T> w = -(X_FM.R * V_MF.angular);
  return {w, cross(w, X_FM.p) - X_FM.R * V_MF.linear};
}

/// A_FM of M in F, from A_MF of F in M and the velocity V_FM that belongs to it (5.20), (5.22).
/// (dH/dt) u is the acceleration at du/dt = 0 and transforms in the same way.
template <class T>
POLHODE_INLINE Motion<T> reversed_acceleration(const Transform<T>& X_FM, const Motion<T>& V_FM, const Motion<T>& A_MF) {
  const Vec3<T>&w = V_FM.angular, &p = X_FM.p;
  const Vec3<T> w_dot = -(X_FM.R * A_MF.angular);
  return {w_dot, cross(w_dot, p) + T(2) * cross(w, V_FM.linear) - cross(w, cross(w, p)) - X_FM.R * A_MF.linear};
}

/// A row on X_MF, V_MF as a row on X_FM, V_FM: the same equation, with the chain rule through the two functions above.
template <class T>
POLHODE_INLINE ConstraintRow<T> reversed_row(const Transform<T>& X_FM, const Motion<T>& V_MF, const ConstraintRow<T>& row_MF) {
  const Transform<T> X_MF = inverse(X_FM);
  const Vec3<T>&m = row_MF.gradient.moment, &f = row_MF.gradient.force;
  // What A_MF is when A_FM = 0, again by (5.22) with the frames exchanged; its angular part is zero.
  const Motion<T> A_MF = reversed_acceleration(X_MF, V_MF, Motion<T>{});
  return {row_MF.value, {-(X_FM.R * (m + cross(X_MF.p, f))), -(X_FM.R * f)}, row_MF.bias + dot(f, A_MF.linear)};
}

/// The pose, hinge matrix, bias acceleration and constraint rows that a joint shows to the tree, reversed or not.
template <class T, class J>
POLHODE_INLINE Transform<T> joint_pose(const J& joint, bool reversed, const T* q) {
  const Transform<T> X = joint.template X_FM<T>(q);
  return reversed ? inverse(X) : X;
}
template <class T, class J>
POLHODE_INLINE void joint_hinge(const J& joint, bool reversed, const T* q, Motion<T>* H) {
  joint.template H_FM<T>(q, H);
  if (!reversed) return;
  const Transform<T> X_FM = inverse(joint.template X_FM<T>(q));
  for (int k = 0; k < joint.nv; ++k) H[k] = reversed_velocity(X_FM, H[k]);
}
template <class T, class J>
POLHODE_INLINE Motion<T> joint_hinge_rate_times_speed(const J& joint, bool reversed, const T* q, const T* u) {
  const Motion<T> A = joint.template Hdot_u<T>(q, u);
  if (!reversed) return A;
  const Transform<T> X_FM = inverse(joint.template X_FM<T>(q));
  Motion<T> H[6], V_MF{};
  joint.template H_FM<T>(q, H);
  for (int k = 0; k < joint.nv; ++k) V_MF += u[k] * H[k];
  return reversed_acceleration(X_FM, reversed_velocity(X_FM, V_MF), A);
}
template <class T, class J>
POLHODE_INLINE void joint_constraint_rows(const J& joint, bool reversed, const Transform<T>& X_FM, const Motion<T>& V_FM,
                                          ConstraintRow<T>* rows) {
  if (!reversed) return joint.template constraint_rows<T>(X_FM, V_FM, rows);
  const Transform<T> X_MF = inverse(X_FM);
  const Motion<T> V_MF = reversed_velocity(X_MF, V_FM);
  joint.template constraint_rows<T>(X_MF, V_MF, rows);
  for (int i = 0; i < 6 - joint.nv; ++i) rows[i] = reversed_row(X_FM, V_MF, rows[i]);
}
template <class J>
void joint_read_pose(const J& joint, bool reversed, const Transform<double>& X_FM, double* q) {
  joint.read_pose(reversed ? inverse(X_FM) : X_FM, q);
}

}  // namespace polhode
