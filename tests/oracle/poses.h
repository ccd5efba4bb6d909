#pragma once
#include <vector>

#include "polhode/mechanism/mechanism.h"
#include "polhode/spatial/dual.h"

/// Kinematics written out as the books define it, sharing nothing with src/polhode/tree: products of transforms, and
/// derivatives of those products by arithmetic on dual numbers. Slow and meant to be.
namespace polhode::oracle {

using Dual1 = Dual<double>;
using Dual2 = Dual<Dual1>;

/// A user's joint whose pose and coordinate rates can be differentiated exactly; others would be by differences.
class DifferentiableJoint : public CustomJoint {
 public:
  using CustomJoint::N;
  using CustomJoint::X_FM;
  virtual Transform<Dual1> X_FM(const Dual1* q) const = 0;
  virtual Transform<Dual2> X_FM(const Dual2* q) const = 0;
  virtual void N(const Dual1* q, const Dual1* u, Dual1* q_dot) const = 0;
};

template <class T, class Model>
Transform<T> model_pose(const Model& model, const T* q) {
  if constexpr (std::is_same_v<Model, Custom> && (std::is_same_v<T, Dual1> || std::is_same_v<T, Dual2>))
    if (const auto* joint = dynamic_cast<const DifferentiableJoint*>(model.joint.get())) return joint->X_FM(q);
  return model.template X_FM<T>(q);
}
template <class T, class Model>
void model_rates(const Model& model, const T* q, const T* u, T* q_dot) {
  if constexpr (std::is_same_v<Model, Custom> && std::is_same_v<T, Dual1>)
    if (const auto* joint = dynamic_cast<const DifferentiableJoint*>(model.joint.get())) return joint->N(q, u, q_dot);
  model.template N<T>(q, u, q_dot);
}

/// X_WB of every body: X_WB = X_WP X_PF X_FM X_BM^-1 (Johnson & Murphey (2); Simbody theory manual (5.1)).
template <class T>
std::vector<Transform<T>> poses(const Mechanism& mechanism, const std::vector<T>& q) {
  std::vector<Transform<T>> X_WB(mechanism.num_bodies());
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Joint& joint = mechanism.joints()[b];
    const T* const joint_q = q.data() + joint.first_q;
    Transform<T> X_FM = std::visit([&](const auto& model) { return model_pose<T>(model, joint_q); }, joint.model);
    if (joint.reversed) X_FM = inverse(X_FM);
    X_WB[b] = X_WB[mechanism.bodies()[b].parent] * cast<T>(joint.X_PF) * X_FM * inverse(cast<T>(joint.X_BM));
  }
  return X_WB;
}

/// dq/dt = N(q) u.
template <class T>
std::vector<T> rates(const Mechanism& mechanism, const std::vector<T>& q, const std::vector<T>& u) {
  std::vector<T> q_dot(q.size());
  for (const Joint& joint : mechanism.joints())
    std::visit(
        [&](const auto& model) {
          model_rates<T>(model, q.data() + joint.first_q, u.data() + joint.first_u, q_dot.data() + joint.first_q);
        },
        joint.model);
  return q_dot;
}

/// x(t) to first order.
template <class T>
std::vector<Dual<T>> along(const std::vector<T>& x, const std::vector<T>& x_dot) {
  std::vector<Dual<T>> curve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) curve[i] = {x[i], x_dot[i]};
  return curve;
}

template <class T>
Vec3<T> value(const Vec3<Dual<T>>& a) {
  return {a.x.value, a.y.value, a.z.value};
}
template <class T>
Vec3<T> slope(const Vec3<Dual<T>>& a) {
  return {a.x.slope, a.y.slope, a.z.slope};
}
template <class T>
Mat3<T> value(const Mat3<Dual<T>>& A) {
  return {{value(A.col[0]), value(A.col[1]), value(A.col[2])}};
}
template <class T>
Mat3<T> slope(const Mat3<Dual<T>>& A) {
  return {{slope(A.col[0]), slope(A.col[1]), slope(A.col[2])}};
}
/// The vector of the antisymmetric part: vee(skew(a)) = a.
template <class T>
Vec3<T> vee(const Mat3<T>& A) {
  const T half(0.5);
  return {half * (A(2, 1) - A(1, 2)), half * (A(0, 2) - A(2, 0)), half * (A(1, 0) - A(0, 1))};
}

/// skew(w) = dR/dt R^T.
template <class T>
Vec3<T> angular_velocity(const Mat3<Dual<T>>& R) {
  return vee(slope(R) * transpose(value(R)));
}

/// Sum over the bodies of m |v_C|^2/2 + w.I w/2, along q(t) with the given rates.
template <class T>
T kinetic_energy_of_rates(const Mechanism& mechanism, const std::vector<T>& q, const std::vector<T>& q_dot) {
  const std::vector<Transform<Dual<T>>> X_WB = poses(mechanism, along(q, q_dot));
  T energy(0);
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const MassProperties& mass = mechanism.bodies()[b].mass;
    const Vec3<T> v_C = slope(X_WB[b] * cast<Dual<T>>(mass.com));
    const Vec3<T> w_B = transpose_times(value(X_WB[b].R), angular_velocity(X_WB[b].R));
    const Mat3<T> I = cast<T>(mass.inertia.full());
    energy += T(0.5) * (T(mass.mass) * dot(v_C, v_C) + dot(w_B, I * w_B));
  }
  return energy;
}

/// - sum of m g.p_C.
template <class T>
T gravity_energy(const Mechanism& mechanism, const std::vector<T>& q) {
  const std::vector<Transform<T>> X_WB = poses(mechanism, q);
  T energy(0);
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const MassProperties& mass = mechanism.bodies()[b].mass;
    energy -= T(mass.mass) * dot(cast<T>(mechanism.gravity()), X_WB[b] * cast<T>(mass.com));
  }
  return energy;
}

}  // namespace polhode::oracle
