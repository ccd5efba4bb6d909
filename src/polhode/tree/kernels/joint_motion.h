#pragma once
#include "polhode/mechanism/mechanism.h"
#include "polhode/mechanism/reversed_joint.h"
#include "polhode/tree/kernels/algebra.h"

namespace polhode::tree {
inline namespace POLHODE_ISA {

/// What the sweeps need of a joint of any type: pose of M in F, hinge columns and their bias, all expressed in F.
template <class T>
struct JointMotion {
  Transform<T> X_FM;
  Motion<T> H[6];
  Motion<T> Hdot_u;
};

template <bool with_velocity, class T>
void evaluate(const Joint& joint, const double* q_all, const double* u_all, JointMotion<T>& out) {
  T q[CustomJoint::max_coordinates], u[CustomJoint::max_speeds] = {};  // the most that any joint has
  for (int i = 0; i < joint.nq; ++i) q[i] = load<T>(q_all, joint.first_q + i);
  if constexpr (with_velocity)
    for (int i = 0; i < joint.nu; ++i) u[i] = load<T>(u_all, joint.first_u + i);
  std::visit(
      [&](const auto& model) {
        out.X_FM = model.template X_FM<T>(q);
        model.template H_FM<T>(q, out.H);
        if constexpr (with_velocity) out.Hdot_u = model.template Hdot_u<T>(q, u);
      },
      joint.model);
  if (!joint.reversed) return;
  out.X_FM = inverse(out.X_FM);
  Motion<T> V_FM{};
  for (int k = 0; k < joint.nu; ++k) {
    out.H[k] = reversed_velocity(out.X_FM, out.H[k]);
    V_FM += u[k] * out.H[k];
  }
  if constexpr (with_velocity) out.Hdot_u = reversed_acceleration(out.X_FM, V_FM, out.Hdot_u);
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
