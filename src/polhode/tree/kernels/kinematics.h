#pragma once
#include "polhode/tree/kernels/joint_motion.h"
#include "polhode/tree/kernels/scratch.h"

/// Outward sweeps: from joint coordinates to the motion of every body (Simbody theory manual, chapter 5 and 12; Johnson &
/// Murphey (2) and (6)).
namespace polhode::tree {
inline namespace POLHODE_ISA {

/// Sines and cosines of all coordinates at once, eight side by side. Only revolute joints use them, but computing all of
/// them costs less than asking.
template <class T>
POLHODE_INLINE void prepare_angles(const TreeModel& tree, const double* q, Scratch<T>& s) {
  if constexpr (std::is_same_v<T, double>) {
    constexpr int W = 4;
    int i = 0;
    for (; i + W <= tree.num_q; i += W) {
      const auto a = sin_cos(Lanes<W>::load(q + i));
      a.s.store(s.sin_q + i), a.c.store(s.cos_q + i);
    }
    if (i < tree.num_q) {
      double rest[W] = {};
      for (int k = i; k < tree.num_q; ++k) rest[k - i] = q[k];
      const auto a = sin_cos(Lanes<W>::load(rest));
      a.s.store(s.sin_q + i), a.c.store(s.cos_q + i);
    }
  }
}
template <class T>
POLHODE_INLINE SinCos<T> joint_angle(const double* q, int i, const Scratch<T>&) {
  return sin_cos(load<T>(q, i));
}
POLHODE_INLINE SinCos<double> joint_angle(const double*, int i, const Scratch<double>& s) { return {s.sin_q[i], s.cos_q[i]}; }

/// Ground: at rest, but accelerating upwards against gravity, which then acts on every body without further mention.
template <class T>
POLHODE_INLINE void reset_ground(const Vec3<double>& gravity, Scratch<T>& s) {
  BodyMotion<T>& G = s.body[0];
  G = {};
  G.R = to_matrix(Mat3<T>::identity());
  G.A.l = constant_vector<T>(-gravity);
}

/// What a sweep needs to know of bodies' motion. Dynamics needs neither where origins are nor how fast they move, and on packs,
/// whose speed memory limits, does not write them.
enum class Extent { positions, dynamics, all };

/// Pose of body b, from its parent's, and its hinge columns; with velocities, also those and the bias acceleration.
template <Extent extent, class T>
POLHODE_INLINE void advance_body(const TreeModel& tree, int b, const double* q, const double* u, Scratch<T>& s) {
  constexpr bool with_velocity = extent != Extent::positions;
  constexpr bool with_origin = extent != Extent::dynamics;
  const FlatBody& f = tree.bodies[b];
  const BodyMotion<T>& P = s.body[f.parent];
  BodyMotion<T>& B = s.body[b];
  const Matrix<T> R_WF = matrix_times_constant(P.R, f.R_PF);
  const Vector<T> p_MpF = times_constant(P.R, f.p_PF);

  switch (f.kind) {
    case FlatBody::Kind::revolute: {
      const SinCos<T> a = joint_angle(q, f.first_q, s);
      const Vector<T>&x = R_WF.col[0], &y = R_WF.col[1], &z = R_WF.col[2];
      B.R = {{a.c * x + a.s * y, a.c * y - a.s * x, z}};
      B.d = p_MpF;
      s.H[f.first_u].a = z;  // the other part is zero from the start and stays so
      if constexpr (with_velocity) {
        const Vector<T> w_rel = load<T>(u, f.first_u) * z;
        const Vector<T> v_d = cross(P.w, B.d);
        B.w = P.w + w_rel;
        if constexpr (with_origin) B.v = P.v + v_d;
        B.bias = {cross(P.w, w_rel), cross(P.w, v_d)};
      }
      break;
    }
    case FlatBody::Kind::prismatic: {
      const Vector<T>& z = R_WF.col[2];
      B.R = R_WF;
      B.d = p_MpF + load<T>(q, f.first_q) * z;
      s.H[f.first_u].l = z;
      if constexpr (with_velocity) {
        const Vector<T> v_rel = load<T>(u, f.first_u) * z;
        const Vector<T> v_d = cross(P.w, B.d);
        B.w = P.w;
        if constexpr (with_origin) B.v = P.v + v_d + v_rel;
        B.bias = {{}, cross(P.w, v_d + v_rel + v_rel)};
      }
      break;
    }
    case FlatBody::Kind::fixed: {
      B.R = R_WF;
      B.d = p_MpF;
      if constexpr (with_velocity) {
        const Vector<T> v_d = cross(P.w, B.d);
        B.w = P.w;
        if constexpr (with_origin) B.v = P.v + v_d;
        B.bias = {{}, cross(P.w, v_d)};
      }
      break;
    }
    case FlatBody::Kind::general: {
      JointMotion<T> joint;
      evaluate<with_velocity>(tree.joints[b], q, u, joint);
      const auto to_ground = [&](const Motion<T>& V) {
        return Pair<T>{R_WF * to_vector(V.angular), R_WF * to_vector(V.linear)};
      };
      const Matrix<T> R_FM = to_matrix(joint.X_FM.R);
      B.R = {{R_WF * R_FM.col[0], R_WF * R_FM.col[1], R_WF * R_FM.col[2]}};
      B.d = p_MpF + R_WF * to_vector(joint.X_FM.p);
      for (int k = 0; k < f.nu; ++k) s.H[f.first_u + k] = to_ground(joint.H[k]);
      if constexpr (with_velocity) {
        Pair<T> rel{};
        for (int k = f.first_u; k < f.first_u + f.nu; ++k) rel += load<T>(u, k) * s.H[k];
        const Vector<T> v_d = cross(P.w, B.d);
        B.w = P.w + rel.a;
        if constexpr (with_origin) B.v = P.v + v_d + rel.l;
        B.bias = to_ground(joint.Hdot_u) + Pair<T>{cross(P.w, rel.a), cross(P.w, v_d + rel.l + rel.l)};
      }
      break;
    }
  }
  if constexpr (with_origin) B.p = P.p + B.d;
}

template <class T>
POLHODE_INLINE void place_body(const TreeModel& tree, int b, const double* q, Scratch<T>& s) {
  advance_body<Extent::positions>(tree, b, q, nullptr, s);
}
template <class T>
POLHODE_INLINE void move_body(const TreeModel& tree, int b, const double* q, const double* u, Scratch<T>& s) {
  advance_body<Extent::all>(tree, b, q, u, s);
}
/// For forward and inverse dynamics. On one mechanism origins cost next to nothing, and keeping them keeps every result good.
template <class T>
POLHODE_INLINE void move_body_for_dynamics(const TreeModel& tree, int b, const double* q, const double* u, Scratch<T>& s) {
  advance_body<std::is_same_v<T, double> ? Extent::all : Extent::dynamics>(tree, b, q, u, s);
}

/// Acceleration of body b from its parent's and the joint's own.
template <class T>
POLHODE_INLINE Pair<T> acceleration_without_joint(const BodyMotion<T>& B, const Pair<T>& A_parent) {
  return {A_parent.a + B.bias.a, A_parent.l + cross(A_parent.a, B.d) + B.bias.l};
}
template <class T>
POLHODE_INLINE void accelerate_body(const TreeModel& tree, int b, const double* u_dot, Scratch<T>& s) {
  const FlatBody& f = tree.bodies[b];
  Pair<T> A = acceleration_without_joint(s.body[b], s.body[f.parent].A);
  if (f.kind == FlatBody::Kind::revolute) {
    A.a += load<T>(u_dot, f.first_u) * s.H[f.first_u].a;
  } else {
    for (int k = f.first_u; k < f.first_u + f.nu; ++k) A += load<T>(u_dot, k) * s.H[k];
  }
  s.body[b].A = A;
}

/// The body's own inertia, turned into Ground axes.
template <class T>
POLHODE_INLINE RigidInertia<T> rigid_inertia(const FlatBody& f, const Matrix<T>& R) {
  return {rotated_inertia(R, f.inertia_about_origin), times_constant(R, f.first_moment), T(f.mass)};
}
/// What is left of Newton and Euler's equations when the body does not accelerate: gyroscopic moment, centripetal force.
template <class T>
POLHODE_INLINE Pair<T> gyroscopic_force(const RigidInertia<T>& I, const Vector<T>& w) {
  return {cross(w, I.J * w), cross(w, cross(w, I.mc))};
}
/// Force that accelerates the rigid body with A at its origin, gyroscopic part left out.
template <class T>
POLHODE_INLINE Pair<T> times(const RigidInertia<T>& I, const Pair<T>& A) {
  return {I.J * A.a + cross(I.mc, A.l), I.m * A.l + cross(A.a, I.mc)};
}

/// Poses of all bodies; velocities are left as they were.
template <class T>
void positions(const TreeModel& tree, const double* q, Scratch<T>& s) {
  prepare_angles(tree, q, s);
  reset_ground(tree.gravity, s);
  for (int b = 1; b < int(tree.bodies.size()); ++b) place_body(tree, b, q, s);
}

/// Poses and velocities of all bodies.
template <class T>
void kinematics(const TreeModel& tree, const double* q, const double* u, Scratch<T>& s) {
  prepare_angles(tree, q, s);
  reset_ground(tree.gravity, s);
  for (int b = 1; b < int(tree.bodies.size()); ++b) move_body(tree, b, q, u, s);
}

/// Accelerations of all bodies; needs kinematics().
template <class T>
void accelerations(const TreeModel& tree, const double* u_dot, Scratch<T>& s) {
  s.body[0].A = {};
  for (int b = 1; b < int(tree.bodies.size()); ++b) accelerate_body(tree, b, u_dot, s);
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
